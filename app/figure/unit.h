#pragma once

#include "app/drawing/items.h"
#include "app/figure/page.h"

namespace warplens::figure {

/// Pixels or points of the page for one of the units that figures are composed in (style.h): as
/// many as let 1280 x 720 fit on the page, and never so few that text would be too small to read.
[[nodiscard]] float unitOf(PageSize page);

/// Items in units as items in pixels or points.
void enlarge(drawing::Items& items, float unit);

/// Items somewhere else.
void move(drawing::Items& items, Point by);

}  // namespace warplens::figure
