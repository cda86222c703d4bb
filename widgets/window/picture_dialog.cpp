#include "window/picture_dialog.h"

#include "base/format.h"
#include "common/text.h"
#include "window/dialogs.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace threewalls::window {
namespace {

using timeline::PictureFormat;

constexpr int kWidth = 480;
constexpr int kScales = 4;
constexpr int kUsualScale = 2;
constexpr QPageSize::PageSizeId kPapers[] = {QPageSize::A4, QPageSize::A3, QPageSize::Letter};

}  // namespace

PictureDialog::PictureDialog(PictureSaver* saver, QWidget* parent)
    : QDialog(parent),
      m_saver(saver),
      m_format(new QComboBox),
      m_scale(new QComboBox),
      m_paper(new QComboBox),
      m_colours(new QComboBox),
      m_note(common::plainLabel({}, common::TextRole::Muted)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Save picture of the timeline"));
  m_format->addItems({tr("PNG image"), tr("SVG drawing"), tr("PDF page")});
  const QSize size = saver->pictureSize();
  for (int scale = 1; scale <= kScales; ++scale) {
    m_scale->addItem(tr("%1× · %2 × %3 pixels").arg(scale).arg(size.width() * scale).arg(size.height() * scale));
  }
  m_scale->setCurrentIndex(kUsualScale - 1);
  for (const QPageSize::PageSizeId paper : kPapers) m_paper->addItem(tr("%1 landscape").arg(QPageSize::name(paper)));
  m_colours->addItems({tr("As in the window"), tr("For paper: white and darker")});
  auto* form = new QFormLayout;
  form->addRow(tr("Format"), m_format);
  form->addRow(tr("Size"), m_scale);
  form->addRow(tr("Paper"), m_paper);
  form->addRow(tr("Colours"), m_colours);
  for (QComboBox* box : {m_format, m_scale, m_paper, m_colours}) box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_format->setAccessibleName(tr("Format"));
  m_scale->setAccessibleName(tr("Size"));
  m_paper->setAccessibleName(tr("Paper"));
  m_colours->setAccessibleName(tr("Colours"));

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Cancel)->setIcon({});
  auto* choose = buttons->addButton(tr("Choose a file…"), QDialogButtonBox::AcceptRole);
  choose->setProperty("kind", QStringLiteral("primary"));
  choose->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &PictureDialog::chooseFile);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_format, &QComboBox::currentIndexChanged, this, [this] { arrange(true); });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 14);
  layout->setSpacing(12);
  layout->addLayout(form);
  layout->addWidget(m_note);
  layout->addWidget(buttons);
  arrange(false);
}

void PictureDialog::arrange(bool formatChosen) {
  const auto format = static_cast<PictureFormat>(m_format->currentIndex());
  m_scale->setEnabled(format == PictureFormat::Png);
  m_paper->setEnabled(format == PictureFormat::Pdf);
  if (formatChosen) m_colours->setCurrentIndex(format == PictureFormat::Png ? 0 : 1);
  QString note = tr(
      "The lanes that the view shows, with the legend and a footer that names the traces, their content hashes and the range.");
  if (format != PictureFormat::Png) {
    note += tr(" Rows are drawn with at most %1 rectangles; where they need more they become an image of 300 dpi under the text.")
                .arg(QString::fromStdString(base::formatCount(timeline::kMostShapes)));
  }
  m_note->setText(note);
  // The note wraps: as high as it is then.
  setFixedSize(kWidth, layout()->totalHeightForWidth(kWidth));
}

timeline::PictureOptions PictureDialog::options() const {
  timeline::PictureOptions options;
  options.format = static_cast<PictureFormat>(m_format->currentIndex());
  options.scale = m_scale->currentIndex() + 1;
  options.paper = kPapers[m_paper->currentIndex()];
  options.theme = m_saver->theme();
  if (m_colours->currentIndex() == 1) {
    if (const auto print = common::Theme::load(QStringLiteral("print"))) options.theme = *print;
  }
  return options;
}

void PictureDialog::chooseFile() {
  const timeline::PictureOptions chosen = options();
  const QStringList filters = {tr("PNG image (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")};
  const QStringList endings = {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
  const QString path =
      chooseSaveFile(this, windowTitle(), m_saver->suggestedPath(chosen.format), filters[static_cast<qsizetype>(chosen.format)],
                     endings[static_cast<qsizetype>(chosen.format)]);
  if (path.isEmpty()) return;
  m_saver->save(path, chosen);
  accept();
}

}  // namespace threewalls::window
