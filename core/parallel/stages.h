#pragma once

#include "parallel/violation.h"
#include "training/layout.h"
#include "training/model_shape.h"
#include "training/stage_memory.h"

#include <tl/expected.hpp>

#include <vector>

namespace threewalls::parallel {

/// Every hard rule that a layout breaks for this model: the meshes (mesh.h), layers over stages (pipeline_layout.h,
/// layer_split.h), and MESH-003 to MESH-009 and MESH-015 of rules.json (experts over EP, heads over TP, sequence over CP, batch
/// over DP). Empty: legal.
std::vector<Violation> layoutViolations(const training::ModelShape& shape, const training::Layout& layout,
                                        const training::Batch& batch);

/// What every stage of every pipeline rank holds. Without a layout string the embedding is on the first stage, loss and
/// multi-token prediction on the last. A layout string sets the count of virtual stages when VPP is not given.
tl::expected<training::StageContents, std::vector<Violation>> stageContents(const training::ModelShape& shape,
                                                                            const training::Layout& layout);

}  // namespace threewalls::parallel
