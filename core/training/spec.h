#pragma once

#include "base/result.h"
#include "training/layout.h"
#include "training/model_shape.h"
#include "training/presets.h"
#include "training/step_options.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace threewalls::training {

/// A model, how it is spread, what a step works on, and the GPU: what `flops` and `fit` are asked about.
struct Spec {
  ModelShape shape;
  Layout layout;
  Batch batch;
  StepOptions options;
  std::int64_t flopsTensorParallel = 1;  ///< TP that pads the vocabulary for FLOPs: training's own, else the layout's
  std::optional<Hardware> hardware;
};

/// Reads {"shape": {...} or "model": PRESET, "layout": {...}, "training": {...}, "hardware": "h100"}; all but the model may be
/// absent. Errors name the field.
base::Result<Spec> readSpec(const nlohmann::json& spec);

/// The JSON of a file; the error's `file` is set, and says where the JSON breaks off.
base::Result<nlohmann::json> readJsonFile(const std::string& path);

/// readSpec of a file; the error's `file` is set.
base::Result<Spec> readSpecFile(const std::string& path);

}  // namespace threewalls::training
