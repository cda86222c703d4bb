#pragma once

#include "trace/trace_builder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace threewalls::test {

/// Small made-up traces for tests: one host thread, streams of GPU 0 unless said otherwise, times in ns.
class TraceMaker {
 public:
  TraceMaker() {
    m_builder.info.file = "made-up";
    m_builder.info.format = "synthetic";
  }

  trace::TraceInfo& info() { return m_builder.info; }

  TraceMaker& gpu(trace::EventKind kind, std::string_view name, std::int64_t start, std::int64_t duration,
                  std::optional<std::int64_t> launch = std::nullopt, int stream = 7, int device = 0) {
    std::int64_t correlation = -1;
    if (launch) {
      correlation = ++m_correlation;
      add({trace::LaneKind::HostThread, "1", "1", -1}, *launch, 1, correlation, "cudaLaunchKernel",
          trace::EventKind::RuntimeCall);
    }
    return add({trace::LaneKind::GpuStream, "", std::to_string(stream), device}, start, duration, correlation, name, kind);
  }
  TraceMaker& kernel(std::string_view name, std::int64_t start, std::int64_t duration,
                     std::optional<std::int64_t> launch = std::nullopt, int stream = 7, int device = 0) {
    return gpu(trace::EventKind::Kernel, name, start, duration, launch, stream, device);
  }
  TraceMaker& marker(int number, std::int64_t start, std::int64_t end) {
    return add({trace::LaneKind::HostThread, "1", "1", -1}, start, end - start, -1, "ProfilerStep#" + std::to_string(number),
               trace::EventKind::Annotation);
  }
  TraceMaker& gpuMarker(int number, std::int64_t start, std::int64_t end) {
    return add({trace::LaneKind::GpuAnnotation, "", "7", 0}, start, end - start, -1, "ProfilerStep#" + std::to_string(number),
               trace::EventKind::GpuAnnotation);
  }
  TraceMaker& overhead(std::int64_t start, std::int64_t duration) {
    return add({trace::LaneKind::Overhead, "", "-1", -1}, start, duration, -1, "Buffer Flush", trace::EventKind::Overhead);
  }

  std::shared_ptr<const trace::Trace> make() { return std::move(m_builder).build(); }

 private:
  TraceMaker& add(const trace::LaneKey& key, std::int64_t start, std::int64_t duration, std::int64_t correlation,
                  std::string_view name, trace::EventKind kind) {
    trace::RawEvent event;
    event.start = start;
    event.duration = duration;
    event.byteOffset = trace::kNoOffset;
    event.correlation = correlation;
    event.name = m_builder.intern(name);
    event.kind = kind;
    m_builder.add(m_builder.lane(key), event);
    return *this;
  }

  trace::TraceBuilder m_builder;
  std::int64_t m_correlation = 0;
};

}  // namespace threewalls::test
