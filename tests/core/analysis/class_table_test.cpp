#include "analysis/kernel_class.h"
#include "base/facts.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <algorithm>

using namespace threewalls;
using analysis::ClassTable;
using analysis::ColourClass;

namespace {

std::string classOf(std::string_view name) {
  const auto table = ClassTable::builtIn();
  return (*table)[table->classify(name)].id;
}

constexpr std::string_view kTwoRules = R"({
  "categories": [{"id": "a", "group": "compute", "label": "A"}, {"id": "b", "group": "compute", "label": "B"},
                 {"id": "none", "group": "x", "label": "None"}],
  "kernel_patterns": [{"order": 2, "regex": "gem", "category": "b"}, {"order": 1, "regex": "gemm", "category": "a"}],
  "unmatched": {"category": "none"}})";
constexpr std::string_view kNoColours = R"({"colours": {}})";

/// kTwoRules with one piece of text exchanged.
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kTwoRules);
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

class ClassTableTest : public QObject {
  Q_OBJECT

 private slots:
  void everyTestVectorOfTheRuleTableGetsItsClass() {
    const auto facts = nlohmann::json::parse(base::embeddedFact("kernels.json"));
    QVERIFY(facts.at("test_vectors").size() > 50);
    for (const auto& vector : facts.at("test_vectors")) {
      const auto name = vector.at("name").get<std::string>();
      QVERIFY2(classOf(name) == vector.at("category").get<std::string>(), (name + " is " + classOf(name)).c_str());
    }
  }

  void theExamplesOfRulesThatAreNamesGetTheirClass() {
    const auto facts = nlohmann::json::parse(base::embeddedFact("kernels.json"));
    int checked = 0;
    for (const auto& pattern : facts.at("kernel_patterns")) {
      const std::string example = pattern.value("example", "");
      if (example.empty() || example.find(' ') != std::string::npos || example.find("_...") != std::string::npos)
        continue;  // prose
      QVERIFY2(classOf(example) == pattern.at("category").get<std::string>(), (example + " is " + classOf(example)).c_str());
      ++checked;
    }
    QVERIFY(checked > 20);
  }

  void everyCategoryHasAColour() {
    const auto facts = nlohmann::json::parse(base::embeddedFact("kernels.json"));
    const auto colours = nlohmann::json::parse(base::embeddedFact("class_colours.json"));
    for (const auto& category : facts.at("categories")) {
      QVERIFY2(colours.at("colours").contains(category.at("id").get<std::string>()),
               category.at("id").get<std::string>().c_str());
    }
  }

  void colourClassesHaveTheNamesOfThePalettes() {
    const std::vector<std::string> expected = {"attention", "dense GEMM",        "expert GEMM", "dispatch",
                                               "combine",   "other collectives", "memory",      "other"};
    for (std::size_t i = 0; i < analysis::kColourClassCount; ++i) {
      QCOMPARE(std::string(analysis::toText(static_cast<ColourClass>(i))), expected[i]);
    }
  }

  void classesSayWhatTheyAreForTheLedger() {
    const auto table = ClassTable::builtIn();
    const auto of = [&](std::string_view name) { return (*table)[table->classify(name)]; };
    QVERIFY(of("ncclDevKernel_AllReduce_Sum_bf16_RING_LL").isCommunication);
    QVERIFY(of("hybrid_ep::device_sync_kernel<64>").isWait);
    QVERIFY(of("hybrid_ep::device_sync_kernel<64>").isCommunication);
    QVERIFY(of("Memcpy DtoH (Device -> Pageable)").isMemory);
    QVERIFY(of("Memcpy PtoP (Device -> Device)").isCommunication);  // peer-to-peer copies are communication
    QVERIFY(!of("Memcpy PtoP (Device -> Device)").isMemory);
    QVERIFY(of("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_TNT").isGemm);
    QVERIFY(of("flash_fwd_kernel").isAttention);
    QVERIFY(!of("setup_grouped_gemm_kernel").isGemm);
    QCOMPARE(of("moe::dev::routing::x").colour, ColourClass::Dispatch);
    QCOMPARE(of("void at::native::fill_kernel").colour, ColourClass::Other);
    QCOMPARE(of("something nobody knows").id, std::string("unclassified"));
    QCOMPARE(table->unclassified(), table->classify("something nobody knows"));
  }

