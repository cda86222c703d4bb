#pragma once

#include "base/diagnostics.h"
#include "base/progress.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace {

/// Where a rank is known from.
enum class RankSource : std::uint8_t { Recorded, Name, Unknown };

/// One file of a job's recording.
struct RankFile {
  std::string path;
  std::optional<int> rank;
  std::optional<int> worldSize;  ///< as recorded in the file, or "rank3of8" in its name
  RankSource source = RankSource::Unknown;
};

/// The trace files of a job, by rank; those without one last, by name.
struct RankFiles {
  std::vector<RankFile> files;
  base::Diagnostics diagnostics;  ///< skipped files, ranks that are missing, come twice or contradict a file's name
};

/// Looks at the beginning of each file that `folderOrGlob` names: the regular files of a folder (not of folders in it), those
/// that match a pattern with * ? [], or one file. Traces are told by their content. The rank is distributedInfo's where that
/// stands before the events, else the one in the file's name. An error when nothing matches or no file is a trace.
base::Result<RankFiles> findRankFiles(const std::string& folderOrGlob, const base::Progress& progress = {});

/// The number behind the last "rank" or "worker" of a file name ("rank-3.json", "worker3.json.gz", "a_rank3of8.json").
std::optional<int> rankInName(std::string_view fileName);

}  // namespace threewalls::trace
