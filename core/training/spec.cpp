#include "training/spec.h"

#include "training/field_reader.h"
#include "training/hugging_face.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace threewalls::training {
namespace {

using Json = nlohmann::json;

base::Result<ModelShape> readModel(FieldReader& reader) {
  if (const Json* shape = reader.find({"shape"}))
    return isHuggingFaceConfig(*shape) ? readHuggingFaceConfig(*shape) : readShape(*shape);
  const auto name = reader.text({"model"});
  if (reader.error()) return base::fail(*reader.error());
  if (name) {
    auto found = preset(*name);
    if (!found) return base::fail(found.error());
    return std::move(found->shape);
  }
  reader.reject("shape", "is missing", "Give a shape or the name of a model.");
  return base::fail(*reader.error());
}

}  // namespace

base::Result<Spec> readSpec(const Json& json) {
  FieldReader reader(json, "spec");
  if (reader.error()) return base::fail(*reader.error());
  const auto shape = readModel(reader);
  if (!shape) return base::fail(shape.error());
  const Json empty = Json::object();
  const auto object = [&](const char* name) -> const Json& {
    const Json* found = reader.find({name});
    return found != nullptr ? *found : empty;
  };
  const auto layout = readLayout(object("layout"));
  if (!layout) return base::fail(layout.error());
  const auto batch = readBatch(object("training"), *layout);
  if (!batch) return base::fail(batch.error());
  const auto options = readStepOptions(object("training"), object("layout"));
  if (!options) return base::fail(options.error());
  Spec spec{*shape, *layout, *batch, *options, layout->tp, std::nullopt};
  FieldReader training(object("training"), "training");
  spec.flopsTensorParallel = training.integerOr({"tensor_model_parallel_size", "tp"}, layout->tp, 1, 1 << 20);
  if (training.error()) return base::fail(*training.error());
  if (const auto name = reader.text({"hardware"})) {
    auto found = hardware(*name);
    if (!found) return base::fail(found.error());
    spec.hardware = std::move(*found);
  }
  if (reader.error()) return base::fail(*reader.error());
  return spec;
}

base::Result<Json> readJsonFile(const std::string& path) {
  base::Error error;
  error.file = path;
  error.code = base::ErrorCode::CannotRead;
  error.message = "The file cannot be read.";
  try {
    std::ifstream file(path, std::ios::binary);
    if (!file) return base::fail(error);
    return Json::parse(file);
  } catch (const Json::parse_error& problem) {
    error.code = base::ErrorCode::BadData;
    error.message = "The file is no JSON.";
    error.byteOffset = problem.byte;
  } catch (const std::ios_base::failure&) {  // a folder opens and then cannot be read
  }
  return base::fail(error);
}

base::Result<Spec> readSpecFile(const std::string& path) {
  const auto json = readJsonFile(path);
  if (!json) return base::fail(json.error());
  auto spec = readSpec(*json);
  if (!spec) {
    base::Error error = spec.error();
    error.file = path;
    return base::fail(error);
  }
  return spec;
}

}  // namespace threewalls::training
