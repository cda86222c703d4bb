#include "spec_arguments.h"

#include "exit_code.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace threewalls::cli {

void addSpecArguments(CLI::App& command, SpecArguments& a) {
  CLI::Option* file =
      command.add_option("--spec", a.file, "JSON with shape (or model), layout, training and hardware, in Megatron's own names");
  CLI::Option* model =
      command
          .add_option("--model", a.model,
                      "A built-in model such as deepseek-v3, or a Hugging Face config.json; with the flags below")
          ->excludes(file);
  const auto number = [&](const char* name, std::optional<std::int64_t>& target, const char* text) {
    command.add_option(name, target, text)->needs(model)->type_name("N");
  };
  number("--tp", a.tp, "Tensor parallel size; sequence parallel above 1");
  number("--pp", a.pp, "Pipeline parallel size");
  number("--vpp", a.vpp, "Virtual pipeline stages per rank");
  number("--cp", a.cp, "Context parallel size");
  number("--ep", a.ep, "Expert parallel size");
  number("--etp", a.etp, "Expert tensor parallel size; TP when not given");
  number("--mbs", a.mbs, "Micro-batch size");
  number("--gbs", a.gbs, "Global batch size");
  number("--seq", a.seq, "Sequence length; 4096 when not given");
  number("--gpus", a.gpus, "GPUs; the fewest that the sizes need when not given");
  command.add_option("--recompute", a.recompute, "Modules to recompute (moe_act,layernorm ...), or full")
      ->delimiter(',')
      ->needs(model);
  command.add_option("--precision", a.precision, "bf16, fp8 or mxfp8")->needs(model);
  command.add_option("--dispatcher", a.dispatcher, "alltoall, allgather, deepep or hybridep")->needs(model);
  command.add_option("--layout", a.pipelineLayout, "Pipeline layout string such as Et*3|(tt|)*29m|L")->needs(model);
  command.add_option("--hardware", a.hardware, "GPU such as h100")->needs(model);
}

base::Result<training::Spec> readSpecArguments(const SpecArguments& a) {
  if (!a.file.empty()) return training::readSpecFile(a.file);
  if (a.model.empty()) {
    base::Error error;
    error.code = base::ErrorCode::InvalidArgument;
    error.message = "Neither --spec nor --model is given.";
    return base::fail(error);
  }
  nlohmann::json layout = {{"sequence_parallel", a.tp.value_or(1) > 1}};
  nlohmann::json training = nlohmann::json::object();
  const auto set = [](nlohmann::json& object, const char* name, const std::optional<std::int64_t>& value) {
    if (value) object[name] = *value;
  };
  set(layout, "tp", a.tp);
  set(layout, "pp", a.pp);
  set(layout, "vpp", a.vpp);
  set(layout, "cp", a.cp);
  set(layout, "ep", a.ep);
  set(layout, "etp", a.etp);
  set(layout, "mbs", a.mbs);
  set(layout, "world_size", a.gpus);
  set(training, "global_batch_size", a.gbs);
  set(training, "seq_length", a.seq);
  if (a.recompute.size() == 1 && a.recompute[0] == "full") {
    layout["recompute_granularity"] = "full";
  } else if (!a.recompute.empty()) {
    layout["recompute_granularity"] = "selective";
    layout["recompute_modules"] = a.recompute;
  }
  if (!a.pipelineLayout.empty()) layout["pipeline_model_parallel_layout"] = a.pipelineLayout;
  if (!a.precision.empty()) training["precision"] = a.precision;
  if (a.dispatcher == "deepep" || a.dispatcher == "hybridep") {
    training["moe_token_dispatcher_type"] = "flex";
    training["moe_flex_dispatcher_backend"] = a.dispatcher;
  } else if (!a.dispatcher.empty()) {
    training["moe_token_dispatcher_type"] = a.dispatcher;
  }
  nlohmann::json spec = {{"layout", layout}, {"training", training}};
  if (a.model.ends_with(".json")) {
    auto config = training::readJsonFile(a.model);
    if (!config) return base::fail(config.error());
    spec["shape"] = std::move(*config);
  } else {
    spec["model"] = a.model;
  }
  if (!a.hardware.empty()) spec["hardware"] = a.hardware;
  return training::readSpec(spec);
}

int specExitCode(const base::Error& error) {
  return error.file.empty() ? kWrongUsage : kCannotRead;
}

}  // namespace threewalls::cli
