#include "training/flops.h"
#include "training/hugging_face.h"
#include "training/parameters.h"
#include "training/presets.h"

#include "base/facts.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace threewalls::training;
using Json = nlohmann::json;

namespace {

/// Floating point operations per token of a preset at length 4096, as the golden checks of reference_configs.json have them.
double perToken(const char* id, std::int64_t tp) {
  Batch batch;
  batch.seqLength = 4096;
  return flops(preset(id)->shape, batch, tp, FlopsConvention::Model)->perToken;
}

Json dense() {
  return Json{{"num_layers", 4}, {"hidden_size", 64}, {"num_attention_heads", 4}, {"vocab_size", 1000}};
}

/// Message of the error that `shape` gives, empty when it is read.
std::string problem(const Json& shape) {
  const auto read = readShape(shape);
  return read ? std::string() : read.error().message;
}

}  // namespace

class TrainingTest : public QObject {
  Q_OBJECT
 private slots:
  void everyPresetHasTheParametersThatItsSourcesCount() {
    const Json facts = Json::parse(threewalls::base::embeddedFact("models.json"));
    const auto all = presets();
    QVERIFY2(all, all ? "" : all.error().message.c_str());
    QCOMPARE(all->size(), facts["models"].size());
    for (std::size_t i = 0; i < all->size(); ++i) {
      ModelShape shape = (*all)[i].shape;
      QCOMPARE(shape.hybridPattern.empty() ? shape.numLayers : static_cast<std::int64_t>(shape.hybridPattern.size()),
               shape.numLayers);
      shape.mtpNumLayers = 0;  // the computed totals leave multi-token prediction out
      const ParameterCount count = countParameters(shape, shape.vocabSize);
      const Json& computed = facts["models"][i]["computed"];
      const auto near = [&](const char* name, double ours, double allowed) {
        const double theirs = computed[name].get<double>();
        if (std::abs(ours / 1e9 - theirs) > allowed)
          qWarning("%s %s: %.4f, computed %.4f", (*all)[i].id.c_str(), name, ours / 1e9, theirs);
        return std::abs(ours / 1e9 - theirs) <= allowed;
      };
      QVERIFY(near("total_params_b", count.total, 0.002 * computed["total_params_b"].get<double>()));
      QVERIFY(near("routed_expert_params_b", count.routedExperts, 0.0006));
      QVERIFY(near("embedding_params_b", count.embedding, 0.0006));
      QVERIFY(near("active_params_b", count.active, 0.01 * computed["active_params_b"].get<double>()));
    }
  }

  void aMultiTokenPredictionBlockAddsALayerAndItsProjection() {
    // DeepSeek-V3 with its module is published as 685 B where 671 B are without; the difference is one MoE layer, 2 h^2 and
    // norms, and the embedding that checkpoints repeat (counted once here).
    const ModelShape with = preset("deepseek-v3")->shape;
    ModelShape without = with;
    without.mtpNumLayers = 0;
    const double difference = countParameters(with, with.vocabSize).total - countParameters(without, without.vocabSize).total;
    QVERIFY(std::abs(difference - (11507286016.0 + 2.0 * 7168 * 7168 + 3.0 * 7168)) <
            1);  // block size as memory_mcore.json has it
  }

  void publishedThroughputFollowsFromTheFloatingPointOperations() {
    // reference_configs.json golden_checks.cross_check: tokens per second and GPU, and the TFLOPS that were published with them.
    const struct {
      const char* model;
      double tokensPerSecond;
      double published;
    } rows[] = {{"qwen3-30b-a3b", 13011.378, 299.352},
                {"qwen3-235b-a22b", 8816, 1306},
                {"deepseek-v3", 6288, 1635},
                {"deepseek-v3", 4912, 1276},
                {"gpt-oss-120b", 33024, 1077}};
    for (const auto& row : rows) {
      const double ours = perToken(row.model, 1) * row.tokensPerSecond / 1e12;
      QVERIFY2(std::abs(ours / row.published - 1) < 0.001, qPrintable(QString("%1: %2").arg(row.model).arg(ours)));
    }
    QVERIFY(std::abs(perToken("moonlight-16b-a3b", 2) / 17.153e9 - 1) < 0.001);
  }

