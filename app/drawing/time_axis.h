#pragma once

#include <string>

#include "app/drawing/warp_memory.h"

namespace warplens::drawing {

enum class TimeUnit : std::uint8_t { nanoseconds, cycles };

/// Time along the x axis of a plot, with round ticks below it.
struct TimeAxis final {
    Box plot{};
    double first = 0;
    double last = 1;
    TimeUnit unit = TimeUnit::nanoseconds;

    [[nodiscard]] float at(double time) const;
    [[nodiscard]] double time(float x) const;
    /// `12.5 µs`, `1,200 cycles`.
    [[nodiscard]] std::string inWords(double time) const;
    /// Ticks, their lines through the plot, and their times below it.
    void draw(Items& items, const DrawArea& area) const;
};

/// The largest of 1, 2, 5 times a power of ten that is at most `step`.
[[nodiscard]] double roundStepBelow(double step);

}  // namespace warplens::drawing
