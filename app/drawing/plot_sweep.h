#pragma once

#include <optional>
#include <string>

#include "app/drawing/plot.h"
#include "core/sweep/quantity.h"

/// A sweep as a plot: one quantity over an argument, or over the shapes of blocks.
namespace warplens::drawing {

struct SweepPicture final {
    Items items;
    std::optional<std::size_t> pointed;  ///< the sweep's point under the pointer
};

/// What of the sweep stands out.
struct SweepMarks final {
    std::optional<std::size_t> held{};  ///< the point whose launch is shown elsewhere
    std::optional<Point> pointer{};
};

/// Cost: some items for each point and source.
[[nodiscard]] SweepPicture prepareSweep(const Sweep& sweep, const Quantity& quantity,
                                        const DrawArea& area, const SweepMarks& marks = {});

/// `stride = 8`, then each source's number of the quantity: `32 predicted, counted`.
[[nodiscard]] std::string pointInWords(const Sweep& sweep, std::size_t point,
                                       const Quantity& quantity);

/// Where the numbers come from, a line each: what is predicted and how, what was measured, on which
/// device and when. `recorded` where the measurements were not taken just now.
[[nodiscard]] std::vector<std::string> provenanceOf(const Sweep& sweep, bool recorded);

}  // namespace warplens::drawing
