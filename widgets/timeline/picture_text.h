#pragma once

#include "timeline/event_search.h"

#include <QStringList>

namespace threewalls::timeline {

/// What a picture of the timeline says about itself, a line each: trace and content hash of A and of B; the visible range, on the
/// clock of each, and how they are aligned; what is hidden, out of the picture or searched for, and the selected range; the
/// program. Names from files are plain text.
QStringList pictureText(const common::Document& document, const ViewState& state, const EventSearch& search,
                        const common::Selection& selection, const QString& alignment, int rowsOutside);

}  // namespace threewalls::timeline
