#include "common/theme.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

/// A static library's resources are not registered by themselves; the macro must stand outside every namespace.
static void registerPalettes() {
  Q_INIT_RESOURCE(resources);
}

namespace threewalls::common {
namespace {

double luminance(const QColor& colour) {
  const auto linear = [](double value) { return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

base::Error unreadable(const QString& path, const std::string& what) {
  base::Error error;
  error.message = what;
  error.file = path.toStdString();
  error.hint = "The program was built without its palettes; build it again.";
  return error;
}

}  // namespace

double contrastRatio(const QColor& a, const QColor& b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

QColor readableTextOn(const QColor& background) {
  return contrastRatio(background, Qt::white) >= contrastRatio(background, Qt::black) ? QColor(Qt::white) : QColor(Qt::black);
}

base::Result<Theme> Theme::load(const QString& id) {
  registerPalettes();
  const QString path = ":/palettes/" + id + ".json";
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return base::fail(unreadable(path, "There is no such theme."));
  const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();

  Theme theme;
  theme.id = id;
  theme.dark = root.value("dark").toBool();
  QString missing;
  const auto read = [&](const QJsonObject& object, const QString& key) {
    const QColor colour(object.value(key).toString());
    if (!colour.isValid()) missing = key;
    return colour;
  };
  const QJsonObject chrome = root.value("chrome").toObject();
  theme.window = read(chrome, "window");
  theme.panel = read(chrome, "panel");
  theme.lane = read(chrome, "lane");
  theme.laneAlternate = read(chrome, "lane_alternate");
  theme.border = read(chrome, "border");
  theme.text = read(chrome, "text");
  theme.mutedText = read(chrome, "muted_text");
  theme.accent = read(chrome, "accent");
  theme.accentText = read(chrome, "accent_text");
  theme.good = read(chrome, "good");
  theme.warning = read(chrome, "warning");
  theme.bad = read(chrome, "bad");
  theme.sideA = read(chrome, "side_a");
  theme.sideB = read(chrome, "side_b");
  const QJsonObject classes = root.value("classes").toObject();
  for (std::size_t i = 0; i < theme.classes.size(); ++i) {
    const auto name = analysis::toText(static_cast<analysis::ColourClass>(i));
    theme.classes[i] = read(classes, QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
  }
  const QJsonObject ledger = root.value("ledger").toObject();
  for (const analysis::LedgerPart part : analysis::kLedgerParts) {
    const auto name = analysis::id(part);
    theme.ledger[static_cast<std::size_t>(part)] =
        read(ledger, QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
  }
  if (!missing.isEmpty())
    return base::fail(unreadable(path, "The palette has no valid colour \"" + missing.toStdString() + "\"."));
  return theme;
}

QPalette Theme::palette() const {
  QPalette palette;
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Base, panel);
  palette.setColor(QPalette::AlternateBase, laneAlternate);
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::PlaceholderText, mutedText);
  palette.setColor(QPalette::Button, panel);
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::ToolTipBase, panel);
  palette.setColor(QPalette::ToolTipText, text);
  palette.setColor(QPalette::Highlight, accent);
  palette.setColor(QPalette::HighlightedText, accentText);
  palette.setColor(QPalette::Link, accent);
  palette.setColor(QPalette::Mid, border);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, mutedText);
  }
  return palette;
}

}  // namespace threewalls::common
