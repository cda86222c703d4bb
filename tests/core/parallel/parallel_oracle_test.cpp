#include "parallel/layer_split.h"
#include "parallel/mesh.h"
#include "parallel/pipeline_layout.h"

#include "support/test_files.h"

#include <QCryptographicHash>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

using namespace threewalls::parallel;
using Json = nlohmann::json;

namespace {

Json oracle(const std::string& name) {
  std::ifstream file(threewalls::test::repositoryFile("tests/data/oracles/" + name));
  return Json::parse(file);
}

MeshSpec specOf(const Json& row) {
  MeshSpec spec;
  spec.worldSize = row["world_size"];
  spec.tp = row["tp"];
  spec.cp = row["cp"];
  spec.pp = row["pp"];
  spec.ep = row["ep"];
  if (!row["etp"].is_null()) spec.etp = row["etp"].get<std::int64_t>();
  if (!row["vpp"].is_null()) spec.vpp = row["vpp"].get<std::int64_t>();
  spec.order = row["order"];
  spec.distributedOptimizerInstances = row["num_distributed_optimizer_instances"];
  if (!row["hierarchical_context_parallel_sizes"].is_null()) {
    spec.hierarchicalCpSizes = row["hierarchical_context_parallel_sizes"].get<std::vector<std::int64_t>>();
  }
  spec.hybridContextParallel = row["hybrid_context_parallel"];
  return spec;
}

/// The checksum that the head of meshes.json defines.
std::string checksum(const std::vector<RankGroup>& groups) {
  QByteArray text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) text += ';';
    for (std::size_t k = 0; k < groups[i].size(); ++k)
      text += (k > 0 ? "," : "") + QByteArray::number(static_cast<qlonglong>(groups[i][k]));
  }
  return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().toStdString();
}

bool sameMesh(const Mesh& ours, const Json& row) {
  std::set<std::string> names;
  for (const GroupKind& kind : ours.kinds) names.insert(kind.name);
  bool same =
      ours.dp == row["derived"]["dp"] && ours.etp == row["derived"]["etp"] && ours.expertDp == row["derived"]["expert_dp"];
  for (const auto& [name, theirs] : row["groups"].items()) {
    names.erase(name);
    const GroupKind* kind = ours.find(name);
    const bool equal = kind != nullptr && kind->groups.size() == theirs["num_groups"].get<std::size_t>() &&
                       checksum(kind->groups) == theirs["sha256"] &&
                       (!theirs.contains("groups") || Json(kind->groups) == theirs["groups"]);
    if (!equal) qWarning("%s: %s differs", row["id"].get<std::string>().c_str(), name.c_str());
    same = same && equal;
  }
  return same && names.empty();
}

std::optional<std::int64_t> optional(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::int64_t>());
}

bool sameLayout(const PipelineCheck& ours, const Json& row) {
  const std::string step = ours.refusedAt ? std::string(toText(*ours.refusedAt)) : "";
  const std::string expectedStep = row["error_stage"].is_null() ? "" : row["error_stage"].get<std::string>();
  if (step != expectedStep || ours.violations.empty() != row["error"].is_null()) {
    qWarning("%s: refused at '%s', not '%s'", row["id"].get<std::string>().c_str(), step.c_str(), expectedStep.c_str());
    return false;
  }
  const Json& expected = row["expected"];
  if (expected.is_null()) return !ours.layout;
  const PipelineLayout& layout = *ours.layout;
  Json flat = Json::array();
  for (const Stage& stage : layout.stages) {
    flat.push_back(Json::array());
    for (const StageItem item : stage) flat.back().push_back(toText(item));
  }
  Json dealt = Json::array();
  Json perRank = Json::array();
  for (std::int64_t rank = 0; rank < layout.pp; ++rank) {
    dealt.push_back(Json::array());
    std::int64_t decoders = 0;
    for (std::int64_t v = 0; v < layout.vpp(); ++v) {
      dealt.back().push_back(flat[static_cast<std::size_t>(v * layout.pp + rank)]);
      decoders +=
          static_cast<std::int64_t>(layout.decoderLayerIds()[static_cast<std::size_t>(rank)][static_cast<std::size_t>(v)].size());
    }
    perRank.push_back(decoders);
  }
  bool same = flat == expected["flat_stages"] && layout.vpp() == expected["vpp"] && dealt == expected["layout_pp_vpp"] &&
              Json(layout.decoderLayerIds()) == expected["decoder_layer_ids"] &&
              perRank == expected["decoder_layers_per_pp_rank"] && layout.count(StageItem::Decoder) == expected["num_decoder"] &&
              layout.count(StageItem::Mtp) == expected["num_mtp"];
  if (expected.contains("mtp_standalone")) same = same && layout.mtpStandalone() == expected["mtp_standalone"];
  return same;
}

