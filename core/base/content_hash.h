#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace threewalls::base {

/// Incremental 128-bit content hash (XXH3) of a file's bytes as stored; a fingerprint for caches and provenance, not for
/// security.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;

  void add(const void* data, std::size_t size);
  /// 32 lower-case hexadecimal digits of everything added so far.
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace threewalls::base
