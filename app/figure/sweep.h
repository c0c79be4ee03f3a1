#pragma once

#include <vector>

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "core/sweep/quantity.h"

namespace warplens::figure {

/// What the figure of a sweep shows.
struct SweepSubject final {
    const Sweep& sweep;
    std::vector<Quantity> quantities;  ///< one or two
    bool recorded = false;             ///< the measurements were not taken just now
};

/// Composes the figure of a sweep: title, what is varied, a plot of each quantity, and where the
/// numbers come from.
[[nodiscard]] Picture composeSweep(const SweepSubject& subject, const Page& page);

}  // namespace warplens::figure
