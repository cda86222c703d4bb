#pragma once

#include <QImage>
#include <QRect>

#include <vector>

namespace threewalls::timeline {

/// A rectangle of one colour, in the pixels of the image it comes from.
struct ColourRun {
  QRect rect;
  QRgb colour = 0;
};

/// An image of 32 bits a pixel as rectangles that cover all of it but what has the colour `without`: runs of equal pixels, those
/// that repeat on the lines below joined. Empty, as if there were none, when there would be more than `most`.
std::vector<ColourRun> colourRuns(const QImage& image, QRgb without, std::size_t most);

}  // namespace threewalls::timeline
