#include "trace/memory/pickle_reader.h"

#include <algorithm>
#include <limits>
#include <string>

namespace threewalls::trace::memory {
namespace {

constexpr std::uint64_t kLargestPickle = std::uint64_t{2} << 30;
constexpr std::size_t kMostPairs = 256;  ///< looked at for a key: one shared dictionary must not make reading quadratic

base::Error problem(base::ErrorCode code, std::string message, std::size_t at) {
  base::Error error{code, std::move(message)};
  error.byteOffset = at;
  return error;
}

std::string hex(unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Opcodes that import, call or build objects, by name, so that the message can say what was refused.
const char* codeOpcode(unsigned char op) {
  switch (op) {
    case 'c': return "GLOBAL";
    case 0x93: return "STACK_GLOBAL";
    case 'R': return "REDUCE";
    case 'b': return "BUILD";
    case 'i': return "INST";
    case 'o': return "OBJ";
    case 0x81: return "NEWOBJ";
    case 0x92: return "NEWOBJ_EX";
    case 0x82: return "EXT1";
    case 0x83: return "EXT2";
    case 0x84: return "EXT4";
    case 'P': return "PERSID";
    case 'Q': return "BINPERSID";
    default: return nullptr;
  }
}

}  // namespace

/// The stack machine behind read(). Every opcode takes at least a byte and makes at most one value, so the file's size bounds
/// all.
class PickleData::Machine {
 public:
  Machine(std::string_view bytes, PickleData& out) : m_bytes(bytes), m_out(out) { m_out.m_bytes = bytes; }

  /// None when all went well.
  std::optional<base::Error> run() {
    if (m_bytes.size() < 2 || m_bytes[0] != '\x80')
      return problem(base::ErrorCode::UnknownFormat, "This is no pickle of protocol 2 or later.", 0);
    while (m_at < m_bytes.size()) {
      m_opcodeAt = m_at;
      const auto op = static_cast<unsigned char>(m_bytes[m_at++]);
      if (op == '.') {
        if (m_stack.empty()) return damaged("it ends without a value");
        m_out.m_root = m_stack.back();
        return std::nullopt;
      }
      if (auto error = step(op)) return error;
    }
    return damaged("it ends in the middle");
  }

 private:
  std::optional<base::Error> damaged(const std::string& why) const {
    return problem(base::ErrorCode::BadData, "The pickle is damaged: " + why + ".", m_opcodeAt);
  }

  bool need(std::uint64_t count) const { return count <= m_bytes.size() - m_at; }

  /// Little-endian number of `count` bytes, at most 8.
  std::uint64_t take(unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(m_bytes[m_at + i])) << (8 * i);
    m_at += count;
    return value;
  }

  void push(Kind kind, std::int64_t number = 0, std::uint64_t size = 0) {
    m_stack.push_back(static_cast<Ref>(m_out.m_nodes.size()));
    m_out.m_nodes.push_back({kind, number, size});
  }
  void pushList(Kind kind, std::vector<Ref> items = {}) {
    push(kind, static_cast<std::int64_t>(m_out.m_items.size()));
    m_out.m_items.push_back(std::move(items));
  }

  /// Values above the last mark, which goes; none without a mark.
  std::optional<std::vector<Ref>> popToMark() {
    if (m_marks.empty() || m_marks.back() > m_stack.size()) return std::nullopt;
    const auto from = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<Ref> values(from, m_stack.end());
    m_stack.erase(from, m_stack.end());
    m_marks.pop_back();
    return values;
  }

  /// Values above the base of the current mark, so that opcodes cannot reach below it.
  std::size_t depth() const {
    return m_stack.size() - std::min(m_stack.size(), m_marks.empty() ? std::size_t{0} : m_marks.back());
  }

  std::optional<base::Error> appendTo(Kind kind, std::vector<Ref> values) {
    if (depth() == 0) return damaged("an item has no container");
    Node& node = m_out.m_nodes[m_stack.back()];
    if (node.kind != kind) return damaged("an item has no container of its kind");
    if (kind == Kind::Dict && values.size() % 2 != 0) return damaged("a key has no value");
    std::vector<Ref>& items = m_out.m_items[static_cast<std::size_t>(node.number)];
    items.insert(items.end(), values.begin(), values.end());
    return std::nullopt;
  }

