#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace threewalls::trace {

/// Reads all of a trace document but its events, from parts of any size: the keys of the top-level object and their values as
/// text. Stops where the event list begins.
class TopLevelScanner {
 public:
  enum class Stop : std::uint8_t {
    NeedMore,  ///< the part was used up
    Events,    ///< the list's opening bracket was read; feed on behind its closing one after eventsEnded()
    End,       ///< the document ended
    NotJson,   ///< what stands here is no JSON document
  };
  struct Step {
    Stop stop = Stop::NeedMore;
    std::size_t consumed = 0;
  };

  Step feed(std::string_view text);
  void eventsEnded() { m_state = m_bareArray ? State::Done : State::Key; }

  bool bareArray() const { return m_bareArray; }
  bool inDocument() const { return m_state != State::Start; }
  /// Key whose value is being read or was read last, as it stands in the file.
  const std::string& key() const { return m_key; }
  /// Keys and values as they stand in the file, without the events; values of more than 1 MiB are left out.
  const std::vector<std::pair<std::string, std::string>>& entries() const { return m_entries; }

 private:
  enum class State : std::uint8_t { Start, Key, InKey, Colon, Value, InScalar, InString, InNested, Done };

  /// Takes one character; NeedMore to go on.
  Stop take(char c);
  void beginValue(char c);
  void keep(char c);
  void endValue();
  /// Follows escapes within a string; true when `c` ends it.
  bool endsString(char c);

  State m_state = State::Start;
  bool m_bareArray = false;
  bool m_escaped = false;
  bool m_nestedString = false;
  std::size_t m_depth = 0;
  std::string m_key;
  std::string m_value;
  std::vector<std::pair<std::string, std::string>> m_entries;
};

}  // namespace threewalls::trace
