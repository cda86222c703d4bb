#pragma once

#include "base/units.h"
#include "common/document.h"

#include <QString>

namespace threewalls::timeline {

/// "B is 12.3 µs slower", said of the side that is not the reference; "B takes exactly as long".
QString differenceText(base::Nanoseconds a, base::Nanoseconds b, common::Side reference = common::Side::A);

/// The side across.
common::Side otherSide(common::Side side);

}  // namespace threewalls::timeline
