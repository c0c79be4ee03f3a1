#include "app/figure/output/strokes.h"

#include <algorithm>
#include <cmath>

namespace warplens::figure {

std::vector<drawing::Line> stripesOf(const drawing::Hatch& hatch) {
    const drawing::Box& box = hatch.box;
    std::vector<drawing::Line> stripes;
    if (hatch.spacing <= 0) return stripes;
    // Rising stripes x + y = c. They begin at multiples of the distance along an axis, so that
    // those of neighbouring boxes meet.
    const float step = hatch.spacing * std::sqrt(2.0F);
    const float width = std::max(1.0F, hatch.spacing / 5);
    for (float c = std::ceil((box.left + box.top) / step) * step; c < box.right + box.bottom;
         c += step) {
        const Point low{std::max(box.left, c - box.bottom), std::min(box.bottom, c - box.left)};
        const Point high{std::min(box.right, c - box.top), std::max(box.top, c - box.right)};
        if (high.x > low.x) stripes.push_back({low, high, hatch.color, width, 1});
    }
    return stripes;
}

}  // namespace warplens::figure