  void namesAreNormalisedBeforeTheRules() {
    QCOMPARE(analysis::normalisedKernelName("void at::native::(anonymous namespace)::f<(anonymous namespace)::g>"),
             std::string("void at::native::f<g>"));
    QCOMPARE(analysis::normalisedKernelName(" <unnamed>::permute_kernel \t ( int )\n"), std::string("permute_kernel ( int )"));
    QCOMPARE(classOf("  void   (anonymous namespace)::permute_kernel<int>"), std::string("moe.permute"));
    QCOMPARE(classOf("void <unnamed>::dispatch_kernel<4>"), std::string("comm.ep.dispatch"));
  }

  void theFirstMatchByOrderWins() {
    const auto table = ClassTable::parse(kTwoRules, kNoColours);
    QVERIFY(table.has_value());
    const ClassTable& rules = **table;
    QCOMPARE(rules[rules.classify("a gemm")].id, std::string("a"));
    QCOMPARE(rules[rules.classify("a gem")].id, std::string("b"));
    QCOMPARE(rules[rules.classify("GEMM")].id, std::string("none"));
  }

  void brokenTablesAreErrorsThatSayWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("kernels");
    QTest::addColumn<QByteArray>("colours");
    QTest::addColumn<QByteArray>("word");
    const auto row = [](const char* title, const std::string& kernels, std::string_view colours, const char* word) {
      QTest::newRow(title) << QByteArray::fromStdString(kernels) << QByteArray(colours.data(), int(colours.size()))
                           << QByteArray(word);
    };
    row("look-ahead", changed("gemm", "(?=gemm)"), kNoColours, "(?=gemm)");
    row("look-behind", changed("gemm", "(?<=x)gemm"), kNoColours, "(?<=x)gemm");
    row("back-reference", changed("gemm", "(g)\\\\1"), kNoColours, "\\1");
    row("unbalanced", changed("gemm", "(gemm"), kNoColours, "(gemm");
    row("empty pattern", changed("\"gemm\"", "\"\""), kNoColours, "pattern");
    row("unknown category", changed("\"category\": \"a\"", "\"category\": \"q\""), kNoColours, "gemm");
    row("category twice", changed("\"id\": \"b\"", "\"id\": \"a\""), kNoColours, "\"a\"");
    row("no fallback", changed("\"category\": \"none\"", "\"category\": \"gone\""), kNoColours, "unmatched");
    row("not JSON", "{", kNoColours, "JSON");
    row("wrong shape", "[]", kNoColours, "categories");
    row("colours not JSON", std::string(kTwoRules), "?", "JSON");
    row("no such colour", std::string(kTwoRules), R"({"colours": {"a": "mauve"}})", "\"a\"");
    row("colour of nothing", std::string(kTwoRules), R"({"colours": {"z": "memory"}})", "\"z\"");
  }
  void brokenTablesAreErrorsThatSayWhatIsWrong() {
    QFETCH(QByteArray, kernels);
    QFETCH(QByteArray, colours);
    QFETCH(QByteArray, word);
    const auto table = ClassTable::parse(kernels.toStdString(), colours.toStdString());
    QVERIFY(!table.has_value());
    QVERIFY2(table.error().text().find(word.toStdString()) != std::string::npos, table.error().text().c_str());
  }

  void hostileNamesAreClassifiedInLinearTime() {
    // Names that make a backtracking engine take for ever, or overflow its stack.
    const std::string many(64 * 1024, 'a');
    std::string nested;
    while (nested.size() < 64 * 1024) nested += "cutlass<fmha.*deep_ep::nccl(";
    std::string binary;
    for (int i = 0; binary.size() < 64 * 1024; ++i) binary += static_cast<char>(i * 37);
    QCOMPARE(classOf(many), std::string("unclassified"));
    QCOMPARE(classOf(many + "gemm_grouped"), std::string("gemm.grouped"));
    QVERIFY(!classOf(nested).empty());
    QVERIFY(!classOf(binary).empty());
    QCOMPARE(classOf(""), std::string("unclassified"));
  }
};

QTEST_GUILESS_MAIN(ClassTableTest)
#include "class_table_test.moc"
