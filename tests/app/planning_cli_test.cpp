// Starts the built threewalls-cli for flops, fit, mesh and layout: every row of the oracles, exit codes, keys.
#include "cli_process.h"
#include "support/test_files.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <set>

using nlohmann::json;
using threewalls::test::cli;
using threewalls::test::Run;

namespace {

json rowsOf(const char* name) {
  std::ifstream file(threewalls::test::repositoryFile(std::string("tests/data/oracles/") + name));
  return json::parse(file)["rows"];
}

bool agrees(const json& ours, const json& theirs) {
  return ours.is_number() && std::abs(ours.get<double>() - theirs.get<double>()) <= 1e-9 * std::abs(theirs.get<double>());
}

std::set<std::set<std::int64_t>> asSets(const json& groups) {
  std::set<std::set<std::int64_t>> all;
  for (const json& group : groups) all.insert(group.get<std::set<std::int64_t>>());
  return all;
}

QString number(const json& value) {
  return QString::number(value.get<qlonglong>());
}

}  // namespace

class PlanningCliTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString specFile(const json& spec) {
    QFile out(m_folder.filePath("spec.json"));
    if (!out.open(QIODevice::WriteOnly)) return {};
    out.write(QByteArray::fromStdString(spec.dump()));
    return out.fileName();
  }

 private slots:
  void flopsOfEveryOracleRow() {
    int right = 0;
    const json rows = rowsOf("flops.json");
    for (const json& row : rows) {
      json training;
      for (const char* key :
           {"seq_length", "global_batch_size", "tensor_model_parallel_size", "seqlen_sum", "seqlen_squared_sum"})
        training[key] = row[key];
      const QString spec = specFile({{"shape", row["shape"]}, {"training", training}});
      const Run bridge = cli({"flops", "--spec", spec, "--as", "bridge", "--json"});
      const Run megatron = cli({"flops", "--spec", spec, "--as", "megatron-lm", "--json"});
      if (!row["error"].is_null()) {
        if (bridge.code == 3 && bridge.out.isEmpty() && bridge.err.contains("moe_layer_freq")) ++right;
        continue;
      }
      if (bridge.code == 0 && agrees(bridge.object()["flops_per_step"], row["expected"]["bridge_flops"]) &&
          agrees(megatron.object()["flops_per_step"], row["expected"]["megatron_lm_flops"])) {
        ++right;
      } else {
        qWarning("%s: %d", row["id"].get<std::string>().c_str(), bridge.code);
      }
    }
    QCOMPARE(right, static_cast<int>(rows.size()));
  }

  void upstreamEstimatesOfEveryOracleRow() {
    int right = 0;
    int all = 0;
    for (const char* name : {"memory_bridge.json", "memory_mcore.json"}) {
      const bool bridge = std::string(name) == "memory_bridge.json";
      for (const json& row : rowsOf(name)) {
        ++all;
        const Run run = cli({"fit", "--spec", specFile({{"shape", row["shape"]}, {"layout", row["layout"]}}), "--json"});
        if (!row["error"].is_null()) {
          // Bridge refuses some layouts that this program refuses, too; a shape that cannot be read is no answer at all.
          if (bridge ? run.code == 1 && run.object()["upstream"]["bridge_bytes"].is_null() : run.code == 3)
            ++right;
          else
            qWarning("%s: %d", row["id"].get<std::string>().c_str(), run.code);
          continue;
        }
        const json& expected = row["expected"];
        const json ours = run.object()["upstream"][bridge ? "bridge_bytes" : "megatron_lm_bytes"];
        json theirs = bridge ? expected["total_memory_bytes"] : json();
        if (!bridge) {
          theirs = expected["weight_and_optimizer_bytes"].get<double>() +
                   expected[expected["activation_formula"] == "without_sp" ? "activation_bytes_without_sp"
                                                                           : "activation_bytes_with_sp"]
                       .get<double>();
        }
        const bool refused = row["trainer_accepts_layer_split"] == false;
        const bool known = !refused || (run.code == 1 && !run.object()["violations"].empty());
        if (agrees(ours, theirs) && known && run.object()["usable_bytes"].is_null())
          ++right;
        else
          qWarning("%s: exit %d, %s for %s", row["id"].get<std::string>().c_str(), run.code, ours.dump().c_str(),
                   theirs.dump().c_str());
      }
    }
    QCOMPARE(right, all);
    QCOMPARE(all, 216);
  }

  void groupsOfEveryOracleMesh() {
    int right = 0;
    const json rows = rowsOf("meshes.json");
    for (const json& row : rows) {
      QStringList arguments = {"mesh",
                               "--world",
                               number(row["world_size"]),
                               "--tp",
                               number(row["tp"]),
                               "--cp",
                               number(row["cp"]),
                               "--pp",
                               number(row["pp"]),
                               "--ep",
                               number(row["ep"]),
                               "--order",
                               QString::fromStdString(row["order"]),
                               "--json"};
      if (!row["etp"].is_null()) arguments << "--etp" << number(row["etp"]);
      if (!row["vpp"].is_null()) arguments << "--vpp" << number(row["vpp"]);
      if (row["num_distributed_optimizer_instances"] != 1)
        arguments << "--optimizer-instances" << number(row["num_distributed_optimizer_instances"]);
      if (row["hybrid_context_parallel"] == true) arguments << "--hybrid-cp";
      QStringList sizes;
      if (!row["hierarchical_context_parallel_sizes"].is_null()) {
        for (const json& size : row["hierarchical_context_parallel_sizes"]) sizes << number(size);
        arguments << "--hierarchical-cp" << sizes.join(',');
      }
      const Run run = cli(arguments);
      const json ours = run.object();
      if (!row["error"].is_null()) {
        if (run.code == 1 && !ours["violations"].empty())
          ++right;
        else
          qWarning("%s: exit %d", row["id"].get<std::string>().c_str(), run.code);
        continue;
      }
      bool same = run.code == 0 && ours["derived"] == row["derived"] && ours["groups"].size() == row["groups"].size();
      for (const auto& [kind, theirs] : row["groups"].items()) {
        same = same && ours["groups"][kind].size() == theirs["num_groups"].get<std::size_t>() &&
               ours["crossing"][kind]["groups"] == theirs["num_groups"];
        if (theirs.contains("groups"))
          same = same && asSets(ours["groups"][kind]) == asSets(theirs["groups"]);
        else
          for (const json& one : theirs["sample"])
            same = same && ours["groups"][kind][one["index"].get<std::size_t>()] == one["ranks"];
      }
      if (same)
        ++right;
      else
        qWarning("%s differs", row["id"].get<std::string>().c_str());
    }
    QCOMPARE(right, static_cast<int>(rows.size()));
  }

  void stagesOfOracleLayoutStrings() {
    int right = 0;
    int all = 0;
    for (const json& row : rowsOf("pp_layouts.json")) {
      const json& input = row["input"];
      // A layout beside another way to split is a matter of a specification, not of this command.
      if (row["kind"] != "layout" || !input["num_layers_in_first_pipeline_stage"].is_null()) continue;
      ++all;
      QStringList arguments = {"layout",   QString::fromStdString(input["pipeline_model_parallel_layout"]),
                               "--pp",     number(input["pipeline_model_parallel_size"]),
                               "--layers", number(input["num_layers"]),
                               "--json"};
      if (!input["virtual_pipeline_model_parallel_size"].is_null())
        arguments << "--vpp" << number(input["virtual_pipeline_model_parallel_size"]);
      if (!input["mtp_num_layers"].is_null()) arguments << "--mtp" << number(input["mtp_num_layers"]);
      const Run run = cli(arguments);
      const json ours = run.object();
      bool same = run.code == (row["error"].is_null() ? 0 : 1) && ours["error_stage"] == row["error_stage"];
      if (!row["expected"].is_null()) {
        for (const char* key : {"flat_stages", "vpp", "layout_pp_vpp", "decoder_layer_ids", "decoder_layers_per_pp_rank",
                                "num_decoder", "num_mtp"}) {
          same = same && ours[key] == row["expected"][key];
        }
      }
      if (same)
        ++right;
      else
        qWarning("%s: exit %d", row["id"].get<std::string>().c_str(), run.code);
    }
    QCOMPARE(right, all);
    QCOMPARE(all, 48);
  }

  void fitPrintsTheKeysOfTheContractAndAddsUp() {
    const Run run = cli({"fit",
                         "--model",
                         "deepseek-v3",
                         "--tp",
                         "1",
                         "--pp",
                         "8",
                         "--vpp",
                         "4",
                         "--ep",
                         "32",
                         "--etp",
                         "1",
                         "--gpus",
                         "256",
                         "--layout",
                         "Et*3|(tt|)*29m|L",
                         "--gbs",
                         "4096",
                         "--recompute",
                         "mla_up_proj,moe_act",
                         "--precision",
                         "bf16",
                         "--hardware",
                         "gb200",
                         "--json"});
    QVERIFY2(run.code == 0 || run.code == 1, run.err.constData());
    const json fit = run.object();
    QCOMPARE(fit["stages"].size(), std::size_t{8});
    bool everyStageFits = true;
    for (const json& stage : fit["stages"]) {
      std::int64_t sum = 0;
      for (const char* part : {"parameters", "gradients", "optimizer", "activations", "dispatcher", "graph", "overhead"}) {
        sum += stage.at(std::string(part) + "_bytes").get<std::int64_t>();
      }
      QCOMPARE(stage["total_bytes"].get<std::int64_t>(), sum);
      everyStageFits = everyStageFits && stage["fits"].get<bool>();
    }
    QCOMPARE(fit["fits"].get<bool>(), everyStageFits);
    QCOMPARE(run.code, everyStageFits ? 0 : 1);
    QVERIFY(std::abs(fit["parameters_total"].get<double>() / 684.5e9 - 1) < 0.005);  // 671 B and the MTP module
    for (const char* key : {"usable_bytes", "worst_stage", "parameters_active", "upstream", "assumptions"})
      QVERIFY2(!fit[key].is_null(), key);
  }

  void aHuggingFaceConfigStandsForAModel() {
    QFile config(m_folder.filePath("config.json"));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(
        R"({"model_type":"qwen3_moe","num_hidden_layers":48,"hidden_size":2048,"intermediate_size":6144,"num_attention_heads":32,
      "num_key_value_heads":4,"head_dim":128,"vocab_size":151936,"num_experts":128,"num_experts_per_tok":8,"moe_intermediate_size":768})");
    config.close();
    const QStringList layout = {"--ep", "8", "--json"};
    const json ours = cli(QStringList{"fit", "--model", config.fileName()} + layout).object();
    QCOMPARE(ours, cli(QStringList{"fit", "--model", "qwen3-30b-a3b"} + layout).object());
    QVERIFY(ours["stages"].size() == 1);
    QCOMPARE(cli({"fit", "--model", m_folder.filePath("none.json")}).code, 3);
  }

  void withoutHardwareNothingIsSaidToFit() {
    const Run run = cli({"fit", "--model", "qwen3-30b-a3b", "--ep", "8", "--json"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.object()["fits"].is_null());
    QVERIFY(run.object()["usable_bytes"].is_null());
    QVERIFY(run.object()["stages"][0]["fits"].is_null());
  }

  void whatDoesNotFitExitsWithOne() {
    const Run run = cli({"fit", "--model", "qwen3-235b-a22b", "--ep", "8", "--hardware", "h100", "--json"});
    QCOMPARE(run.code, 1);
    QCOMPARE(run.object()["fits"], json(false));
    QVERIFY(cli({"fit", "--model", "qwen3-235b-a22b", "--ep", "8", "--hardware", "h100"}).out.contains("does not fit"));
  }

  void tablesForPeopleNameWhatTheyShow() {
    QVERIFY(cli({"flops", "--model", "qwen3-30b-a3b"}).out.contains("routed_experts"));
    QVERIFY(cli({"mesh", "--world", "16", "--ep", "16"}).out.contains("expert-tp-ep"));
    QVERIFY(cli({"mesh", "--world", "16", "--tp", "3"}).out.contains("MESH-001"));
    QVERIFY(cli({"layout", "Et*3|(tt|)*29m|L", "--pp", "16", "--layers", "61", "--mtp", "1"}).out.contains("decoder x3"));
    QVERIFY(cli({"fit", "--model", "qwen3-30b-a3b"}).out.contains("permuted tokens"));
  }

  void wrongUsageAndUnreadableFilesHaveTheirExitCodes() {
    QCOMPARE(cli({"flops"}).code, 2);
    QCOMPARE(cli({"flops", "--model", "gpt-4"}).code, 2);
    QCOMPARE(cli({"flops", "--model", "deepseek-v3", "--as", "jax"}).code, 2);
    QCOMPARE(cli({"fit", "--tp", "2"}).code, 2);
    QCOMPARE(cli({"fit", "--model", "deepseek-v3", "--recompute", "everything"}).code, 2);
    QCOMPARE(cli({"fit", "--model", "deepseek-v3", "--hardware", "abacus"}).code, 2);
    QCOMPARE(cli({"mesh", "--world", "many"}).code, 2);
    QCOMPARE(cli({"layout", "EttL"}).code, 2);
    QCOMPARE(cli({"fit", "--spec", m_folder.filePath("none.json")}).code, 3);
    const QString broken = m_folder.filePath("broken.json");
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"shape\": {\"num_layers\": 2,");
    file.close();
    const Run run = cli({"fit", "--spec", broken, "--json"});
    QCOMPARE(run.code, 3);
    QVERIFY(run.out.isEmpty() && run.err.contains("broken.json"));
    QCOMPARE(cli({"flops", "--spec", m_folder.path()}).code, 3);
  }
};

QTEST_GUILESS_MAIN(PlanningCliTest)
#include "planning_cli_test.moc"