  void partsOfTheFloatingPointOperationsAddUp() {
    const auto all = presets();
    for (const Preset& one : *all) {
      Batch batch;
      batch.globalBatchSize = 8;
      const auto estimate = flops(one.shape, batch, 1, FlopsConvention::Model);
      QVERIFY(estimate);
      double sum = 0;
      for (const auto& part : estimate->parts) sum += part.second;
      QVERIFY(sum > 0 && std::abs(sum / estimate->perStep - 1) < 1e-12);
      // Six operations per active parameter and token is the bulk; attention comes on top, embedding look-ups do not.
      const double active = countParameters(one.shape, one.shape.vocabSize).active;
      QVERIFY2(estimate->perToken > 4 * active && estimate->perToken < 12 * active, one.id.c_str());
    }
  }

  void aWrongFieldIsNamed_data() {
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("named");
    QTest::newRow("missing") << R"({"hidden_size": null})"
                             << "shape.hidden_size: is missing";
    QTest::newRow("zero") << R"({"num_layers": 0})"
                          << "shape.num_layers";
    QTest::newRow("fraction") << R"({"num_layers": 2.5})"
                              << "shape.num_layers";
    QTest::newRow("text") << R"({"vocab_size": "many"})"
                          << "shape.vocab_size";
    QTest::newRow("huge") << R"({"hidden_size": 1e300})"
                          << "shape.hidden_size";
    QTest::newRow("groups over heads") << R"({"num_query_groups": 8})"
                                       << "shape.num_query_groups";
    QTest::newRow("top-k over experts") << R"({"num_moe_experts": 4, "moe_router_topk": 5})"
                                        << "shape.moe_router_topk";
    QTest::newRow("pattern length") << R"({"num_moe_experts": 4, "moe_layer_freq": [0, 1]})"
                                    << "shape.moe_layer_freq";
    QTest::newRow("pattern entry") << R"({"num_moe_experts": 4, "moe_layer_freq": [0, 1, 2, 1]})"
                                   << "shape.moe_layer_freq";
    QTest::newRow("number as text") << R"({"num_moe_experts": 4, "moe_layer_freq": "1"})"
                                    << "shape.moe_layer_freq";
    QTest::newRow("endless pattern") << R"({"num_moe_experts": 4, "moe_layer_freq": "[1]*99999999999999999999"})"
                                     << "shape.moe_layer_freq";
    QTest::newRow("mla") << R"({"mla": {"kv_lora_rank": 0}})"
                         << "shape.mla";
    QTest::newRow("window") << R"({"window_size": [1]})"
                            << "shape.window_size";
    QTest::newRow("normalization") << R"({"normalization": "none"})"
                                   << "shape.normalization";
  }
  void aWrongFieldIsNamed() {
    QFETCH(QString, patch);
    QFETCH(QString, named);
    Json shape = dense();
    QCOMPARE(problem(shape), std::string());
    shape.update(Json::parse(patch.toStdString()));
    QVERIFY2(problem(shape).starts_with(named.toStdString()), problem(shape).c_str());
  }

  void whatIsNotAnObjectIsRefused() {
    for (const char* text : {"[]", "null", "7", "\"shape\""}) {
      QVERIFY(!readShape(Json::parse(text)));
      QVERIFY(!readLayout(Json::parse(text)));
    }
    QVERIFY(readLayout(Json::parse(R"({"tp": -1})")).error().message.starts_with("layout.tp"));
    QVERIFY(readLayout(Json::parse(R"({"recompute_granularity": "some"})"))
                .error()
                .message.starts_with("layout.recompute_granularity"));
    QVERIFY(readBatch(Json::parse(R"({"global_batch_size": 0})"), Layout())
                .error()
                .message.starts_with("training.global_batch_size"));
  }

  void moeLayersCanBeWrittenAsMegatronsCommandLineHasThem() {
    const std::vector<bool> expected = {false, false, true, true, true};
    QCOMPARE(*parseLayerPattern("([0]*2+[1]*3)"), expected);
    QCOMPARE(*parseLayerPattern("[0, 0] + [1]*3"), expected);
    for (const char* wrong : {"", "1", "[", "[]", "[0]*", "[0]+", "[2]", "[0][1]", "[1]*-3"})
      QVERIFY2(!parseLayerPattern(wrong), wrong);
  }

  void longNamesOfALayoutAreReadToo() {
    const auto layout =
        readLayout(Json::parse(R"({"tensor_model_parallel_size": 2, "expert_model_parallel_size": 8, "world_size": 64})"));
    QVERIFY(layout);
    QCOMPARE(layout->tp, std::int64_t{2});
    QCOMPARE(layout->ep, std::int64_t{8});
    QCOMPARE(layout->dataParallel(), std::int64_t{32});
    QCOMPARE(layout->expertTp(), std::int64_t{2});
    QCOMPARE(layout->expertDataParallel(), std::int64_t{4});
  }

