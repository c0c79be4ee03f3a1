#include "core/measurement/value_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text/format.h"

namespace warplens {
namespace {

std::string seconds(double value) {
    if (value >= 1) return significantDigits(value) + " s";
    if (value >= 1e-3) return significantDigits(value * 1e3) + " ms";
    if (value >= 1e-6) return significantDigits(value * 1e6) + " µs";
    return significantDigits(value * 1e9) + " ns";
}

/// Never so round that almost all reads as all, or almost nothing as nothing.
std::string percent(double value) {
    const double size = std::abs(value);
    int decimals = 1;
    if (size > 99.9 && size < 100) {
        // As many as tell it from 100.
        decimals = std::min(9, static_cast<int>(std::ceil(-std::log10(100 - size))));
    } else if (size > 0 && size < 1) {
        decimals = std::min(9, 1 - static_cast<int>(std::floor(std::log10(size))));
    }
    return fixedNumber(value, decimals) + " %";
}

}  // namespace

std::string formatNumber(double value, Unit unit) {
    static constexpr std::array<const char*, 5> decimal{"", "k", "M", "G", "T"};
    switch (unit) {
        case Unit::percent:
            return percent(value);
        case Unit::bytesPerSecond:
            return prefixedNumber(value, 1000, decimal, "B/s");
        case Unit::flopsPerSecond:
            return prefixedNumber(value, 1000, decimal, "FLOP/s");
        case Unit::seconds:
            return seconds(value);
        case Unit::one:
            return fixedNumber(value, 3);
        case Unit::bytes:
            return fixedNumber(value, 1) + " bytes";
        case Unit::count:
        case Unit::requests:
        case Unit::sectors:
        case Unit::lines:
        case Unit::threads: {
            const std::string number = value >= 0 && value == std::floor(value) && value < 1.8e19
                                           ? groupedDigits(static_cast<std::uint64_t>(value))
                                           : fixedNumber(value, 2);
            if (unit == Unit::count) return number;
            std::string things(toString(unit));
            if (value == 1) things.pop_back();
            return number + ' ' + things;
        }
    }
    return {};
}

std::string formatValue(const Value& value) {
    if (const double* number = value.number()) {
        return formatNumber(*number, metricInfo(value.metric).unit);
    }
    return std::get<Unavailable>(value.content).reason;
}

std::string dayOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

std::string takenOn(const Measurement& measurement) {
    return measurement.device.name + ", " + dayOf(measurement.takenAt);
}

}  // namespace warplens
