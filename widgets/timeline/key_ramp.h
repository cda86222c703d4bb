#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>

#include <optional>

namespace threewalls::timeline {

/// What a held key does to the view.
enum class Motion { ZoomIn, ZoomOut, Left, Right };

/// Turns a held key into steps that grow with the time it is held. Its timer runs only while a key is down.
class KeyRamp : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  /// How much further a tap goes with Shift.
  static constexpr double kFast = 10;

  /// One step at once, then more while the key stays down.
  void press(Motion motion, bool fast);
  void stop();
  bool isRunning() const { return m_timer.isActive(); }

 signals:
  /// `amount` 1 is one tap of the key.
  void moved(threewalls::timeline::Motion motion, double amount);

 protected:
  void timerEvent(QTimerEvent* event) override;

 private:
  std::optional<Motion> m_motion;
  double m_factor = 1;
  QBasicTimer m_timer;
  QElapsedTimer m_held;
  qint64 m_last = 0;
};

}  // namespace threewalls::timeline
