#pragma once

#include "window/picture_saver.h"

#include <QDialog>

class QComboBox;
class QLabel;

namespace threewalls::window {

/// Asks what kind of picture is wanted, and then for its file.
class PictureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit PictureDialog(PictureSaver* saver, QWidget* parent = nullptr);

  timeline::PictureOptions options() const;

 private:
  void arrange(bool formatChosen);
  void chooseFile();

  PictureSaver* m_saver;
  QComboBox* m_format;
  QComboBox* m_scale;
  QComboBox* m_paper;
  QComboBox* m_colours;
  QLabel* m_note;
};

}  // namespace threewalls::window