  void aHuggingFaceConfigGivesTheModelThatItDescribes_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<double>("total");  // published or computed in models.json, without multi-token prediction
    QTest::addColumn<QString>("preset");
    QTest::newRow("deepseek_v3")
        << R"({"model_type":"deepseek_v3","num_hidden_layers":61,"hidden_size":7168,"intermediate_size":18432,
      "num_attention_heads":128,"num_key_value_heads":128,"vocab_size":129280,"n_routed_experts":256,"num_experts_per_tok":8,"moe_intermediate_size":2048,
      "n_shared_experts":1,"first_k_dense_replace":3,"moe_layer_freq":1,"q_lora_rank":1536,"kv_lora_rank":512,"qk_nope_head_dim":128,
      "qk_rope_head_dim":64,"v_head_dim":128,"num_nextn_predict_layers":1,"attention_bias":false})"
        << 671.026e9 << "deepseek-v3";
    QTest::newRow("qwen3_moe") << R"({"model_type":"qwen3_moe","num_hidden_layers":48,"hidden_size":2048,"intermediate_size":6144,
      "num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"vocab_size":151936,"num_experts":128,"num_experts_per_tok":8,
      "moe_intermediate_size":768,"decoder_sparse_step":1,"mlp_only_layers":[],"tie_word_embeddings":false})"
                               << 30.532e9 << "qwen3-30b-a3b";
    QTest::newRow("mixtral") << R"({"model_type":"mixtral","num_hidden_layers":32,"hidden_size":4096,"intermediate_size":14336,
      "num_attention_heads":32,"num_key_value_heads":8,"vocab_size":32000,"num_local_experts":8,"num_experts_per_tok":2,"sliding_window":null})"
                             << 46.703e9 << "mixtral-8x7b";
    QTest::newRow("gpt_oss")
        << R"({"model_type":"gpt_oss","num_hidden_layers":24,"hidden_size":2880,"intermediate_size":2880,"num_attention_heads":64,
      "num_key_value_heads":8,"head_dim":64,"vocab_size":201088,"num_local_experts":32,"num_experts_per_tok":4,"sliding_window":128,"attention_bias":true})"
        << 20.915e9 << "gpt-oss-20b";
    QTest::newRow("llama")
        << R"({"model_type":"llama","num_hidden_layers":32,"hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,
      "num_key_value_heads":8,"vocab_size":128256})"
        << 8.03e9 << "llama3-8b";
  }
  void aHuggingFaceConfigGivesTheModelThatItDescribes() {
    QFETCH(QString, config);
    QFETCH(double, total);
    QFETCH(QString, preset);
    auto shape = readHuggingFaceConfig(Json::parse(config.toStdString()));
    QVERIFY2(shape, shape ? "" : shape.error().message.c_str());
    Batch batch;
    const double ours = flops(*shape, batch, 1, FlopsConvention::Model)->perToken;
    const double theirs = perToken(preset.toUtf8().constData(), 1);
    QVERIFY(std::abs(ours / theirs - 1) < 0.001);  // vocabulary padding differs
    shape->mtpNumLayers = 0;
    QVERIFY(std::abs(countParameters(*shape, shape->vocabSize).total / total - 1) < 0.0005);
  }

  void aHuggingFaceConfigThatIsNotKnownIsRefused() {
    const auto refused = [](const char* text) { return readHuggingFaceConfig(Json::parse(text)).error().message; };
    QVERIFY(refused(R"({"model_type":"mamba","num_hidden_layers":2})").starts_with("config.model_type"));
    QVERIFY(refused(R"({"model_type":"llama","num_hidden_layers":2})").starts_with("config.hidden_size"));
    QVERIFY(
        refused(
            R"({"model_type":"mixtral","num_hidden_layers":2,"hidden_size":8,"intermediate_size":8,"num_attention_heads":2,"vocab_size":9,
      "num_local_experts":4})")
            .starts_with("config.num_experts_per_tok"));
    QVERIFY(!isHuggingFaceConfig(Json::parse("[]")));
    QVERIFY(!isHuggingFaceConfig(dense()));
  }

  void hardwareIsFoundByIdOrAliasInAnyCase() {
    QCOMPARE(hardware("h100")->id, std::string("H100"));
    QCOMPARE(hardware("NVIDIA H100 80GB HBM3")->id, std::string("H100"));
    QCOMPARE(hardware("gb200")->nvlinkDomain, std::int64_t{72});
    QVERIFY(hardware("abacus").error().hint.find("H200") != std::string::npos);
    QVERIFY(preset("gpt-4").error().hint.find("deepseek-v3") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TrainingTest)
#include "training_test.moc"
