#pragma once

#include <optional>
#include <string>
#include <vector>

namespace threewalls::test {

/// Path of a file of the repository, such as "resources/sample/loop.pt.trace.json.gz".
std::string repositoryFile(const std::string& relative);

/// Path of a file or folder of the developers' shared material ("traces/kineto/..."): looked for in $THREEWALLS_SHARED, then in
/// ../shared beside the repository. None where it does not exist: such a test says SKIP.
std::optional<std::string> sharedFile(const std::string& relative);

/// All files below a shared folder, sorted; empty when it does not exist.
std::vector<std::string> sharedFilesBelow(const std::string& relative);

}  // namespace threewalls::test
