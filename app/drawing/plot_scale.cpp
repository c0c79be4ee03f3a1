#include <cmath>

#include "app/drawing/plot.h"
#include "core/text/format.h"
#include "core/text/joined.h"

namespace warplens::drawing {
namespace {

struct Prefix final {
    double factor;
    const char* unit;
};

AxisUnit prefixed(double largest, std::initializer_list<Prefix> rising) {
    const Prefix* best = rising.begin();
    for (const Prefix& prefix : rising) {
        if (largest >= prefix.factor) best = &prefix;
    }
    return {best->factor, best->unit};
}

/// The shortest decimal that is the number, for round numbers.
std::string shortest(double number) {
    if (std::abs(number) >= 10000 && number == std::floor(number)) {
        return (number < 0 ? "-" : "") +
               groupedDigits(static_cast<std::uint64_t>(std::abs(number)));
    }
    return plainNumber(number);
}

/// The smallest round step that is not below `least`.
double roundStep(double least, Rounding rounding) {
    if (rounding == Rounding::binary && least > 0.5) {
        return std::exp2(std::ceil(std::log2(least) - 1e-9));
    }
    const double power = std::pow(10, std::floor(std::log10(least) + 1e-9));
    for (const double part : {1.0, 2.0, 5.0}) {
        if (part * power >= least * (1 - 1e-9)) return part * power;
    }
    return 10 * power;
}

/// Powers of the base from `first` on.
std::vector<Tick> powers(const PlotScale& scale, int most, const AxisUnit& unit, double base) {
    const double toPower = 1 / std::log(base);
    const auto lowest =
        static_cast<int>(std::ceil(std::log(scale.first / unit.factor) * toPower - 1e-9));
    const auto highest =
        static_cast<int>(std::floor(std::log(scale.last / unit.factor) * toPower + 1e-9));
    const int step = std::max(1, (highest - lowest + most) / std::max(1, most));
    std::vector<Tick> ticks;
    for (int power = lowest; power <= highest; power += step) {
        const double written = std::pow(base, power);
        ticks.push_back({written * unit.factor, shortest(written)});
    }
    return ticks;
}

}  // namespace

double PlotScale::shareOf(double number) const {
    const double inside = std::clamp(number, first, last);
    if (!logarithmic) return (inside - first) / (last - first);
    return std::log(inside / first) / std::log(last / first);
}

double PlotScale::numberAt(double share) const {
    const double inside = std::clamp(share, 0.0, 1.0);
    if (!logarithmic) return first + inside * (last - first);
    return first * std::pow(last / first, inside);
}

AxisUnit axisUnitFor(double largest, Unit unit) {
    switch (unit) {
        case Unit::percent:
            return {1, "%"};
        case Unit::bytesPerSecond:
            return prefixed(
                largest, {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}});
        case Unit::seconds:
            return prefixed(largest, {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}});
        case Unit::one:
            return {1, ""};
        default:
            break;
    }
    const std::string thing = unit == Unit::count ? "" : std::string(toString(unit));
    AxisUnit axis =
        prefixed(largest, {{1, ""}, {1e6, "million"}, {1e9, "billion"}, {1e12, "trillion"}});
    if (!thing.empty()) addWords(axis.unit, " ", thing);
    return axis;
}

std::string numberIn(const AxisUnit& unit, double number) {
    const double written = number / unit.factor;
    const double size = std::abs(written);
    if (size < 1000 && std::abs(written - std::round(written)) < 1e-9) {
        return shortest(std::round(written) + 0.0);  // never -0
    }
    return size < 0.9995 ? fixedNumber(written, 3) : significantDigits(written);
}

PlotScale scaleFromZero(double largest, int mostTicks, const AxisUnit& unit, Rounding rounding) {
    const double top = largest > 0 ? largest / unit.factor : 1;
    const double step = roundStep(top / std::max(1, mostTicks), rounding);
    return {0, std::ceil(top / step - 1e-9) * step * unit.factor, false};
}

std::vector<Tick> ticksOf(const PlotScale& scale, int most, const AxisUnit& unit,
                          Rounding rounding) {
    if (scale.logarithmic) {
        return powers(scale, most, unit, rounding == Rounding::binary ? 2 : 10);
    }
    const double first = scale.first / unit.factor;
    const double last = scale.last / unit.factor;
    const double step = roundStep((last - first) / std::max(1, most), rounding);
    std::vector<Tick> ticks;
    // Adding zero keeps the first from being written as -0.
    for (double at = std::ceil(first / step - 1e-9) + 0.0; at * step <= last + 1e-9 * step;
         at += 1) {
        ticks.push_back({at * step * unit.factor, shortest(at * step)});
    }
    return ticks;
}

}  // namespace warplens::drawing
