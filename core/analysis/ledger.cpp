#include "analysis/ledger.h"

namespace threewalls::analysis {
namespace {

constexpr std::array<std::string_view, kLedgerParts.size()> kIds = {"compute",   "exposed_communication", "memory",
                                                                    "idle_host", "idle_profiler",         "idle_other"};
constexpr std::array<std::string_view, kLedgerParts.size()> kLabels = {
    "compute", "exposed communication", "memory operations", "idle, waiting for the host", "idle, profiler", "idle, other"};

}  // namespace

Ledger& Ledger::operator+=(const Ledger& other) {
  duration += other.duration;
  compute += other.compute;
  graph += other.graph;
  communication += other.communication;
  hidden += other.hidden;
  exposed += other.exposed;
  memory += other.memory;
  idle += other.idle;
  hostBoundIdle += other.hostBoundIdle;
  profilerIdle += other.profilerIdle;
  return *this;
}

std::string_view id(LedgerPart part) {
  return kIds[static_cast<std::size_t>(part)];
}
std::string_view label(LedgerPart part) {
  return kLabels[static_cast<std::size_t>(part)];
}

base::Nanoseconds part(const Ledger& ledger, LedgerPart part) {
  switch (part) {
    case LedgerPart::Compute: return ledger.compute;
    case LedgerPart::ExposedCommunication: return ledger.exposed;
    case LedgerPart::Memory: return ledger.memory;
    case LedgerPart::IdleHost: return ledger.hostBoundIdle;
    case LedgerPart::IdleProfiler: return ledger.profilerIdle;
    case LedgerPart::IdleOther: return ledger.otherIdle();
  }
  return base::Nanoseconds{0};
}

}  // namespace threewalls::analysis
