#include "trace/rank_files.h"

#include "trace/natural_order.h"
#include "trace/nsys/sqlite_file.h"
#include "trace/plain_file.h"
#include "trace/top_level_scanner.h"
#include "trace/trace_metadata.h"
#include "trace/valid_text.h"

#include <glob.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace threewalls::trace {
namespace {

namespace fs = std::filesystem;

using Stop = TopLevelScanner::Stop;

constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kFirstLook = std::size_t{64} << 10;
constexpr std::size_t kSecondLook = std::size_t{1} << 20;
constexpr std::size_t kMostListed = 16;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct NamedRank {
  int rank = 0;
  std::optional<int> worldSize;
};

std::optional<int> smallNumber(std::string_view text, std::size_t& at) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || value > 10'000'000) return std::nullopt;
  at = static_cast<std::size_t>(end - text.data());
  return value;
}

std::optional<NamedRank> namedRank(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  std::optional<NamedRank> found;
  std::size_t foundAt = 0;
  for (const std::string_view word : {"rank", "worker"}) {
    for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
      std::size_t number = at + word.size();
      if (at > 0 && isLetter(lower[at - 1])) continue;  // "crank3"
      if (number < lower.size() && std::string_view("-_. =").find(lower[number]) != std::string_view::npos) ++number;
      if (number >= lower.size() || !isDigit(lower[number])) continue;
      const auto rank = smallNumber(lower, number);
      if (!rank || (found && at < foundAt)) continue;
      found = NamedRank{*rank, std::nullopt};
      foundAt = at;
      if (std::string_view(lower).substr(number).starts_with("of") && number + 2 < lower.size() && isDigit(lower[number + 2])) {
        number += 2;
        found->worldSize = smallNumber(lower, number);
      }
    }
  }
  return found;
}

std::string fileName(const std::string& path) {
  return validText(fs::path(path).filename().string());
}

base::Result<std::vector<std::string>> candidates(const std::string& folderOrGlob) {
  std::vector<std::string> paths;
  std::error_code failure;
  if (fs::is_directory(folderOrGlob, failure)) {
    for (fs::directory_iterator it(folderOrGlob, failure), end; !failure && it != end && paths.size() < kMostFiles;
         it.increment(failure)) {
      std::error_code ignored;
      if (it->is_regular_file(ignored) && !it->path().filename().string().starts_with('.')) paths.push_back(it->path().string());
    }
  } else if (fs::is_regular_file(folderOrGlob, failure)) {
    paths.push_back(folderOrGlob);
  } else {
    glob_t matches{};
    if (glob(folderOrGlob.c_str(), GLOB_NOSORT, nullptr, &matches) == 0) {
      for (std::size_t i = 0; i < matches.gl_pathc && paths.size() < kMostFiles; ++i) {
        std::error_code ignored;
        if (fs::is_regular_file(matches.gl_pathv[i], ignored)) paths.emplace_back(matches.gl_pathv[i]);
      }
    }
    globfree(&matches);
    failure.clear();
  }
  if (failure)
    return base::fail({base::ErrorCode::CannotRead, "The folder cannot be read: " + failure.message() + ".", folderOrGlob});
  if (paths.empty()) {
    return base::fail({base::ErrorCode::CannotRead,
                       "No file is there or matches.",
                       folderOrGlob,
                       {},
                       {},
                       "Name a folder of traces, or a pattern in quotes such as \"run/*.json.gz\"."});
  }
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) { return compareNatural(a, b) < 0; });
  return paths;
}

bool looksLikeTrace(std::string_view head) {
  if (nsys::SqliteFile::recognised(head)) return true;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

/// Takes rank and size that stand before the events; where the scan stopped says whether there are events.
Stop readRecorded(std::string_view head, RankFile& file) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  TopLevelScanner scanner;
  const Stop stop = scanner.feed(head).stop;
  TraceInfo info;
  readMetadata(scanner.entries(), info);
  file.worldSize = info.worldSize;
  if (info.rank) {
    file.rank = info.rank;
    file.source = RankSource::Recorded;
  }
  return stop;
}

/// "trace_0.json" and "trace_1.json": when names differ in one number only, that number is the rank.
void ranksFromOneNumber(std::vector<RankFile>& files) {
  std::vector<std::vector<std::string>> numbers;
  std::set<std::string> skeletons;
  for (const RankFile& file : files) {
    if (file.rank) return;
    std::string skeleton;
    std::vector<std::string> found;
    const std::string name = fileName(file.path);
    for (std::size_t at = 0; at < name.size(); ++at) {
      if (!isDigit(name[at])) {
        skeleton += name[at];
        continue;
      }
      if (at == 0 || !isDigit(name[at - 1])) {
        found.emplace_back();
        skeleton += '#';
      }
      found.back() += name[at];
    }
    numbers.push_back(std::move(found));
    skeletons.insert(skeleton);
  }
  if (files.size() < 2 || skeletons.size() != 1) return;
  std::vector<std::size_t> varying;
  for (std::size_t column = 0; column < numbers.front().size(); ++column) {
    std::set<std::string> values;
    for (const auto& row : numbers) values.insert(row[column]);
    if (values.size() > 1) varying.push_back(column);
    if (values.size() > 1 && values.size() < files.size()) return;
  }
  if (varying.size() != 1) return;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::size_t at = 0;
    files[i].rank = smallNumber(numbers[i][varying[0]], at);
    if (files[i].rank) files[i].source = RankSource::Name;
  }
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMostListed); ++i) out += (i > 0 ? ", " : "") + words[i];
  return words.size() > kMostListed ? out + " and " + std::to_string(words.size() - kMostListed) + " more" : out;
}

