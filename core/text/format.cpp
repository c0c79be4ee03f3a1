#include "core/text/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace warplens {
namespace {

std::string printed(const char* format, double value) {
    std::array<char, 400> text{};  // the largest number has 309 digits
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Three or four significant digits of a value from 1 to 999.
std::string significant(double value) {
    if (std::abs(value) >= 99.95) return printed("%.0f", value);
    if (std::abs(value) >= 9.995) return printed("%.1f", value);
    return printed("%.2f", value);
}

std::string scaled(double value, double step, const char* const* prefixes, int count,
                   const char* unit) {
    int prefix = 0;
    while (std::abs(value) >= step * 0.9995 && prefix + 1 < count) {
        value /= step;
        ++prefix;
    }
    return significant(value) + ' ' + prefixes[prefix] + unit;
}

std::string seconds(double value) {
    if (value >= 1) return significant(value) + " s";
    if (value >= 1e-3) return significant(value * 1e3) + " ms";
    if (value >= 1e-6) return significant(value * 1e6) + " µs";
    return significant(value * 1e9) + " ns";
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
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f %%", decimals, value);
    return text.data();
}

}  // namespace

std::string groupedDigits(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
    return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return groupedDigits(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string groupedCount(std::uint64_t count) {
    return count == UINT64_MAX ? "2^64 or more" : groupedDigits(count);
}

std::string formatNumber(double value, Unit unit) {
    static constexpr std::array<const char*, 5> decimal{"", "k", "M", "G", "T"};
    switch (unit) {
        case Unit::percent:
            return percent(value);
        case Unit::bytesPerSecond:
            return scaled(value, 1000, decimal.data(), decimal.size(), "B/s");
        case Unit::flopsPerSecond:
            return scaled(value, 1000, decimal.data(), decimal.size(), "FLOP/s");
        case Unit::seconds:
            return seconds(value);
        case Unit::one:
            return printed("%.3f", value);
        case Unit::bytes:
            return printed("%.1f bytes", value);
        case Unit::count:
        case Unit::requests:
        case Unit::sectors:
        case Unit::threads: {
            const std::string number = value >= 0 && value == std::floor(value) && value < 1.8e19
                                           ? groupedDigits(static_cast<std::uint64_t>(value))
                                           : printed("%.2f", value);
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

std::string plainNumber(double value) {
    return printed("%.6g", value);
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr std::array<const char*, 5> binary{"B", "KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    return scaled(static_cast<double>(bytes), 1024, binary.data(), binary.size(), "");
}

std::string version() {
    return WARPLENS_VERSION;
}

}  // namespace warplens