  std::optional<base::Error> pushText(unsigned sizeBytes) {
    if (!need(sizeBytes)) return damaged("a text is cut off");
    const std::uint64_t size = take(sizeBytes);
    if (!need(size)) return damaged("a text is cut off");
    push(Kind::Text, static_cast<std::int64_t>(m_at), size);
    m_at += size;
    return std::nullopt;
  }

  std::optional<base::Error> pushInteger(unsigned sizeBytes, bool isSigned) {
    if (!need(sizeBytes)) return damaged("a number is cut off");
    std::uint64_t value = take(sizeBytes);
    if (isSigned && sizeBytes > 0 && sizeBytes < 8 && (value >> (8 * sizeBytes - 1)) != 0)
      value |= ~std::uint64_t{0} << (8 * sizeBytes);
    push(Kind::Integer, static_cast<std::int64_t>(value));
    return std::nullopt;
  }

  std::optional<base::Error> pushLong(unsigned sizeBytes) {
    if (!need(sizeBytes)) return damaged("a number is cut off");
    const std::uint64_t size = take(sizeBytes);
    if (!need(size)) return damaged("a number is cut off");
    if (size <= 8) return pushInteger(static_cast<unsigned>(size), true);
    push(Kind::Integer, 0, 1);
    m_at += size;
    return std::nullopt;
  }

  std::optional<base::Error> memoGet(unsigned sizeBytes) {
    if (!need(sizeBytes)) return damaged("a memo number is cut off");
    const std::uint64_t number = take(sizeBytes);
    if (number >= m_memo.size() || m_memo[number] == kNoValue) return damaged("it refers to a value that was not remembered");
    m_stack.push_back(m_memo[number]);
    return std::nullopt;
  }

  std::optional<base::Error> memoPut(std::uint64_t number) {
    if (depth() == 0) return damaged("there is nothing to remember");
    if (number > m_at) return damaged("a memo number is larger than the file");
    if (number >= m_memo.size()) m_memo.resize(number + 1, kNoValue);
    m_memo[number] = m_stack.back();
    return std::nullopt;
  }

  std::optional<base::Error> tuple(std::size_t count) {
    if (depth() < count) return damaged("a tuple lacks items");
    std::vector<Ref> items(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end());
    m_stack.resize(m_stack.size() - count);
    pushList(Kind::List, std::move(items));
    return std::nullopt;
  }

  std::optional<base::Error> markedList(Kind kind) {
    auto items = popToMark();
    if (!items || (kind == Kind::Dict && items->size() % 2 != 0)) return damaged("a list has no beginning");
    pushList(kind, std::move(*items));
    return std::nullopt;
  }

  std::optional<base::Error> markedAppend(Kind kind) {
    auto items = popToMark();
    if (!items) return damaged("items have no beginning");
    return appendTo(kind, std::move(*items));
  }

  std::optional<base::Error> singleAppend(Kind kind, std::size_t count) {
    if (depth() <= count) return damaged("an item has no container");
    std::vector<Ref> items(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end());
    m_stack.resize(m_stack.size() - count);
    return appendTo(kind, std::move(items));
  }

