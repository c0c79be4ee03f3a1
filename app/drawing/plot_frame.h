#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/plot_scale.h"
#include "app/drawing/warp_memory.h"

/// A plot's frame: two axes with their round numbers, and what the marks inside stand for.
namespace warplens::drawing {

struct PlotAxis final {
    std::string title;  ///< with its unit: `Effective bandwidth, TB/s`
    PlotScale scale;
    std::vector<Tick> ticks;
    /// A second row of numbers below the first, and what they are; of an x axis.
    std::vector<Tick> below{};
    std::string belowTitle{};
};

enum class Mark : std::uint8_t { line, dashes, ring, disc };

struct PlotPoint final {
    double x = 0;
    double y = 0;
    double low = 0;  ///< equal to `y` where there is no spread
    double high = 0;
    friend constexpr bool operator==(const PlotPoint&, const PlotPoint&) = default;
};

struct PlotSeries final {
    std::string name;
    Mark mark = Mark::line;
    Rgb color = 0;
    std::vector<PlotPoint> points;  ///< x rising
};

/// Where the axes leave room for the marks.
struct PlotFrame final {
    Box inside;
    PlotScale x;
    PlotScale y;

    [[nodiscard]] Point at(double xNumber, double yNumber) const;
};

/// Draws title, legend, grid and axes into the area; on top of them goes what lies inside.
[[nodiscard]] PlotFrame drawFrame(const DrawArea& area, const PlotAxis& x, const PlotAxis& y,
                                  const std::vector<PlotSeries>& legend, Items& items);

/// The names with their marks, from `at` on, in rows no wider than `width`; returns their height.
float drawLegend(const DrawArea& area, const std::vector<PlotSeries>& series, Point at, float width,
                 Items& items);

/// One mark of a series.
void drawMark(const PlotSeries& series, Point at, float radius, Items& items);

/// A line of dashes.
void drawDashes(Point from, Point to, Rgb color, float width, float dash, Items& items);

/// The words, cut short with an ellipsis where they are wider.
[[nodiscard]] std::string cutTo(const DrawArea& area, std::string words, Face face, float size,
                                float width);

}  // namespace warplens::drawing
