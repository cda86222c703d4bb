#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/ncu/kernel_metrics.h"

#include <string>
#include <string_view>

namespace threewalls::trace::ncu {

/// True when the text holds the header line of an Nsight Compute CSV; lines of the profiled program may stand before it.
bool recognised(std::string_view text);

/// Reads `ncu --csv` output: the wide form (`--page raw`, a row per launch, units in the second row) and the long form
/// (`--page details` or chosen metrics, a row per launch and metric). `==ERROR==` and `==WARNING==` lines become diagnostics.
/// An error when there is no header or no launch.
base::Result<NcuReport> readNcuCsv(std::string_view text, const std::string& file, const base::Progress& progress = {});

/// readNcuCsv() of a stored file, which may be a .gz.
base::Result<NcuReport> openNcuCsv(const std::string& path, const base::Progress& progress = {});

}  // namespace threewalls::trace::ncu
