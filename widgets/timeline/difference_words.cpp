#include "timeline/difference_words.h"

#include "common/badge.h"
#include "common/text.h"

#include <QCoreApplication>

namespace threewalls::timeline {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("threewalls::timeline::differenceText", text);
}

}  // namespace

QString differenceText(base::Nanoseconds a, base::Nanoseconds b, common::Side reference) {
  const QString who = common::letter(otherSide(reference));
  const base::Nanoseconds delta = reference == common::Side::A ? b - a : a - b;
  if (delta.count() == 0) return tr("%1 takes exactly as long").arg(who);
  if (delta.count() > 0) return tr("%1 is %2 slower").arg(who, common::duration(delta));
  return tr("%1 is %2 faster").arg(who, common::duration(-delta));
}

common::Side otherSide(common::Side side) {
  return side == common::Side::A ? common::Side::B : common::Side::A;
}

}  // namespace threewalls::timeline
