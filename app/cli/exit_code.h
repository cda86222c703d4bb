#pragma once

namespace threewalls::cli {

/// Exit codes of the command line contract.
enum ExitCode : int {
  kDone = 0,
  kAnswerIsNo = 1,  ///< done, and the answer is "no"
  kWrongUsage = 2,
  kCannotRead = 3,  ///< an input could not be read at all
  kInternalError = 4,
};

}  // namespace threewalls::cli
