#pragma once

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "app/figure/subject.h"

namespace warplens::figure {

/// Composes two launches side by side: of each its picture and what it comes to, and below them
/// how the one compares with the other. `a` is the one held against.
[[nodiscard]] Picture composePair(const Subject& a, const Subject& b, const Page& page);

}  // namespace warplens::figure
