#pragma once

#include "trace/raw_text.h"

#include <memory>
#include <string>
#include <string_view>

namespace threewalls::test {

/// Contents of a file, inflated when it is a .gz; empty when it cannot be read.
std::string fileContents(const std::string& path);

/// These bytes behind a descriptor, as importers get them.
std::shared_ptr<const trace::RawText> rawText(std::string_view bytes);

}  // namespace threewalls::test
