#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace threewalls::analysis {

/// The eight colour classes of the timeline (timeline_ui.md section 9), in palette order.
enum class ColourClass : std::uint8_t { Attention, DenseGemm, ExpertGemm, Dispatch, Combine, OtherCollective, Memory, Other };
constexpr std::size_t kColourClassCount = 8;
/// "attention", "dense GEMM", ... as legends show it.
std::string_view toText(ColourClass colour);

/// One category of kernels.json.
struct KernelClass {
  std::string id;     ///< "gemm.dense"
  std::string group;  ///< "compute", "communication", "moe_overhead", ...
  std::string label;  ///< "Dense GEMM"
  bool isCommunication = false;
  bool isWait = false;    ///< spins for peers: communication, shown apart as skew
  bool isMemory = false;  ///< memcpy and memset within one device or between host and device
  bool isGemm = false;
  bool isAttention = false;
  ColourClass colour = ColourClass::Other;
};

using ClassId = std::uint8_t;

/// The rule table: ordered patterns, first match wins, linear-time regular expressions (RE2).
class ClassTable {
 public:
  /// From the text of a kernels.json and of class_colours.json (category id -> colour class). An error names the pattern that
  /// RE2 refuses (look-around and back-references cannot be had in linear time), a category or colour that does not exist.
  static base::Result<std::shared_ptr<const ClassTable>> parse(std::string_view kernelsJson, std::string_view coloursJson);
  /// The table that ships with the program.
  static std::shared_ptr<const ClassTable> builtIn();
  ~ClassTable();

  const std::vector<KernelClass>& classes() const { return m_classes; }
  const KernelClass& operator[](ClassId id) const { return m_classes[id]; }
  ClassId unclassified() const { return m_unclassified; }
  /// Class of a GPU event's name, normalised first ("(anonymous namespace)", "<unnamed>", blanks).
  ClassId classify(std::string_view name) const;

 private:
  ClassTable();
  struct Rules;
  std::vector<KernelClass> m_classes;
  ClassId m_unclassified = 0;
  std::unique_ptr<const Rules> m_rules;
};

/// A kernel name as the patterns see it: without "(anonymous namespace)::" and "<unnamed>::", blanks folded into one.
std::string normalisedKernelName(std::string_view name);

/// Class of every name of a trace that a GPU event has: rules run once per distinct name. Other names are unclassified.
class Classification {
 public:
  Classification() = default;
  Classification(const trace::Trace& trace, std::shared_ptr<const ClassTable> table);

  const ClassTable& table() const { return *m_table; }
  ClassId of(trace::NameId name) const { return m_byName[trace::index(name)]; }
  const KernelClass& classOf(trace::NameId name) const { return (*m_table)[of(name)]; }
  /// Colour of an event: by class for GPU events, Other for everything else.
  ColourClass colour(trace::NameId name, trace::EventKind kind) const {
    return trace::isGpuEvent(kind) ? classOf(name).colour : ColourClass::Other;
  }

 private:
  std::shared_ptr<const ClassTable> m_table;
  std::vector<ClassId> m_byName;
};

}  // namespace threewalls::analysis
