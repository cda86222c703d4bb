#include "timeline/mark_store.h"

#include "common/text.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSaveFile>

#include <limits>

namespace threewalls::timeline {
namespace {

constexpr qint64 kLargestFile = 16 << 20;
/// Times beyond it are no nanoseconds of a trace: sums and differences of them would overflow.
constexpr qint64 kLatest = qint64{1} << 61;
constexpr const char* kFormat = "threewalls marks";
constexpr int kVersion = 1;

QJsonObject toJson(const Mark& mark) {
  QJsonObject entry{{"start_ns", static_cast<qint64>(mark.interval.start.count())},
                    {"end_ns", static_cast<qint64>(mark.interval.end.count())},
                    {"note", mark.note}};
  if (mark.slice) entry["slice"] = QJsonObject{{"name", mark.name}, {"lane", mark.lane}};
  return entry;
}

std::optional<Mark> fromJson(const QJsonValue& value) {
  // toInteger() gives its default for fractions as well.
  constexpr qint64 kNone = std::numeric_limits<qint64>::min();
  const QJsonObject entry = value.toObject();
  const qint64 start = entry["start_ns"].toInteger(kNone);
  const qint64 end = entry["end_ns"].toInteger(kNone);
  if (start < -kLatest || end > kLatest || start > end || !entry["note"].isString()) return std::nullopt;
  Mark mark;
  mark.interval = {base::Nanoseconds(start), base::Nanoseconds(end)};
  mark.note = noteText(entry["note"].toString());
  if (entry.contains("slice")) {
    const QJsonObject slice = entry["slice"].toObject();
    if (!slice["name"].isString() || !slice["lane"].isString()) return std::nullopt;
    mark.slice = true;
    mark.name = slice["name"].toString();
    mark.lane = slice["lane"].toString();
  }
  return mark;
}

QByteArray compact(const QJsonObject& entry) {
  return QJsonDocument(entry).toJson(QJsonDocument::Compact);
}

struct Content {
  bool exists = false;
  bool readable = true;  ///< the bytes
  QJsonArray entries;
  std::string damage;  ///< empty: none
};

Content read(const QString& path) {
  Content content;
  QFile file(path);
  content.exists = file.exists();
  if (!content.exists) return content;
  content.readable = file.open(QIODevice::ReadOnly);
  if (!content.readable) return content;
  if (file.size() > kLargestFile) {
    content.damage = "It is larger than any list of marks.";
    return content;
  }
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
  const QJsonObject root = document.object();
  if (error.error != QJsonParseError::NoError) {
    content.damage = "It is no JSON from byte " + std::to_string(error.offset) + " on.";
  } else if (root["format"].toString() != QLatin1String(kFormat) || !root["marks"].isArray()) {
    content.damage = "It is no list of marks.";
  } else if (root["version"].toInteger() != kVersion) {
    content.damage = "It is of another version of the program.";
  } else {
    content.entries = root["marks"].toArray();
  }
  return content;
}

}  // namespace

QString noteText(const QString& text) {
  return common::toText(text.toUtf8().toStdString());
}

Mark markOf(const trace::Trace& trace, const trace::EventRef& event) {
  const std::string_view name = trace.name(event);
  Mark mark;
  mark.interval = trace.interval(event);
  mark.slice = true;
  mark.name = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  mark.lane = QString::fromStdString(trace.lane(event.lane).label);
  mark.event = event;
  return mark;
}

std::optional<trace::EventRef> findSlice(const trace::Trace& trace, const Mark& mark) {
  if (!mark.slice) return std::nullopt;
  std::optional<trace::EventRef> elsewhere;
  for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane) {
    const auto& subLanes = trace.lanes()[lane].subLanes;
    for (std::uint32_t s = 0; s < subLanes.size(); ++s) {
      const trace::SubLane& events = subLanes[s];
      for (auto i = events.firstStartingAt(mark.interval.start); i < events.size() && events.start(i) == mark.interval.start;
           ++i) {
        const trace::EventRef event{trace::LaneId{lane}, s, i};
        if (events.end(i) != mark.interval.end) continue;
        const Mark found = markOf(trace, event);
        if (found.name != mark.name) continue;
        if (found.lane == mark.lane) return event;
        if (!elsewhere) elsewhere = event;
      }
    }
  }
  return elsewhere;
}

