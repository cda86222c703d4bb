#include "trace/piece_names.h"

#include "trace/json_text.h"

#include <xxhash.h>

namespace threewalls::trace {

NameId PieceNames::intern(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return internText(raw);
  return internText(unescapeJson(raw));
}

NameId PieceNames::internText(std::string_view text) {
  if (2 * (m_texts.size() + 1) > m_slots.size()) grow();
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  const std::size_t mask = m_slots.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t entry = m_slots[slot];
    if (entry == 0) {
      m_texts.emplace_back(text);
      m_hashes.push_back(hash);
      m_slots[slot] = static_cast<std::uint32_t>(m_texts.size());
      return NameId(static_cast<std::uint32_t>(m_texts.size() - 1));
    }
    if (m_hashes[entry - 1] == hash && m_texts[entry - 1] == text) return NameId(entry - 1);
  }
}

void PieceNames::grow() {
  m_slots.assign(m_slots.empty() ? 1024 : m_slots.size() * 2, 0);
  const std::size_t mask = m_slots.size() - 1;
  for (std::size_t i = 0; i < m_hashes.size(); ++i) {
    std::size_t slot = m_hashes[i] & mask;
    while (m_slots[slot] != 0) slot = (slot + 1) & mask;
    m_slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace threewalls::trace
