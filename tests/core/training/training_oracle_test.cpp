#include "training/flops.h"
#include "training/upstream_memory.h"

#include "support/test_files.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <fstream>

using namespace threewalls::training;
using Json = nlohmann::json;

namespace {

Json oracle(const std::string& name) {
  std::ifstream file(threewalls::test::repositoryFile("tests/data/oracles/" + name));
  return Json::parse(file);
}

bool agrees(double ours, double theirs) {
  return std::abs(ours - theirs) <= 1e-9 * std::max(std::abs(theirs), 1e-300);
}

/// Names the values of `row` that are not reproduced.
class Comparison {
 public:
  explicit Comparison(const Json& row) : m_id(row["id"].get<std::string>()) {}
  void value(const char* name, double ours, const Json& theirs) {
    ++values;
    if (theirs.is_number() && agrees(ours, theirs.get<double>())) return;
    ++differences;
    qWarning("%s %s: ours %.17g, theirs %s", m_id.c_str(), name, ours, theirs.dump().c_str());
  }
  int values = 0;
  int differences = 0;

 private:
  std::string m_id;
};

struct Read {
  ModelShape shape;
  Layout layout;
  Batch batch;
};

threewalls::base::Result<Read> readRow(const Json& row) {
  const auto shape = readShape(row["shape"]);
  if (!shape) return threewalls::base::fail(shape.error());
  const auto layout = readLayout(row.value("layout", Json::object()));
  if (!layout) return threewalls::base::fail(layout.error());
  const auto batch = readBatch(row.contains("layout") ? Json::object() : row, *layout);
  if (!batch) return threewalls::base::fail(batch.error());
  return Read{*shape, *layout, *batch};
}

void compareBridge(Comparison& c, const BridgeMemory& ours, const Json& theirs) {
  c.value("total_parameters", ours.totalParameters, theirs["total_parameters"]);
  c.value("dense_transformer_parameters", ours.denseTransformerParameters, theirs["dense_transformer_parameters"]);
  c.value("routed_expert_parameters", ours.routedExpertParameters, theirs["routed_expert_parameters"]);
  c.value("embedding_parameters", ours.embeddingParameters, theirs["embedding_parameters"]);
  c.value("final_layernorm_parameters", ours.finalLayernormParameters, theirs["final_layernorm_parameters"]);
  c.value("padded_vocab_size", static_cast<double>(ours.paddedVocab), theirs["padded_vocab_size"]);
  const auto shard = [&](const char* name, const BridgeShard& s) {
    if (theirs[name].is_null()) return c.value(name, s.parameterCount, 0);
    c.value(name, s.parameterCount, theirs[name]["parameter_count"]);
    c.value("parameter_count_per_gpu", s.parametersPerGpu, theirs[name]["parameter_count_per_gpu"]);
    c.value("bytes_per_parameter", s.bytesPerParameter, theirs[name]["bytes_per_parameter"]);
    c.value("memory_bytes", s.memoryBytes, theirs[name]["memory_bytes"]);
  };
  shard("dense", ours.dense);
  shard("routed_experts", ours.routedExperts);
  c.value("weight_and_optimizer_bytes", ours.weightAndOptimizerBytes, theirs["weight_and_optimizer_bytes"]);
  c.value("activation_bytes", ours.activationBytes, theirs["activation_bytes"]);
  c.value("total_memory_bytes", ours.totalBytes, theirs["total_memory_bytes"]);
}

void compareMegatron(Comparison& c, const MegatronMemory& ours, const Json& theirs) {
  constexpr double kMiB = 1024.0 * 1024.0;
  const double activation = ours.usesSpFormula ? ours.activationBytesWithSp : ours.activationBytesWithoutSp;
  const std::pair<const char*, double> values[] = {
      {"num_total_parameters", ours.totalParameters},
      {"num_active_parameters", ours.activeParameters},
      {"num_parameters_in_transformer_block", ours.transformerBlockParameters},
      {"num_parameters_in_mtp_block", ours.mtpBlockParameters},
      {"num_parameters_in_embedding_layers", ours.embeddingParameters},
      {"attention_params", ours.attention},
      {"dense_mlp_params", ours.denseMlp},
      {"shared_expert_params", ours.sharedExpert},
      {"routed_expert_params", ours.routedExperts},
      {"latent_projection_params", ours.latentProjections},
      {"layernorm_params", ours.layernorms},
      {"router_params", ours.router},
      {"num_dense_layers", static_cast<double>(ours.denseLayers)},
      {"num_moe_layers", static_cast<double>(ours.moeLayers)},
      {"tp_sharded_params_on_most_loaded_shard", ours.tensorShardedPerGpu},
      {"replicated_params_on_most_loaded_shard", ours.replicatedPerGpu},
      {"expert_sharded_params_on_most_loaded_shard", ours.expertsPerGpu},
      {"num_parameters_on_most_loaded_model_shard", ours.tensorShardedPerGpu + ours.replicatedPerGpu + ours.expertsPerGpu},
      {"dense_bytes_per_parameter", ours.denseBytesPerParameter},
      {"expert_bytes_per_parameter", ours.expertBytesPerParameter},
      {"weight_and_optimizer_bytes", ours.weightAndOptimizerBytes},
      {"activation_bytes_with_sp", ours.activationBytesWithSp},
      {"activation_bytes_without_sp", ours.activationBytesWithoutSp},
  };
  for (const auto& [name, value] : values) c.value(name, value, theirs[name]);
  c.value("reported weight_and_optimizer", ours.weightAndOptimizerBytes / kMiB, theirs["reported_mb"]["weight_and_optimizer"]);
  c.value("reported activation", activation / kMiB, theirs["reported_mb"]["activation"]);
  c.value("reported total", ours.totalBytes / kMiB, theirs["reported_mb"]["total"]);
  c.value("activation_formula", ours.usesSpFormula, theirs["activation_formula"] == "with_sp_selective" ? 1 : 0);
}

}  // namespace

