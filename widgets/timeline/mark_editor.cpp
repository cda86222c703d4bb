#include "timeline/mark_editor.h"

#include "common/text.h"
#include "timeline/mark_store.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace threewalls::timeline {
namespace {

constexpr int kLetters = 48;  ///< width
constexpr int kGap = 4;

}  // namespace

MarkEditor::MarkEditor(QWidget* parent)
    : QFrame(parent), m_what(common::plainLabel({}, common::TextRole::Muted)), m_note(new QLineEdit) {
  setProperty("kind", QStringLiteral("popup"));
  setCursor(Qt::ArrowCursor);
  m_what->setWordWrap(false);
  m_note->setMaxLength(kLongestNote);
  m_note->setAccessibleName(tr("Note of the mark"));
  m_note->setPlaceholderText(tr("Note, or none"));
  m_note->installEventFilter(this);
  connect(m_note, &QLineEdit::returnPressed, this, &MarkEditor::keep);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(10, 8, 10, 8);
  rows->setSpacing(6);
  rows->addWidget(m_what);
  rows->addWidget(m_note);
  rows->addWidget(common::plainLabel(tr("Enter keeps the mark, Esc leaves it"), common::TextRole::Muted));
  hide();
}

void MarkEditor::open(const QRect& anchor, const QString& what, const QString& note) {
  const int width = std::min(fontMetrics().averageCharWidth() * kLetters, parentWidget()->width() - 2 * kGap);
  m_what->setText(fontMetrics().elidedText(what, Qt::ElideMiddle, width - 24));
  m_note->setText(note);
  m_note->selectAll();
  ensurePolished();
  const int height = std::max(layout()->totalHeightForWidth(width), layout()->totalSizeHint().height());
  const int x = std::clamp(anchor.left(), kGap, std::max(kGap, parentWidget()->width() - width - kGap));
  int y = anchor.bottom() + 1 + kGap;
  if (y + height > parentWidget()->height() - kGap) y = std::max(kGap, anchor.top() - kGap - height);
  setGeometry(x, y, width, height);
  m_open = true;
  show();
  raise();
  m_note->setFocus(Qt::ShortcutFocusReason);
}

void MarkEditor::keep() {
  if (!m_open) return;
  const QString note = m_note->text();
  leave();
  emit kept(note);
}

void MarkEditor::leave() {
  m_open = false;  // giving the focus back is no going elsewhere
  if (m_note->hasFocus()) parentWidget()->setFocus();
  hide();
}

/// What a line of text leaves over, such as Enter and the arrows up and down, is not for the timeline behind it.
void MarkEditor::keyPressEvent(QKeyEvent* event) {
  event->accept();
}

bool MarkEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    leave();
    return true;
  }
  if (event->type() == QEvent::FocusOut && m_open) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    const bool elsewhere =
        reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason && reason != Qt::MenuBarFocusReason;
    if (elsewhere && m_note->isModified()) {
      keep();
    } else if (elsewhere) {
      leave();
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace threewalls::timeline
