#include "common/theme.h"

namespace threewalls::common {

QString Theme::styleSheet() const { return {}; }

}  // namespace threewalls::common
