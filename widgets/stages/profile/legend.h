#pragma once

#include <QColor>
#include <QWidget>

#include <vector>

namespace threewalls::profile {

/// Colours with their words, flowing over as many lines as the width needs.
class Legend : public QWidget {
 public:
  struct Entry {
    QColor colour;
    QString text;
  };
  explicit Legend(QWidget* parent = nullptr);

  void setEntries(std::vector<Entry> entries);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Where each entry stands in a legend this wide.
  std::vector<QRect> places(int width) const;

  std::vector<Entry> m_entries;
};

}  // namespace threewalls::profile
