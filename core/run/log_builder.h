#pragma once

#include "run/line_reader.h"
#include "run/training_log.h"

#include <deque>
#include <map>
#include <optional>

namespace threewalls::run {

/// Takes the lines of the files of a run one after another and keeps what it knows of.
class LogBuilder {
 public:
  void beginFile(const std::string& path);
  void add(const LogText& line);
  void note(base::Severity severity, std::string code, std::string message, std::uint64_t line);
  /// Marks, counts and diagnoses (log_marks.h); leaves the builder empty.
  TrainingLog finish() &&;

 private:
  void addIteration(std::optional<IterationRecord> record, const RecordSpan& span, const LogText& line, std::optional<int> rank);
  void addMemory(const RecordSpan& span, const LogText& line);
  void addStepTime(const RecordSpan& span, const LogText& line);
  void addTheoretical(const RecordSpan& span, const LogText& line);
  void addValidation(const RecordSpan& span, const LogText& line);
  bool addArgument(std::string_view text);
  bool addProgressRow(std::string_view text);
  void setWorldSize(std::optional<std::int64_t> ranks);
  void placeInAttempt(IterationLine& line);
  void pairStepTimes();
  std::size_t file() const { return m_log.files.size() - 1; }

  TrainingLog m_log;
  bool m_inArguments = false;
  bool m_bannerSeen = false;    ///< a start-up line since the last iteration line
  bool m_barsEndLines = false;  ///< this trainer ends iteration lines with a bar
  int m_attempt = 1;
  std::int64_t m_highest = -1;               ///< iteration of this attempt
  std::map<int, std::int64_t> m_lastOfRank;  ///< by label, -1 without one, in this attempt
  std::deque<std::size_t> m_unpairedIterations;
  std::deque<std::size_t> m_unpairedStepTimes;
};

}  // namespace threewalls::run
