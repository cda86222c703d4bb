#include "profile/kernels_page.h"

#include "base/format.h"
#include "common/card.h"
#include "common/table_text.h"
#include "common/text.h"
#include "profile/kernel_table.h"
#include "profile/kernel_table_model.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

namespace threewalls::profile {
KernelsPage::KernelsPage(common::Document* document, common::Selection* selection, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new KernelTableModel(this)), m_filter(new KernelFilter(this)) {
  setProperty("kind", QStringLiteral("page"));
  setAttribute(Qt::WA_StyledBackground);
  m_filter->setSourceModel(m_model);

  m_text = new QLineEdit;
  m_text->setPlaceholderText(tr("Filter by name"));
  m_text->setClearButtonEnabled(true);
  m_text->setAccessibleName(tr("Filter kernels by name"));
  m_text->setMinimumWidth(150);
  m_text->setMaximumWidth(320);
  m_class = new QComboBox;
  m_class->setAccessibleName(tr("Filter kernels by class"));
  m_class->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_class->setMinimumContentsLength(16);
  m_count = common::plainLabel({}, common::TextRole::Muted);
  m_count->setWordWrap(false);
  auto* csv = new QPushButton(tr("Copy CSV"));
  auto* markdown = new QPushButton(tr("Copy Markdown"));

  m_table = new KernelTable(m_model);
  m_table->setObjectName(QStringLiteral("kernels"));
  m_table->setModel(m_filter);
  m_table->setSortingEnabled(true);
  m_table->setAccessibleName(tr("Kernels"));
  m_table->follow(*document, *selection);
  m_none = common::plainLabel({}, common::TextRole::Muted);
  m_none->setAlignment(Qt::AlignCenter);

  auto* bar = new QHBoxLayout;
  bar->addWidget(m_text, 2);
  bar->addWidget(m_class);
  bar->addWidget(m_count);
  bar->addStretch(1);
  bar->addWidget(csv);
  bar->addWidget(markdown);
  auto* card = new common::Card;
  card->body()->addWidget(m_table, 1);
  card->body()->addWidget(m_none);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 12, 14, 14);
  layout->setSpacing(10);
  layout->addLayout(bar);
  layout->addWidget(card, 1);

  connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_filter->setText(text);
    countRows();
  });
  connect(m_class, &QComboBox::currentIndexChanged, this, [this] {
    m_filter->setClassId(m_class->currentData().toString());
    countRows();
  });
  connect(m_table, &QTableView::clicked, this, &KernelsPage::choose);
  connect(csv, &QPushButton::clicked, this, &KernelsPage::copyCsv);
  connect(markdown, &QPushButton::clicked, this, &KernelsPage::copyMarkdown);
  setFocusProxy(m_table);
  connect(document, &common::Document::runsChanged, this, &KernelsPage::refresh);
  refresh();
}

void KernelsPage::setTheme(const common::Theme& theme) {
  m_model->setTheme(theme);
}
void KernelsPage::focusFilter() {
  m_text->setFocus(Qt::ShortcutFocusReason);
}
void KernelsPage::copyCsv() {
  QApplication::clipboard()->setText(common::toCsv(*m_filter));
}
void KernelsPage::copyMarkdown() {
  QApplication::clipboard()->setText(common::toMarkdown(*m_filter));
}

void KernelsPage::refresh() {
  m_model->show(*m_document);
  m_class->clear();
  m_class->addItem(tr("All classes"), QString());
  for (const auto& [id, label] : m_model->classes()) m_class->addItem(label, id);
  // Already by |B − A| for two runs and by time for one: no sort order of the view may hide that.
  m_table->sortByColumn(-1, Qt::DescendingOrder);
  m_table->fitColumns();
  countRows();
}

void KernelsPage::countRows() {
  const int shown = m_filter->rowCount();
  const int all = m_model->rowCount();
  m_count->setText(shown == all ? tr("%1 kernels").arg(all) : tr("%1 of %2 kernels").arg(shown).arg(all));
  m_none->setVisible(shown == 0);
  m_none->setText(all == 0 ? tr("No GPU kernel ran inside a step of what is open.") : tr("No kernel matches the filter."));
}

void KernelsPage::choose(const QModelIndex& index) {
  const QModelIndex source = m_filter->mapToSource(index);
  if (!source.isValid()) return;
  // A click into a column of B means the kernels of B; elsewhere A comes first.
  const auto column = m_model->column(source.column());
  const bool wantsB =
      column == KernelTableModel::CallsB || column == KernelTableModel::TimeB || column == KernelTableModel::ShareB;
  for (const common::Side side : {wantsB ? common::Side::B : common::Side::A, wantsB ? common::Side::A : common::Side::B}) {
    if (const auto name = m_model->name(source.row(), side)) {
      emit kernelChosen(side, *name);
      return;
    }
  }
}

}  // namespace threewalls::profile
