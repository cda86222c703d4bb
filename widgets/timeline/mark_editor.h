#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;

namespace threewalls::timeline {

/// One line for the note of a mark, in place over the timeline: Enter keeps it, Esc leaves it as it was. Going elsewhere keeps
/// what has been typed.
class MarkEditor : public QFrame {
  Q_OBJECT
 public:
  explicit MarkEditor(QWidget* parent);

  /// Below or above `anchor`, inside the parent; `what` names what is marked.
  void open(const QRect& anchor, const QString& what, const QString& note);
  /// Without keeping anything.
  void leave();

 signals:
  void kept(const QString& note);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void keep();

  QLabel* m_what;
  QLineEdit* m_note;
  bool m_open = false;
};

}  // namespace threewalls::timeline
