#include "app/drawing/time_axis.h"

#include <algorithm>
#include <cmath>

#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::drawing {

double roundStepBelow(double step) {
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {5.0, 2.0}) {
        if (factor * power <= step) return factor * power;
    }
    return power;
}

float TimeAxis::at(double time) const {
    return plot.left + plot.width() * static_cast<float>((time - first) / (last - first));
}

double TimeAxis::time(float x) const {
    return first + (last - first) * static_cast<double>((x - plot.left) / plot.width());
}

std::string TimeAxis::inWords(double time) const {
    if (unit == TimeUnit::cycles) {
        return groupedDigits(static_cast<std::uint64_t>(std::max(0.0, time))) + " cycles";
    }
    return formatNumber(1e-9 * std::max(0.0, time), Unit::seconds);
}

void TimeAxis::draw(Items& items, const DrawArea& area) const {
    const float size = area.textSize;
    const float apart = area.textWidth("0,000,000 cycles", Face::words, size) * 1.3F;
    const double wanted =
        (last - first) * static_cast<double>(apart / std::max(plot.width(), apart));
    // No tick finer than the clock: whole nanoseconds, whole cycles.
    const double step = std::max(1.0, 2 * roundStepBelow(wanted));
    const float below = plot.bottom + size * 0.5F;
    items.push_back(
        Line{{plot.left, plot.bottom}, {plot.right, plot.bottom}, area.colors.muted, 1});
    for (double tick = std::ceil(first / step) * step; tick <= last; tick += step) {
        const float x = at(tick);
        items.push_back(
            Line{{x, plot.top}, {x, plot.bottom + size * 0.3F}, area.colors.faint, 1, 0.5F});
        const std::string words = tick == 0 ? "0" : inWords(tick);
        const float half = area.textWidth(words, Face::words, size) / 2;
        if (x + half > area.box.right) continue;
        items.push_back(Text{{x, below}, words, Face::words, size, area.colors.muted, 0.5F});
    }
}

}  // namespace warplens::drawing
