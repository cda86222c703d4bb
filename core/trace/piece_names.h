#pragma once

#include "trace/event.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::trace {

/// Names of one piece of text, numbered from 0 by first sight. Looked up by a hash of the text as it stands in the file, so that
/// a known name costs neither unescaping nor allocation.
class PieceNames {
 public:
  /// `raw` stands between the quotes of a JSON string.
  NameId intern(std::string_view raw);
  const std::vector<std::string>& texts() const { return m_texts; }

 private:
  NameId internText(std::string_view text);
  void grow();

  std::vector<std::string> m_texts;
  std::vector<std::uint64_t> m_hashes;
  std::vector<std::uint32_t> m_slots;  ///< index into m_texts plus one; 0 is free
};

}  // namespace threewalls::trace
