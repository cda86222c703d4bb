#include "timeline/key_ramp.h"

#include <QTimerEvent>

#include <algorithm>

namespace threewalls::timeline {
namespace {

constexpr int kFrame = 16;         // ms
constexpr qint64 kDelay = 180;     // ms before a tap becomes a hold
constexpr double kFirstSpeed = 4;  // taps a second
constexpr double kGrowth = 10;     // further taps a second, each second
constexpr double kTopSpeed = 24;

}  // namespace

void KeyRamp::press(Motion motion, bool fast) {
  m_motion = motion;
  m_factor = fast ? kFast : 1;
  emit moved(motion, m_factor);
  m_held.start();
  m_last = kDelay;
  m_timer.start(kFrame, Qt::PreciseTimer, this);
}

void KeyRamp::stop() {
  m_motion.reset();
  m_timer.stop();
}

void KeyRamp::timerEvent(QTimerEvent* event) {
  if (event->timerId() != m_timer.timerId() || !m_motion) return;
  const qint64 now = m_held.elapsed();
  if (now <= m_last) return;
  // A late frame must not jump: at most three frames' worth.
  const double seconds = static_cast<double>(std::min<qint64>(now - m_last, 3 * kFrame)) / 1000;
  m_last = now;
  const double speed = std::min(kFirstSpeed + kGrowth * static_cast<double>(now - kDelay) / 1000, kTopSpeed);
  emit moved(*m_motion, speed * seconds * m_factor);
}

}  // namespace threewalls::timeline
