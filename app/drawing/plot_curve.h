#pragma once

#include <optional>

#include "app/drawing/plot_frame.h"

namespace warplens::drawing {

/// Points over an axis of numbers, one series for each source.
struct CurvePlot final {
    PlotAxis x;
    PlotAxis y;
    std::vector<PlotSeries> series;  ///< drawn in this order
    std::optional<double> held{};    ///< x of the point that is shown elsewhere
    std::optional<double> pointed{};
};

struct CurvePicture final {
    Items items;
    PlotFrame frame;
};

/// Lines through their points, dashes for models, marks for what was measured, thin bars for the
/// spread of the timed runs. Nothing leaves the frame. Cost: some items a point.
[[nodiscard]] CurvePicture prepareCurve(const CurvePlot& plot, const DrawArea& area);

/// The one of `numbers` that is drawn nearest to the pointer, which is in the frame or right beside
/// it; none elsewhere.
[[nodiscard]] std::optional<std::size_t> nearestAlongX(const PlotFrame& frame,
                                                       const std::vector<double>& numbers,
                                                       Point pointer);

}  // namespace warplens::drawing
