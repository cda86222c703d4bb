#pragma once

#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

class QLabel;

namespace threewalls::common {

/// A rounded panel with a heading line and a body.
class Card : public QFrame {
 public:
  /// Without a title there is no heading line.
  explicit Card(const QString& title = {}, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Quieter words after the title.
  void setSubtitle(const QString& subtitle);
  /// The heading line, for badges and buttons.
  QHBoxLayout* heading() { return m_heading; }
  QVBoxLayout* body() { return m_body; }

 private:
  QHBoxLayout* m_heading;
  QVBoxLayout* m_body;
  QLabel* m_title;
  QLabel* m_subtitle;
};

/// Removes and deletes everything in a layout.
void clearLayout(QLayout* layout);

}  // namespace threewalls::common
