#pragma once

#include "parallel/stages.h"
#include "training/parameters.h"
#include "training/spec.h"
#include "training/upstream_memory.h"

#include <optional>
#include <string>
#include <vector>

namespace threewalls::parallel {

/// Does a layout fit its GPU: our estimate per pipeline stage, and what the trainers' own estimators say.
struct FitEstimate {
  std::vector<Violation> violations;          ///< not empty: no trainer starts this layout, and there are no stages
  std::vector<training::StageMemory> stages;  ///< one per pipeline rank
  std::optional<std::size_t> worstStage;      ///< the largest total
  std::optional<double> usableBytes;          ///< visible memory less the CUDA context; none without known hardware
  std::optional<bool> fits;                   ///< every stage's total within usable
  std::optional<double> headroom;             ///< (usable - largest total) / usable
  training::ParameterCount parameters;        ///< of the whole model, padded vocabulary
  std::optional<double> bridgeBytes;          ///< Bridge's total; none where Bridge refuses
  std::string bridgeRefusal;                  ///< why
  double megatronBytes = 0;                   ///< Megatron-LM's total, by the activation formula of its report
  std::vector<std::string> assumptions;       ///< one sentence each, for people
};

/// CUDA context and driver, taken off the visible memory. Assumption (hardware.json plans 3 to 6 GiB with NCCL and dispatcher).
inline constexpr double kContextBytes = 0.6 * 1024 * 1024 * 1024;

FitEstimate fit(const training::Spec& spec);

}  // namespace threewalls::parallel