threewalls::training::Layout splitArguments(const Json& input) {
  threewalls::training::Layout layout;
  layout.pp = input["pipeline_model_parallel_size"];
  layout.vpp = optional(input["virtual_pipeline_model_parallel_size"]);
  layout.firstStageLayers = optional(input["num_layers_in_first_pipeline_stage"]);
  layout.lastStageLayers = optional(input["num_layers_in_last_pipeline_stage"]);
  layout.accountForEmbedding = input["account_for_embedding_in_pipeline_split"];
  layout.accountForLoss = input["account_for_loss_in_pipeline_split"];
  return layout;
}

bool sameSplit(const SplitCheck& ours, const Json& row) {
  const std::string expectedStage = row["error_stage"].is_null() ? "" : row["error_stage"].get<std::string>();
  if (ours.refusedAt != expectedStage) {
    qWarning("%s: refused at '%s', not '%s'", row["id"].get<std::string>().c_str(), ours.refusedAt.c_str(),
             expectedStage.c_str());
    return false;
  }
  if (!ours.violations.empty()) return !row["error"].is_null();
  const Json& expected = row["expected"];
  Json ids = Json::array();
  for (std::size_t rank = 0; rank < ours.split.counts.size(); ++rank) {
    ids.push_back(Json::array());
    for (std::size_t v = 0; v < ours.split.counts[rank].size(); ++v) ids.back().push_back(ours.split.ids(rank, v));
  }
  return Json(ours.split.counts) == expected["num_layers_to_build"] && Json(ours.split.offsets) == expected["layer_offset"] &&
         ids == expected["layer_ids"];
}

}  // namespace

class ParallelOracleTest : public QObject {
  Q_OBJECT
 private slots:
  void everyGroupOfEveryMeshIsReproduced() {
    const Json rows = oracle("meshes.json")["rows"];
    QCOMPARE(rows.size(), std::size_t{48});
    int right = 0;
    int refused = 0;
    for (const Json& row : rows) {
      const auto mesh = buildMesh(specOf(row));
      if (!row["error"].is_null()) {
        if (!mesh && !mesh.error().empty())
          ++refused;
        else
          qWarning("%s is not refused", row["id"].get<std::string>().c_str());
        continue;
      }
      if (!mesh) qWarning("%s: %s", row["id"].get<std::string>().c_str(), mesh.error()[0].message.c_str());
      if (mesh && sameMesh(*mesh, row)) ++right;
    }
    QCOMPARE(right, 36);
    QCOMPARE(refused, 12);
  }

  void everyPipelineLayoutAndSplitIsReproducedOrRefusedAtTheSameStage() {
    const Json rows = oracle("pp_layouts.json")["rows"];
    QCOMPARE(rows.size(), std::size_t{90});
    int layouts = 0;
    int splits = 0;
    for (const Json& row : rows) {
      const Json& input = row["input"];
      const auto arguments = splitArguments(input);
      if (row["kind"] == "layout") {
        PipelineExpectation expected;
        expected.pp = arguments.pp;
        expected.vpp = arguments.vpp;
        expected.numLayers = input["num_layers"];
        expected.mtpNumLayers = optional(input["mtp_num_layers"]).value_or(0);
        expected.otherSplitGiven =
            arguments.firstStageLayers || arguments.lastStageLayers || arguments.accountForEmbedding || arguments.accountForLoss;
        const bool same =
            sameLayout(checkPipelineLayout(input["pipeline_model_parallel_layout"].get<std::string>(), expected), row);
        if (same)
          ++layouts;
        else
          qWarning("%s differs", row["id"].get<std::string>().c_str());
      } else {
        const bool same = sameSplit(splitLayers(input["num_layers"], arguments), row);
        if (same)
          ++splits;
        else
          qWarning("%s differs", row["id"].get<std::string>().c_str());
      }
    }
    QCOMPARE(layouts, 49);
    QCOMPARE(splits, 41);
  }

