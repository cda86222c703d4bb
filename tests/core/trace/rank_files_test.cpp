#include "trace/rank_files.h"
#include "support/test_files.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace threewalls;
using namespace threewalls::trace;

namespace {

std::string ranked(int rank, int size) {
  return R"({"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":)" + std::to_string(rank) + R"(,"world_size":)" +
         std::to_string(size) + R"(},"traceEvents":[{"ph":"X","name":"k","ts":1,"dur":1,"pid":0,"tid":7}]})";
}
const char* const kUnranked = R"({"traceEvents":[{"ph":"X","name":"k","ts":1,"dur":1,"pid":0,"tid":7}]})";

class Folder {
 public:
  Folder() { QVERIFY2(m_folder.isValid(), "no temporary folder"); }
  void add(const char* name, const std::string& text) { std::ofstream(path() + "/" + name) << text; }
  std::string path() const { return m_folder.path().toStdString(); }

 private:
  QTemporaryDir m_folder;
};

QStringList ranksOf(const RankFiles& found) {
  QStringList out;
  for (const RankFile& file : found.files) out << (file.rank ? QString::number(*file.rank) : QString("?"));
  return out;
}

}  // namespace

class RankFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void recordedRanksWinOverNamesAndFilesComeByRank() {
    Folder folder;
    folder.add("rank0.json", ranked(2, 4));
    folder.add("rank1.json", ranked(1, 4));
    folder.add("b.json", ranked(0, 4));
    folder.add("notes.txt", "hello");
    folder.add("settings.json", R"({"lr":1})");
    folder.add(".hidden.json", ranked(3, 4));
    const auto found = findRankFiles(folder.path());
    QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
    QCOMPARE(ranksOf(*found), QStringList({"0", "1", "2"}));
    QCOMPARE(found->files[0].source, RankSource::Recorded);
    QCOMPARE(found->diagnostics.count("rank_contradicts_name"), std::uint64_t{1});
    QCOMPARE(found->diagnostics.count("file_skipped"), std::uint64_t{2});
    QCOMPARE(found->diagnostics.count("ranks_missing"), std::uint64_t{1});
    QCOMPARE(found->diagnostics.count("rank_twice"), std::uint64_t{0});
  }

  void aGlobTakesWhatMatchesAndNamesGiveRanks() {
    Folder folder;
    for (const char* name : {"step_worker10.json", "step_worker9.json", "other.json"}) folder.add(name, kUnranked);
    const auto found = findRankFiles(folder.path() + "/step_*.json");
    QVERIFY(found.has_value());
    QCOMPARE(ranksOf(*found), QStringList({"9", "10"}));
    QCOMPARE(found->files[0].source, RankSource::Name);
    QVERIFY(!findRankFiles(folder.path() + "/nothing*").has_value());
    QVERIFY(!findRankFiles("/no/such/folder").has_value());
    QCOMPARE(findRankFiles(folder.path() + "/other.json")->files.size(), std::size_t{1});
  }

  void namesThatDifferInOneNumberOnlyGiveThatNumber() {
    Folder folder;
    for (const char* name : {"run7_a_12.json", "run7_a_3.json", "run7_a_0.json"}) folder.add(name, kUnranked);
    QCOMPARE(ranksOf(*findRankFiles(folder.path())), QStringList({"0", "3", "12"}));
    folder.add("run8_a_4.json", kUnranked);  // now two numbers differ: neither is surely the rank
    const auto found = findRankFiles(folder.path());
    QCOMPARE(ranksOf(*found), QStringList({"?", "?", "?", "?"}));
    QCOMPARE(found->diagnostics.count("rank_unknown"), std::uint64_t{4});
  }

  void twoFilesOfOneRankAndJobsOfTwoSizesAreSaid() {
    Folder folder;
    folder.add("a.json", ranked(1, 2));
    folder.add("b.json", ranked(1, 4));
    const auto found = findRankFiles(folder.path());
    QCOMPARE(found->diagnostics.count("rank_twice"), std::uint64_t{1});
    QCOMPARE(found->diagnostics.count("world_size_differs"), std::uint64_t{2});
  }

  void rankWordsInNames() {
    QCOMPARE(rankInName("rank-3.json"), std::optional<int>(3));
    QCOMPARE(rankInName("Worker12.pt.trace.json.gz"), std::optional<int>(12));
    QCOMPARE(rankInName("ab_rank3of8_workers4.json"), std::optional<int>(3));
    QCOMPARE(rankInName("rank_0_step_5.json"), std::optional<int>(0));
    QCOMPARE(rankInName("crank3.json"), std::optional<int>());
    QCOMPARE(rankInName("rank99999999999999999999.json"), std::optional<int>());
    QCOMPARE(rankInName("rank.json"), std::optional<int>());
  }

  void theSharedJobsAreListedByRank() {
    const auto eight = test::sharedFile("traces/kineto/multirank_dlrm8");
    const auto sampled = test::sharedFile("traces/kineto/multirank_sampled128");
    if (!eight || !sampled) QSKIP("the shared traces are not here");
    const auto found = findRankFiles(*eight);
    QVERIFY(found.has_value());
    QCOMPARE(ranksOf(*found), QStringList({"0", "1", "2", "3", "4", "5", "6", "7"}));
    QCOMPARE(found->diagnostics.entries().size(), std::size_t{0});
    const auto few = findRankFiles(*sampled + "/*.json.gz");
    QVERIFY(few.has_value());
    QCOMPARE(ranksOf(*few), QStringList({"0", "1"}));
    QCOMPARE(few->diagnostics.count("ranks_missing"), std::uint64_t{126});
  }
};

QTEST_GUILESS_MAIN(RankFilesTest)
#include "rank_files_test.moc"
