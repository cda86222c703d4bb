#include "common/text_scale.h"

#include <QApplication>
#include <QEvent>

#include <cmath>

namespace threewalls::common {
namespace {

class Follower : public QObject {
 public:
  Follower(QWidget* widget, QSize size) : QObject(widget), m_widget(widget), m_size(size) {
    widget->installEventFilter(this);
    apply();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange) apply();
    return QObject::eventFilter(watched, event);
  }

 private:
  void apply() {
    const double factor = QApplication::font().pointSizeF() / m_points;
    if (m_size.width() > 0) m_widget->setFixedWidth(static_cast<int>(std::lround(m_size.width() * factor)));
    if (m_size.height() > 0) m_widget->setFixedHeight(static_cast<int>(std::lround(m_size.height() * factor)));
  }

  QWidget* m_widget;
  QSize m_size;
  double m_points = QApplication::font().pointSizeF();
};

}  // namespace

void sizeFollowsText(QWidget* widget, QSize size) {
  new Follower(widget, size);  // the widget's child
}

}  // namespace threewalls::common
