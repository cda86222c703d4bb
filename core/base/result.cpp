#include "base/result.h"

namespace threewalls::base {

std::string Error::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line) {
      out += ":" + std::to_string(*line);
    } else if (byteOffset) {
      out += ": byte " + std::to_string(*byteOffset);
    }
    out += ": ";
  }
  out += message;
  if (!hint.empty()) out += " " + hint;
  return out;
}

}  // namespace threewalls::base