void checkSet(RankFiles& out, const std::string& where) {
  std::map<int, int> perRank;
  std::set<int> sizes;
  for (const RankFile& file : out.files) {
    if (file.rank) ++perRank[*file.rank];
    if (file.worldSize) sizes.insert(*file.worldSize);
  }
  std::vector<std::string> twice, missing;
  for (const auto& [rank, count] : perRank) {
    if (count > 1) twice.push_back(std::to_string(rank));
  }
  const auto note = [&](base::Severity severity, const char* code, std::string message, std::uint64_t count) {
    if (count > 0) out.diagnostics.note({severity, code, std::move(message), where, {}, {}, count});
  };
  note(base::Severity::Warning, "rank_twice", "Several files are of the same rank: " + listed(twice) + ".", twice.size());
  const auto unknown = static_cast<std::uint64_t>(
      std::count_if(out.files.begin(), out.files.end(), [](const RankFile& file) { return !file.rank; }));
  note(base::Severity::Info, "rank_unknown", "Some files tell their rank neither inside nor by their name.", unknown);
  if (sizes.size() > 1)
    note(base::Severity::Warning, "world_size_differs", "The files are of jobs of different sizes.", sizes.size());
  if (sizes.size() != 1 || perRank.empty() || *sizes.begin() > 1'000'000) return;
  for (int rank = 0; rank < *sizes.begin(); ++rank) {
    if (!perRank.contains(rank)) missing.push_back(std::to_string(rank));
  }
  note(base::Severity::Info, "ranks_missing",
       "No file of these ranks of " + std::to_string(*sizes.begin()) + ": " + listed(missing) + ".", missing.size());
}

}  // namespace

std::optional<int> rankInName(std::string_view fileName) {
  const auto found = namedRank(fileName);
  return found ? std::optional<int>(found->rank) : std::nullopt;
}

base::Result<RankFiles> findRankFiles(const std::string& folderOrGlob, const base::Progress& progress) {
  const auto paths = candidates(folderOrGlob);
  if (!paths) return base::fail(paths.error());
  RankFiles out;
  std::vector<std::string> skipped, contradictory;
  for (std::size_t i = 0; i < paths->size(); ++i) {
    if (progress.stopRequested())
      return base::fail({base::ErrorCode::Cancelled, "Looking through the files was cancelled.", folderOrGlob});
    progress.report(i, paths->size());
    const std::string& path = (*paths)[i];
    const auto head = readHead(path, kFirstLook);
    if (!head || !looksLikeTrace(*head)) {
      skipped.push_back(fileName(path));
      continue;
    }
    RankFile file;
    file.path = path;
    const bool sqlite = nsys::SqliteFile::recognised(*head);
    auto stop = sqlite ? Stop::Events : readRecorded(*head, file);
    if (stop == Stop::NeedMore && head->size() == kFirstLook) {
      if (const auto more = readHead(path, kSecondLook)) stop = readRecorded(*more, file);
    }
    if (stop == Stop::End || stop == Stop::NotJson) {  // all of it was read, and it holds no events
      skipped.push_back(fileName(path));
      continue;
    }
    const auto named = namedRank(fileName(path));
    if (file.rank && named && named->rank != *file.rank) contradictory.push_back(fileName(path));
    if (!file.rank && named) {
      file.rank = named->rank;
      file.source = RankSource::Name;
      if (!file.worldSize) file.worldSize = named->worldSize;
    }
    out.files.push_back(std::move(file));
  }
  if (out.files.empty()) {
    return base::fail(
        {base::ErrorCode::UnknownFormat, "None of the " + std::to_string(paths->size()) + " files is a trace.", folderOrGlob});
  }
  ranksFromOneNumber(out.files);
  std::stable_sort(out.files.begin(), out.files.end(), [](const RankFile& a, const RankFile& b) {
    if (a.rank.has_value() != b.rank.has_value()) return a.rank.has_value();
    return a.rank && *a.rank < *b.rank;
  });
  if (!skipped.empty()) {
    out.diagnostics.note({base::Severity::Info,
                          "file_skipped",
                          "These files are no traces: " + listed(skipped) + ".",
                          folderOrGlob,
                          {},
                          {},
                          skipped.size()});
  }
  if (!contradictory.empty()) {
    out.diagnostics.note(
        {base::Severity::Warning,
         "rank_contradicts_name",
         "The rank inside these files is another than in their names; the one inside counts: " + listed(contradictory) + ".",
         folderOrGlob,
         {},
         {},
         contradictory.size()});
  }
  checkSet(out, folderOrGlob);
  return out;
}

}  // namespace threewalls::trace
