#include "support/synthetic_trace.h"

#include "trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace threewalls::test {
namespace {

using trace::EventKind;

struct Work {
  const char* layer;
  const char* op;
  const char* kernel;
  EventKind kind;
  std::int64_t duration;  ///< ns, typical
};

constexpr std::array kCompute = {
    Work{"input_layernorm", "aten::rms_norm",
         "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, true>(int)",
         EventKind::Kernel, 9'000},
    Work{"self_attention", "aten::linear", "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT", EventKind::Kernel, 116'000},
    Work{"self_attention", "flash_attn::_flash_attn_forward",
         "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
         "cutlass::bfloat16_t>>(Flash_fwd_params)",
         EventKind::Kernel, 240'000},
    Work{"router", "aten::topk",
         "void at::native::sbtopk::gatherTopK<float, unsigned int, 2, false>(at::cuda::detail::TensorInfo)", EventKind::Kernel,
         14'000},
    Work{"permute", "aten::index_select", "void moe_permute_kernel<c10::BFloat16, 8>(c10::BFloat16 const*, int const*, int)",
         EventKind::Kernel, 31'000},
    Work{"experts", "aten::_grouped_mm",
         "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::GroupProblemShape<cute::tuple<int, "
         "int, int>>>>(Params)",
         EventKind::Kernel, 410'000},
    Work{"experts", "aten::silu",
         "void at::native::vectorized_elementwise_kernel<4, at::native::silu_kernel(at::TensorIteratorBase&)>(int)",
         EventKind::Kernel, 12'000},
    Work{"optimizer", "aten::_fused_adamw_",
         "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>()", EventKind::Kernel, 55'000},
};
constexpr std::array kCommunication = {
    Work{"dispatch", "DeepEP::dispatch", "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*, int*)",
         EventKind::Kernel, 170'000},
    Work{"combine", "DeepEP::combine", "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(__nv_bfloat16*)",
         EventKind::Kernel, 190'000},
    Work{"grad_sync", "c10d::_reduce_scatter_base_",
         "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", EventKind::Kernel, 330'000},
};
constexpr std::array kCopies = {
    Work{"offload", "aten::copy_", "Memcpy DtoH (Device -> Pinned)", EventKind::MemoryCopy, 21'000},
    Work{"offload", "aten::zero_", "Memset (Device)", EventKind::MemorySet, 2'000},
};

constexpr std::uint32_t kStreams = 32;
constexpr std::uint32_t kStreamsPerDevice = 4;
constexpr std::uint64_t kEventsPerLaunch = 4;  ///< layer annotation, operator, call, GPU event
constexpr std::uint64_t kSteps = 20;

/// A small generator of our own: the standard distributions differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_state(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::int64_t below(std::int64_t limit) {
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return static_cast<std::int64_t>((m_state >> 11) % static_cast<std::uint64_t>(limit));
  }

 private:
  std::uint64_t m_state;
};

const Work& pick(std::uint32_t stream, std::uint64_t launch) {
  const std::uint32_t role = stream % kStreamsPerDevice;
  if (role == 2) return kCommunication[launch % kCommunication.size()];
  if (role == 3) return kCopies[launch % kCopies.size()];
  return kCompute[launch % kCompute.size()];
}

}  // namespace

std::shared_ptr<const trace::Trace> syntheticTrace(std::uint64_t events, std::uint32_t seed) {
  trace::TraceBuilder builder;
  builder.info.format = "synthetic";
  builder.info.rank = 0;
  builder.info.worldSize = 1;
  for (int device = 0; device < static_cast<int>(kStreams / kStreamsPerDevice); ++device) {
    builder.info.devices.push_back({device, "Synthetic GPU", 141ULL << 30, 132});
  }
  const std::uint64_t launches = std::max<std::uint64_t>(1, events / kEventsPerLaunch / kStreams);
  std::int64_t correlation = 0;
  for (std::uint32_t s = 0; s < kStreams; ++s) {
    Random random(seed * 1000ULL + s + 1);
    const auto host = builder.lane({trace::LaneKind::HostThread, "1000", std::to_string(2000 + s), -1});
    const auto gpu = builder.lane({trace::LaneKind::GpuStream, "", std::to_string(7 + s % kStreamsPerDevice * 10),
                                   static_cast<int>(s / kStreamsPerDevice)});
    std::vector<trace::RawEvent> hostEvents;
    std::vector<trace::RawEvent> gpuEvents;
    hostEvents.reserve(launches * (kEventsPerLaunch - 1) + kSteps);
    gpuEvents.reserve(launches);
    const auto event = [&](std::int64_t start, std::int64_t end, std::int64_t id, std::string_view name, EventKind kind) {
      return trace::RawEvent{start, end - start, trace::kNoOffset, id, builder.intern(name), kind, 0};
    };

    std::int64_t now = 1'000'000;
    std::int64_t gpuFree = now;
    std::int64_t stepStart = now;
    for (std::uint64_t i = 0; i < launches; ++i) {
      const Work& work = pick(s, i);
      const std::int64_t layer = now;
      const std::int64_t op = layer + 400 + random.below(600);
      const std::int64_t call = op + 2'000 + random.below(6'000);
      const std::int64_t called = call + 3'500 + random.below(3'000);
      const std::int64_t layerEnd = called + 1'500 + random.below(1'500);
      hostEvents.push_back(event(layer, layerEnd, -1, work.layer, EventKind::Annotation));
      hostEvents.push_back(event(op, called + 700, -1, work.op, EventKind::Operator));
      const bool copy = work.kind != EventKind::Kernel;
      hostEvents.push_back(
          event(call, called, correlation, copy ? "cudaMemcpyAsync" : "cudaLaunchKernel", EventKind::RuntimeCall));

      const std::int64_t start = std::max(called + 1'200, gpuFree + 900 + random.below(400));
      const std::int64_t end = start + work.duration / 2 + random.below(work.duration);
      gpuEvents.push_back(event(start, end, correlation++, work.kernel, work.kind));
      gpuFree = end;
      // The host runs ahead of the device by a bounded queue, as a real one does; at times it stalls.
      now = std::max(layerEnd + 500, gpuFree - 3'000'000) + (random.below(500) == 0 ? 1'000'000 : 0);
      const std::uint64_t step = i * kSteps / launches;
      if (s == 0 && (i + 1) * kSteps / launches != step) {
        hostEvents.push_back(event(stepStart, now, -1, "ProfilerStep#" + std::to_string(step), EventKind::Annotation));
        stepStart = now;
      }
    }
    builder.add(host, std::move(hostEvents));
    builder.add(gpu, std::move(gpuEvents));
  }
  return std::move(builder).build();
}

}  // namespace threewalls::test
