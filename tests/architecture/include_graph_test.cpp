#include "support/test_files.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// What a folder may include beside itself; an arrow includes what lies behind it (closed below). The table is
/// architecture.md's Direction for the folders that exist. "qt" stands for any Qt header.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"base", {}},
    {"trace", {"base"}},
    {"analysis", {"trace"}},
    {"run", {"trace"}},
    {"compare", {"run", "analysis"}},
    {"training", {"base"}},
    {"parallel", {"training"}},
    {"common", {"compare", "qt"}},
    {"timeline", {"common"}},
    {"profile", {"timeline"}},
    {"window", {"profile"}},
    {"cli", {"compare", "parallel"}},
    {"workbench", {"window"}},
};

struct Include {
  std::string text;  ///< between the quotes or angle brackets
  bool quoted = false;
};

std::vector<Include> includesOf(const fs::path& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*(["<])([^">]{1,200})[">])re");
  std::vector<Include> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (line.size() < 400 && std::regex_search(line, match, kInclude)) found.push_back({match[2], match[1] == "\""});
  }
  return found;
}

std::set<std::string> reach(const std::string& folder) {
  std::set<std::string> all = {folder};
  std::vector<std::string> open = {folder};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const auto allowed = kAllowed.find(next);
    if (allowed == kAllowed.end()) continue;
    for (const std::string& target : allowed->second) {
      if (all.insert(target).second) open.push_back(target);
    }
  }
  return all;
}

/// The folder that an include names: "trace" for "trace/trace.h", "profile" for "stages/profile/profile_page.h", "qt" for Qt's,
/// "cuda" for CUDA's and NCCL's; empty for the standard library and other packages.
std::string targetOf(const Include& include) {
  const std::string& text = include.text;
  if (text.starts_with("cuda") || text.starts_with("nccl") || text.starts_with("nvml") || text.starts_with("cublas"))
    return "cuda";
  if (!include.quoted) {
    const bool qt =
        text.size() > 1 && text[0] == 'Q' && (std::isupper(static_cast<unsigned char>(text[1])) || text.starts_with("Qt"));
    return qt ? "qt" : "";
  }
  std::string path = text.starts_with("stages/") ? text.substr(7) : text;
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// Every edge of `file` (in `folder`) that the table forbids, as text for people.
std::vector<std::string> forbiddenEdges(const std::string& folder, const fs::path& file) {
  std::vector<std::string> wrong;
  const std::set<std::string> allowed = reach(folder);
  for (const Include& include : includesOf(file)) {
    const std::string target = targetOf(include);
    if (!target.empty() && !allowed.contains(target)) wrong.push_back(file.string() + " includes " + include.text);
  }
  return wrong;
}

std::vector<std::pair<std::string, fs::path>> sourceFolders() {
  std::vector<std::pair<std::string, fs::path>> folders;
  for (const char* parent : {"core", "widgets", "widgets/stages", "app"}) {
    const fs::path root = threewalls::test::repositoryFile(parent);
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory() && name != "stages") folders.emplace_back(name, entry.path());
    }
  }
  return folders;
}

}  // namespace

class IncludeGraphTest : public QObject {
  Q_OBJECT
 private slots:
  void everyFolderHasAPlaceInTheTable() {
    for (const auto& [name, path] : sourceFolders()) {
      QVERIFY2(kAllowed.contains(name), qPrintable(QString::fromStdString(path.string() + " is not in the table")));
    }
  }

  void noFileIncludesAgainstTheDirection() {
    std::vector<std::string> wrong;
    int files = 0;
    for (const auto& [name, folder] : sourceFolders()) {
      for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp") continue;
        ++files;
        for (std::string& edge : forbiddenEdges(name, entry.path())) wrong.push_back(std::move(edge));
      }
    }
    QVERIFY(files > 20);
    for (const std::string& edge : wrong) qWarning("%s", edge.c_str());
    QVERIFY2(wrong.empty(), qPrintable(QString("%1 forbidden includes, listed above").arg(wrong.size())));
  }

  void forbiddenIncludesAreFound() {
    QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "bad.cpp";
    std::ofstream(file)
        << "#include \"analysis/analysis.h\"\n#include <QString>\n  #  include <cuda_runtime.h>\n#include <vector>\n"
        << "#include \"base/units.h\"\n#include \"trace/trace.h\"\n";
    QCOMPARE(forbiddenEdges("trace", file).size(), std::size_t{3});
    QCOMPARE(forbiddenEdges("window", file).size(), std::size_t{1});  // CUDA stays forbidden
  }
};

QTEST_GUILESS_MAIN(IncludeGraphTest)
#include "include_graph_test.moc"
