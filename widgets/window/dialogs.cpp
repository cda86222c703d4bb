#include "window/dialogs.h"

#include "base/format.h"
#include "common/badge.h"
#include "common/table_text.h"
#include "common/text.h"
#include "window/plain_table.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace threewalls::window {
namespace {

using common::Side;

QDialog* dialogOf(const QString& title, QWidget* content, const QList<QPushButton*>& buttons, QSize size, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
  box->button(QDialogButtonBox::Close)->setIcon({});
  for (QPushButton* button : buttons) box->addButton(button, QDialogButtonBox::ActionRole);
  QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(14, 14, 14, 14);
  layout->addWidget(content, 1);
  layout->addWidget(box);
  if (parent != nullptr) size = size.boundedTo(parent->size() - QSize(60, 60));
  dialog->resize(size);
  return dialog;
}

QString placeText(const base::Diagnostic& note) {
  QString text = common::toText(note.file);
  if (note.line) text += QDialog::tr(", line %1").arg(*note.line);
  if (note.byteOffset) text += QDialog::tr(", byte %1").arg(QString::fromStdString(base::formatCount(*note.byteOffset)));
  return text;
}

}  // namespace

QString chooseSaveFile(QWidget* parent, const QString& title, const QString& path, const QString& filter, const QString& ending) {
  QFileDialog dialog(parent, title, QFileInfo(path).path(), filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(ending);
  dialog.selectFile(QFileInfo(path).fileName());
  return dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty() ? dialog.selectedFiles().first() : QString();
}

QDialog* importNotes(const common::Document& document, QWidget* parent) {
  auto* model = new QStandardItemModel(0, 5);
  model->setHorizontalHeaderLabels(
      {QDialog::tr("Trace"), QDialog::tr("Kind"), QDialog::tr("Count"), QDialog::tr("What"), QDialog::tr("First seen")});
  for (const Side side : common::kSides) {
    if (!document.run(side)) continue;
    for (const base::Diagnostic& note : document.run(side)->analysis->diagnostics.entries()) {
      auto* count = plainCell(QString::fromStdString(base::formatCount(note.count)));
      count->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      model->appendRow({plainCell(common::letter(side)), plainCell(common::toText(base::toText(note.severity))), count,
                        plainCell(common::toText(note.message)), plainCell(placeText(note))});
    }
  }
  QTableView* table = plainTable(model, 3);
  table->setColumnWidth(4, 240);
  table->horizontalHeader()->setSectionResizeMode(4, QHeaderView::Interactive);
  table->setWordWrap(true);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* csv = new QPushButton(QDialog::tr("Copy CSV"));
  auto* markdown = new QPushButton(QDialog::tr("Copy Markdown"));
  QObject::connect(csv, &QPushButton::clicked, model, [model] { QApplication::clipboard()->setText(common::toCsv(*model)); });
  QObject::connect(markdown, &QPushButton::clicked, model,
                   [model] { QApplication::clipboard()->setText(common::toMarkdown(*model)); });
  QDialog* dialog = dialogOf(QDialog::tr("Notes on import"), table, {csv, markdown}, {980, 420}, parent);
  dialog->setObjectName(QStringLiteral("importNotes"));
  return dialog;
}

QDialog* aboutThreewalls(QWidget* parent) {
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  auto* name = common::plainLabel(QDialog::tr("Threewalls %1").arg(QCoreApplication::applicationVersion()));
  common::setTextSize(name, common::TextSize::Title, true);
  layout->addWidget(name);
  layout->addWidget(common::plainLabel(
      QDialog::tr("What limits this training run, what single change helps, and does the measurement support the claim?")));
  layout->addWidget(common::plainLabel(
      QDialog::tr("Free software under the GNU General Public License, version 3 or later. It comes without any warranty."),
      common::TextRole::Muted));
  layout->addStretch();
  QDialog* dialog = dialogOf(QDialog::tr("About Threewalls"), content, {}, {460, 240}, parent);
  dialog->setObjectName(QStringLiteral("about"));
  return dialog;
}

}  // namespace threewalls::window
