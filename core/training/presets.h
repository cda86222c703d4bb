#pragma once

#include "base/result.h"
#include "training/model_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace threewalls::training {

/// A model of resources/facts/models.json.
struct Preset {
  std::string id;  ///< "deepseek-v3"
  std::string name;
  ModelShape shape;
};

/// All presets in the order of the file; a preset that cannot be read is a bug of the file and an error.
base::Result<std::vector<Preset>> presets();

/// The preset with this id (case does not matter); the error lists the ids that there are.
base::Result<Preset> preset(std::string_view id);

/// A GPU type of resources/facts/hardware.json.
struct Hardware {
  std::string id;
  std::string name;
  double visibleBytes = 0;  ///< what a process can see of the memory; 0 where it is not known
  std::int64_t gpusPerNode = 8;
  std::int64_t nvlinkDomain = 8;
};

/// The GPU type with this id or alias (case does not matter: "h100"); the error lists the ids that there are.
base::Result<Hardware> hardware(std::string_view id);

}  // namespace threewalls::training
