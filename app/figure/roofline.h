#pragma once

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "core/roofline/roofline.h"

namespace warplens::figure {

/// Composes the figure of a roofline: the plot, its points by name with their ratios, and where the
/// numbers come from.
[[nodiscard]] Picture composeRoofline(const Roofline& roofline, const Page& page);

}  // namespace warplens::figure
