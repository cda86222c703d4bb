#include "support/test_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace threewalls::test {
namespace fs = std::filesystem;

std::string repositoryFile(const std::string& relative) {
  return (fs::path(THREEWALLS_SOURCE_DIR) / relative).string();
}

std::optional<std::string> sharedFile(const std::string& relative) {
  const char* named = std::getenv("THREEWALLS_SHARED");
  const fs::path root = named != nullptr ? fs::path(named) : fs::path(THREEWALLS_SOURCE_DIR).parent_path() / "shared";
  const fs::path path = root / relative;
  if (!fs::exists(path)) return std::nullopt;
  return path.string();
}

std::vector<std::string> sharedFilesBelow(const std::string& relative) {
  std::vector<std::string> files;
  const auto root = sharedFile(relative);
  if (!root) return files;
  for (const auto& entry : fs::recursive_directory_iterator(*root)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace threewalls::test