  void aBrokenRuleIsNamedWithWhatToDo() {
    const auto firstRule = [](MeshSpec spec) {
      const auto violations = meshViolations(spec);
      return violations.empty() || violations[0].message.empty() || violations[0].remedy.empty() ? std::string()
                                                                                                 : violations[0].rule;
    };
    MeshSpec spec;
    spec.worldSize = 8;
    QCOMPARE(firstRule(spec), std::string());
    spec.tp = 3;
    QCOMPARE(firstRule(spec), std::string("MESH-001"));
    spec.tp = 2;
    spec.ep = 8;
    QCOMPARE(firstRule(spec), std::string("MESH-002"));
    spec.etp = 1;
    QCOMPARE(firstRule(spec), std::string());
    spec.vpp = 2;
    QCOMPARE(firstRule(spec), std::string("PP-003"));
    spec = {};
    spec.order = "tp-tp";
    QCOMPARE(firstRule(spec), std::string("mesh.order"));
    spec.order = "";
    QCOMPARE(firstRule(spec), std::string("mesh.order"));
    spec = {};
    spec.worldSize = std::int64_t{1} << 62;
    QCOMPARE(firstRule(spec), std::string("mesh.size"));
    spec = {};
    spec.hierarchicalCpSizes = {std::int64_t{1} << 40, std::int64_t{1} << 40};
    QCOMPARE(firstRule(spec), std::string("mesh.hierarchical_cp"));
  }

  void groupsThatLeaveANodeOrADomainAreCounted() {
    MeshSpec spec;
    spec.worldSize = 32;
    spec.tp = 2;
    spec.ep = 16;
    spec.etp = 1;
    const auto mesh = buildMesh(spec);
    QVERIFY(mesh);
    const Crossing tensor = crossing(*mesh->find("tp"), 8, 16);
    QCOMPARE(tensor.groups, std::int64_t{16});
    QCOMPARE(tensor.crossingNode, std::int64_t{0});
    const Crossing expert = crossing(*mesh->find("ep"), 8, 16);
    QCOMPARE(expert.groups, std::int64_t{2});
    QCOMPARE(expert.crossingNode, std::int64_t{2});
    QCOMPARE(expert.crossingDomain, std::int64_t{0});
    QCOMPARE(crossing(*mesh->find("dp"), 8, 16).crossingDomain, std::int64_t{2});
    QVERIFY(mesh->find("no such kind") == nullptr);
  }

  void aSplitWithNegativeMiddleStagesIsRefusedWhereMegatronLetsItPass() {
    threewalls::training::Layout layout;
    layout.pp = 4;
    layout.firstStageLayers = 20;
    layout.lastStageLayers = 20;
    const SplitCheck check = splitLayers(32, layout);
    QCOMPARE(check.violations.size(), std::size_t{1});
    QCOMPARE(check.refusedAt, std::string("config"));
  }

  void hostileLayoutStringsAreRefusedWithoutGrowing_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("huge count") << QByteArray("E(t|)*99999999999999999999L");
    QTest::newRow("huge characters") << QByteArray("Et*999999999L");
    QTest::newRow("product of counts") << QByteArray("E(t*99999)*99999L");
    QTest::newRow("many groups") << QByteArray("(tttttttttt)*9000").repeated(1000);
    QTest::newRow("brackets") << QByteArray(90000, '(');
    QTest::newRow("bytes") << QByteArray("E\xff\x80\x01|L");
  }
  void hostileLayoutStringsAreRefusedWithoutGrowing() {
    QFETCH(QByteArray, text);
    PipelineExpectation expected;
    expected.pp = 2;
    const PipelineCheck check = checkPipelineLayout(text.toStdString(), expected);
    QVERIFY(check.refusedAt == LayoutStep::Parse);
    QCOMPARE(check.violations[0].rule, std::string("PP-014"));
    QVERIFY(check.violations[0].message.size() < 200);
  }
};

QTEST_GUILESS_MAIN(ParallelOracleTest)
#include "parallel_oracle_test.moc"