  std::optional<base::Error> step(unsigned char op) {
    switch (op) {
      case 0x80:  // PROTO
        if (!need(1) || take(1) > 5) return damaged("its protocol is not known");
        return std::nullopt;
      case 0x95:  // FRAME: only a hint for readers that load by blocks
        if (!need(8)) return damaged("a frame is cut off");
        m_at += 8;
        return std::nullopt;
      case '(': m_marks.push_back(m_stack.size()); return std::nullopt;
      case '0':  // POP
        if (depth() == 0) return damaged("there is nothing to drop");
        m_stack.pop_back();
        return std::nullopt;
      case '1': return popToMark() ? std::nullopt : damaged("there is no mark");
      case 'N': push(Kind::None); return std::nullopt;
      case 0x88: push(Kind::Bool, 1); return std::nullopt;
      case 0x89: push(Kind::Bool, 0); return std::nullopt;
      case 'J': return pushInteger(4, true);
      case 'K': return pushInteger(1, false);
      case 'M': return pushInteger(2, false);
      case 0x8a: return pushLong(1);
      case 0x8b: return pushLong(4);
      case 'G':  // BINFLOAT: kept as bits, nothing here needs reals
        if (!need(8)) return damaged("a number is cut off");
        push(Kind::Real, static_cast<std::int64_t>(take(8)));
        return std::nullopt;
      case 0x8c:
      case 'U':
      case 'C': return pushText(1);
      case 'X':
      case 'T':
      case 'B': return pushText(4);
      case 0x8d:
      case 0x8e:
      case 0x96: return pushText(8);
      case '}': pushList(Kind::Dict); return std::nullopt;
      case ']':
      case ')':
      case 0x8f: pushList(Kind::List); return std::nullopt;
      case 'd': return markedList(Kind::Dict);
      case 'l':
      case 't':
      case 0x91: return markedList(Kind::List);
      case 0x85: return tuple(1);
      case 0x86: return tuple(2);
      case 0x87: return tuple(3);
      case 'a': return singleAppend(Kind::List, 1);
      case 's': return singleAppend(Kind::Dict, 2);
      case 'e':
      case 0x90: return markedAppend(Kind::List);
      case 'u': return markedAppend(Kind::Dict);
      case 'h': return memoGet(1);
      case 'j': return memoGet(4);
      case 'q': return need(1) ? memoPut(take(1)) : damaged("a memo number is cut off");
      case 'r': return need(4) ? memoPut(take(4)) : damaged("a memo number is cut off");
      case 0x94: return memoPut(m_memo.size());
      default: break;
    }
    if (const char* name = codeOpcode(op)) {
      return problem(base::ErrorCode::Unsupported,
                     "The pickle wants to run code (" + std::string(name) + "); nothing of it was run or read.", m_opcodeAt);
    }
    return damaged("opcode " + hex(op) + " is not known");
  }

  static constexpr Ref kNoValue = std::numeric_limits<Ref>::max();
  std::string_view m_bytes;
  PickleData& m_out;
  std::size_t m_at = 0;
  std::size_t m_opcodeAt = 0;
  std::vector<Ref> m_stack;
  std::vector<std::size_t> m_marks;
  std::vector<Ref> m_memo;
};

base::Result<PickleData> PickleData::read(std::string_view bytes) {
  if (bytes.size() > kLargestPickle)
    return base::fail(problem(base::ErrorCode::Unsupported, "The pickle is larger than 2 GiB.", 0));
  PickleData out;
  if (auto error = Machine(bytes, out).run()) return base::fail(std::move(*error));
  return out;
}

std::optional<std::int64_t> PickleData::integer(Ref value) const {
  const Node& node = m_nodes[value];
  if (node.kind != Kind::Integer || node.size != 0) return std::nullopt;
  return node.number;
}

std::string_view PickleData::text(Ref value) const {
  const Node& node = m_nodes[value];
  return node.kind == Kind::Text ? m_bytes.substr(static_cast<std::size_t>(node.number), node.size) : std::string_view();
}

const std::vector<PickleData::Ref>& PickleData::items(Ref value) const {
  static const std::vector<Ref> none;
  const Node& node = m_nodes[value];
  return node.kind == Kind::List || node.kind == Kind::Dict ? m_items[static_cast<std::size_t>(node.number)] : none;
}

std::optional<PickleData::Ref> PickleData::member(Ref value, std::string_view key) const {
  if (kind(value) != Kind::Dict) return std::nullopt;
  const std::vector<Ref>& pairs = items(value);
  for (std::size_t i = 0; i + 1 < std::min(pairs.size(), kMostPairs); i += 2) {
    if (text(pairs[i]) == key && kind(pairs[i]) == Kind::Text) return pairs[i + 1];
  }
  return std::nullopt;
}

}  // namespace threewalls::trace::memory