bool MarkStore::keeps(const QString& hash) const {
  // Nothing but a hash may become a file name.
  static const QRegularExpression kHash(QStringLiteral("^[0-9a-f]{8,64}$"));
  return !m_folder.isEmpty() && kHash.match(hash).hasMatch();
}

QString MarkStore::pathOf(const QString& hash) const {
  return QDir(m_folder).filePath(hash + QStringLiteral(".json"));
}

base::Error MarkStore::putAside(const QString& hash, const std::string& why) {
  const QString path = pathOf(hash);
  QString aside = path + QStringLiteral(".damaged");
  for (int i = 2; QFileInfo::exists(aside); ++i) aside = path + QStringLiteral(".damaged-%1").arg(i);
  base::Error error;
  error.code = base::ErrorCode::BadData;
  error.file = path.toStdString();
  if (QFile::rename(path, aside)) {
    error.message = "The file with the marks of a trace is damaged. " + why;
    error.hint = "It was kept as " + aside.toStdString() + "; marks go into a new file from now on.";
  } else {
    m_closed.insert(hash);
    error.message = "The file with the marks of a trace is damaged and cannot be put aside. " + why;
    error.hint = "It stays as it is: marks that are made on this trace now are not saved.";
  }
  return error;
}

MarkStore::Loaded MarkStore::load(const QString& hash) {
  Loaded loaded;
  if (!keeps(hash)) return loaded;
  const Content content = read(pathOf(hash));
  if (!content.exists) return loaded;
  if (!content.readable) {
    m_closed.insert(hash);
    base::Error error;
    error.code = base::ErrorCode::CannotRead;
    error.message = "The file with the marks of a trace cannot be read.";
    error.file = pathOf(hash).toStdString();
    error.hint = "It stays as it is: marks that are made on this trace now are not saved.";
    loaded.error = error;
    return loaded;
  }
  for (const QJsonValue& entry : content.entries) {
    auto mark = fromJson(entry);
    if (!mark) continue;
    // As it stands and as it will be written.
    m_known[hash].insert({compact(entry.toObject()), compact(toJson(*mark))});
    loaded.marks.push_back(std::move(*mark));
  }
  std::string damage = content.damage;
  const auto all = static_cast<std::size_t>(content.entries.size());
  if (damage.empty() && loaded.marks.size() < all)
    damage = std::to_string(all - loaded.marks.size()) + " of its " + std::to_string(all) + " marks cannot be read.";
  if (!damage.empty()) {
    loaded.error = putAside(hash, damage);
    // The readable ones are in the new file at once: it is the one that is read next time.
    if (!loaded.marks.empty() && !m_closed.contains(hash)) {
      if (auto saved = save(hash, {}, loaded.marks); !saved) loaded.error = saved.error();
    }
  }
  return loaded;
}

base::Result<void> MarkStore::save(const QString& hash, const std::string& traceFile, const std::vector<Mark>& marks) {
  if (!keeps(hash)) return {};
  base::Error error;
  error.code = base::ErrorCode::CannotWrite;
  error.file = pathOf(hash).toStdString();
  error.message = "Marks cannot be saved.";
  if (m_closed.contains(hash)) {
    error.hint = "The file that is there could not be read and stays as it is.";
    return base::fail(error);
  }
  std::set<QByteArray>& known = m_known[hash];
  QJsonArray entries;
  for (const Mark& mark : marks) {
    if (mark.temporary) continue;
    const QJsonObject entry = toJson(mark);
    known.insert(compact(entry));
    entries.append(entry);
  }
  const Content there = read(pathOf(hash));
  if (there.exists && !there.damage.empty()) {
    putAside(hash, there.damage);
    if (m_closed.contains(hash)) return base::fail(error);
  }
  for (const QJsonValue& entry : there.entries) {
    if (!known.contains(compact(entry.toObject()))) entries.append(entry);
  }
  if (entries.isEmpty()) {
    if (there.exists && there.damage.empty() && !QFile::remove(pathOf(hash))) return base::fail(error);
    return {};
  }
  const QString name = QFileInfo(QString::fromStdString(traceFile)).fileName();
  const QJsonObject root{{"format", QLatin1String(kFormat)}, {"version", kVersion}, {"trace", name}, {"marks", entries}};
  QSaveFile file(pathOf(hash));
  if (!QDir().mkpath(m_folder) || !file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(root).toJson()) < 0 ||
      !file.commit()) {
    error.hint = file.errorString().toStdString();
    return base::fail(error);
  }
  return {};
}

}  // namespace threewalls::timeline
