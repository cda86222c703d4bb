#include "common/card.h"

#include "common/text.h"

namespace threewalls::common {

Card::Card(const QString& title, QWidget* parent) : QFrame(parent) {
  setProperty("kind", QStringLiteral("card"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 14);
  layout->setSpacing(8);
  m_heading = new QHBoxLayout;
  m_heading->setSpacing(8);
  m_title = plainLabel(title);
  m_title->setWordWrap(false);
  setTextSize(m_title, TextSize::Normal, true);
  m_subtitle = plainLabel({}, TextRole::Muted);
  m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_subtitle->setWordWrap(false);
  m_heading->addWidget(m_title);
  m_heading->addWidget(m_subtitle, 1);
  m_body = new QVBoxLayout;
  m_body->setSpacing(8);
  layout->addLayout(m_heading);
  layout->addLayout(m_body);
  setTitle(title);
}

void Card::setTitle(const QString& title) {
  m_title->setText(title);
  m_title->setVisible(!title.isEmpty());
  m_subtitle->setVisible(!title.isEmpty());
}

void Card::setSubtitle(const QString& subtitle) {
  m_subtitle->setText(subtitle);
}

void clearLayout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    if (QLayout* inner = item->layout()) clearLayout(inner);
    delete item;
  }
}

}  // namespace threewalls::common
