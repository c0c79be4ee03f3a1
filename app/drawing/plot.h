#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/drawing/warp_memory.h"
#include "core/measurement/metric.h"

/// A plot: two axes with their round numbers, how numbers become lengths along them, and the series
/// inside.
namespace warplens::drawing {

struct PlotScale final {
    double first = 0;
    double last = 1;           ///< above `first`
    bool logarithmic = false;  ///< then `first` is above 0
    friend constexpr bool operator==(const PlotScale&, const PlotScale&) = default;

    /// 0 at the first number, 1 at the last, clamped to them.
    [[nodiscard]] double shareOf(double number) const;
    [[nodiscard]] double numberAt(double share) const;
    [[nodiscard]] bool holds(double number) const { return number >= first && number <= last; }
};

/// How an axis writes its numbers: divided by `factor`, under the name `unit`.
struct AxisUnit final {
    double factor = 1;
    std::string unit;  ///< `TB/s`; empty for a plain number
    friend bool operator==(const AxisUnit&, const AxisUnit&) = default;
};
/// The prefix under which the largest number reads best: `TB/s`, `µs`, `million sectors`.
[[nodiscard]] AxisUnit axisUnitFor(double largest, Unit unit);

/// `3.30`: three digits that count, without the unit; whole numbers below 1000 without a point.
[[nodiscard]] std::string numberIn(const AxisUnit& unit, double number);

struct Tick final {
    double number = 0;
    std::string words;
    friend bool operator==(const Tick&, const Tick&) = default;
};

/// Which steps are round.
enum class Rounding : std::uint8_t {
    decimal,  ///< 1, 2 or 5 times a power of ten
    binary,   ///< powers of two: lanes, sectors, strides
};

/// From 0 to the first round number that is not below `largest`, with at most `mostTicks` steps.
[[nodiscard]] PlotScale scaleFromZero(double largest, int mostTicks, const AxisUnit& unit,
                                      Rounding rounding);

/// At most `most` round numbers of the scale, from the first to the last that it holds. Of a
/// logarithmic scale: powers of two, or of ten, evenly apart.
[[nodiscard]] std::vector<Tick> ticksOf(const PlotScale& scale, int most, const AxisUnit& unit,
                                        Rounding rounding);

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
