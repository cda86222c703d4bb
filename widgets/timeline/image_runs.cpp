#include "timeline/image_runs.h"

#include <algorithm>
#include <cstring>

namespace threewalls::timeline {

std::vector<ColourRun> colourRuns(const QImage& image, QRgb without, std::size_t most) {
  std::vector<ColourRun> runs;
  std::vector<std::size_t> above, line;  // runs that reach down to the last line, by place
  const auto bytes = static_cast<std::size_t>(image.width()) * sizeof(QRgb);
  for (int y = 0; y < image.height(); ++y) {
    const auto* const pixels = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    if (y > 0 && std::memcmp(pixels, image.constScanLine(y - 1), bytes) == 0) {
      for (const std::size_t i : above) runs[i].rect.setBottom(y);
      continue;
    }
    line.clear();
    auto next = above.begin();
    for (int x = 0; x < image.width();) {
      int end = x + 1;
      while (end < image.width() && pixels[end] == pixels[x]) ++end;
      if (pixels[x] != without) {
        while (next != above.end() && runs[*next].rect.left() < x) ++next;
        const bool same = next != above.end() && runs[*next].rect.left() == x && runs[*next].rect.right() == end - 1 &&
                          runs[*next].colour == pixels[x];
        if (same) {
          runs[*next].rect.setBottom(y);
          line.push_back(*next);
        } else {
          if (runs.size() >= most) return {};
          line.push_back(runs.size());
          runs.push_back({QRect(QPoint(x, y), QPoint(end - 1, y)), pixels[x]});
        }
      }
      x = end;
    }
    above.swap(line);
  }
  return runs;
}

}  // namespace threewalls::timeline
