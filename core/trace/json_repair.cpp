#include "trace/json_repair.h"

namespace threewalls::trace {
namespace {

/// Length of the valid UTF-8 sequence that starts at `at` with a byte of 0x80 or more; 0 when there is none.
std::size_t sequenceLength(const unsigned char* at, std::size_t left) {
  const auto follows = [&](std::size_t i, unsigned low, unsigned high) { return i < left && at[i] >= low && at[i] <= high; };
  const unsigned char lead = at[0];
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

}  // namespace

TextRepairs repairText(char* text, std::size_t size) {
  TextRepairs repairs;
  auto* const bytes = reinterpret_cast<unsigned char*>(text);
  bool inString = false;
  bool escaped = false;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char c = bytes[i];
    if (c >= 0x80) {
      const std::size_t length = sequenceLength(bytes + i, size - i);
      if (length > 0) {
        i += length - 1;
      } else {
        bytes[i] = '?';
        ++repairs.badBytes;
        if (!repairs.firstBadByte) repairs.firstBadByte = i;
      }
      escaped = false;
      continue;
    }
    if (c < 0x20 && (inString || (c != '\n' && c != '\t' && c != '\r'))) {
      bytes[i] = ' ';
      ++repairs.controls;
      if (!repairs.firstControl) repairs.firstControl = i;
    }
    if (escaped) {
      escaped = false;
    } else if (c == '\\') {
      escaped = inString;
    } else if (c == '"') {
      inString = !inString;
    }
  }
  return repairs;
}

}  // namespace threewalls::trace
