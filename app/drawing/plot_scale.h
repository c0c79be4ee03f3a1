#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/measurement/metric.h"

/// How numbers become lengths, and which round ones are written beside the axis.
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

}  // namespace warplens::drawing
