#pragma once

#include <vector>

#include "app/drawing/items.h"

namespace warplens::figure {

/// The stripes of a hatch, cut at its box: every format draws the same lines.
[[nodiscard]] std::vector<drawing::Line> stripesOf(const drawing::Hatch& hatch);

}  // namespace warplens::figure
