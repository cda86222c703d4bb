#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace threewalls::trace::memory {

/// The data of a Python pickle of protocol 2 or later, as plain values. A pickle is a program; this runs none of it: opcodes that
/// only build None, booleans, numbers, texts, lists, tuples, sets and dictionaries are known, and the first other one (a class, a
/// call, a persistent id) is an error. Values refer to one another by number, so shared and even cyclic data take no more room
/// than the file; texts point into the bytes that were read.
class PickleData {
 public:
  using Ref = std::uint32_t;
  enum class Kind : std::uint8_t { None, Bool, Integer, Real, Text, List, Dict };

  /// `bytes` must outlive the result. Errors name the byte and the opcode.
  static base::Result<PickleData> read(std::string_view bytes);

  Ref root() const { return m_root; }
  Kind kind(Ref value) const { return m_nodes[value].kind; }
  /// None when it is no integer; integers that do not fit are none, too.
  std::optional<std::int64_t> integer(Ref value) const;
  /// Empty when it is no text.
  std::string_view text(Ref value) const;
  /// Items of a list, tuple or set; of a dictionary keys and values in turn; else empty.
  const std::vector<Ref>& items(Ref value) const;
  /// Value of a text key of a dictionary; none when there is no such key among the first 128 or `value` is no
  /// dictionary.
  std::optional<Ref> member(Ref value, std::string_view key) const;

 private:
  struct Node {
    Kind kind = Kind::None;
    std::int64_t number = 0;  ///< integer, bits of a real, place of a text, number of an item list
    std::uint64_t size = 0;   ///< of a text; 1 for an integer that did not fit
  };
  class Machine;

  std::string_view m_bytes;
  std::vector<Node> m_nodes;
  std::vector<std::vector<Ref>> m_items;
  Ref m_root = 0;
};

}  // namespace threewalls::trace::memory
