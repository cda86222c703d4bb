#include "base/content_hash.h"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <new>

namespace threewalls::base {

struct ContentHash::State {
  XXH3_state_t* xxh = XXH3_createState();
};

ContentHash::ContentHash() : m_state(std::make_unique<State>()) {
  if (m_state->xxh == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(m_state->xxh);
}

ContentHash::~ContentHash() {
  XXH3_freeState(m_state->xxh);
}

void ContentHash::add(const void* data, std::size_t size) {
  XXH3_128bits_update(m_state->xxh, data, size);
}

std::string ContentHash::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(m_state->xxh);
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

}  // namespace threewalls::base