class TrainingOracleTest : public QObject {
  Q_OBJECT
 private slots:
  void bridgesMemoryEstimateIsReproducedRowByRow() {
    const Json rows = oracle("memory_bridge.json")["rows"];
    QCOMPARE(rows.size(), std::size_t{115});
    int right = 0;
    for (const Json& row : rows) {
      const auto read = readRow(row);
      QVERIFY2(read, row["id"].get<std::string>().c_str());
      const auto ours = bridgeMemory(read->shape, read->layout, read->batch);
      if (!row["error"].is_null() || !ours) {
        if (row["error"].is_null() == ours.has_value())
          ++right;
        else
          qWarning("%s: %s", row["id"].get<std::string>().c_str(), ours ? "not refused" : ours.error().message.c_str());
        continue;
      }
      Comparison comparison(row);
      compareBridge(comparison, *ours, row["expected"]);
      if (comparison.differences == 0 && comparison.values >= 12) ++right;
    }
    QCOMPARE(right, 115);
  }

  void megatronsMemoryEstimateIsReproducedRowByRow() {
    const Json rows = oracle("memory_mcore.json")["rows"];
    QCOMPARE(rows.size(), std::size_t{101});
    int right = 0;
    for (const Json& row : rows) {
      const auto read = readRow(row);
      if (!row["error"].is_null()) {
        QVERIFY(!read);
        QVERIFY(read.error().message.find("moe_layer_freq") != std::string::npos);
        ++right;
        continue;
      }
      QVERIFY2(read, row["id"].get<std::string>().c_str());
      Comparison comparison(row);
      compareMegatron(comparison, megatronMemory(read->shape, read->layout, read->batch), row["expected"]);
      if (comparison.differences == 0 && comparison.values == 27) ++right;
    }
    QCOMPARE(right, 101);
  }

  void bothCountsOfFloatingPointOperationsAreReproducedRowByRow() {
    const Json rows = oracle("flops.json")["rows"];
    QCOMPARE(rows.size(), std::size_t{87});
    int right = 0;
    for (const Json& row : rows) {
      const auto read = readRow(row);
      if (!row["error"].is_null()) {
        QVERIFY(!read);
        QVERIFY(read.error().message.find("moe_layer_freq") != std::string::npos);
        ++right;
        continue;
      }
      QVERIFY2(read, row["id"].get<std::string>().c_str());
      const std::int64_t tp = row["tensor_model_parallel_size"];
      Comparison comparison(row);
      comparison.value("padded vocab", static_cast<double>(read->shape.paddedVocab(tp)), row["padded_vocab_size"]);
      comparison.value("bridge", flops(read->shape, read->batch, tp, FlopsConvention::Bridge)->perStep,
                       row["expected"]["bridge_flops"]);
      const auto megatron = flops(read->shape, read->batch, tp, FlopsConvention::MegatronLm);
      comparison.value("megatron", megatron->perStep, row["expected"]["megatron_lm_flops"]);
      if (comparison.differences == 0) ++right;
    }
    QCOMPARE(right, 87);
  }
};

QTEST_GUILESS_MAIN(TrainingOracleTest)
#include "training_oracle_test.moc"
