#include "common/message_card.h"

#include "common/text.h"

#include <QAction>
#include <QPushButton>
#include <QToolButton>

namespace threewalls::common {
namespace {

QString place(const base::Error& error) {
  QString text = toText(error.file);
  if (error.line) text += QStringLiteral(", line %1").arg(*error.line);
  if (error.byteOffset) text += QStringLiteral(", byte %1").arg(*error.byteOffset);
  return text;
}

QToolButton* closeButton() {
  auto* close = new QToolButton;
  close->setText(QStringLiteral("✕"));
  close->setToolTip(QStringLiteral("Dismiss"));
  close->setAccessibleName(QStringLiteral("Dismiss this message"));
  return close;
}

}  // namespace

ErrorCard::ErrorCard(const base::Error& error, QWidget* parent) : Card({}, parent) {
  setProperty("tone", QStringLiteral("bad"));
  setAccessibleName(QStringLiteral("Error: ") + toText(error.message));
  auto* what = plainLabel(toText(error.message), TextRole::Bad);
  setTextSize(what, TextSize::Normal, true);
  QToolButton* close = closeButton();
  connect(close, &QToolButton::clicked, this, &ErrorCard::dismissed);
  heading()->addWidget(what, 1);
  heading()->addWidget(close, 0, Qt::AlignTop);
  if (const QString where = place(error); !where.isEmpty()) body()->addWidget(plainLabel(where, TextRole::Muted));
  if (!error.hint.empty()) body()->addWidget(plainLabel(toText(error.hint)));
}

NoticeCard::NoticeCard(const QString& what, const QString& details, QWidget* parent) : Card({}, parent) {
  setAccessibleName(what);
  auto* title = plainLabel(what);
  setTextSize(title, TextSize::Normal, true);
  QToolButton* close = closeButton();
  connect(close, &QToolButton::clicked, this, &NoticeCard::dismissed);
  heading()->addWidget(title, 1);
  heading()->addWidget(close, 0, Qt::AlignTop);
  body()->addWidget(plainLabel(details, TextRole::Muted));
}

EmptyState::EmptyState(const QString& title, const QString& text, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(12);
  layout->addStretch(2);
  auto* heading = plainLabel(title);
  heading->setAlignment(Qt::AlignHCenter);
  setTextSize(heading, TextSize::Title, true);
  auto* explanation = plainLabel(text, TextRole::Muted);
  explanation->setAlignment(Qt::AlignHCenter);
  explanation->setMaximumWidth(560);
  auto* centred = new QHBoxLayout;
  centred->addStretch(1);
  centred->addWidget(explanation, 100);
  centred->addStretch(1);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  for (QAction* action : actions) {
    auto* button = new QPushButton(action->text());
    if (action == actions.front()) button->setProperty("kind", QStringLiteral("primary"));
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    buttons->addWidget(button);
    if (action == actions.front()) setFocusProxy(button);
  }
  buttons->addStretch();
  layout->addWidget(heading);
  layout->addLayout(centred);
  layout->addLayout(buttons);
  layout->addStretch(3);
}

}  // namespace threewalls::common
