#include <algorithm>
#include <cmath>

#include "core/trace/block_sample.h"

namespace warplens::trace {
namespace {

/// Of 20 samples a bound may be wrong of one.
constexpr double missed = 0.05;

/// Student's t of 97.5 % (Abramowitz and Stegun, 26.7.5); of one and two degrees as tables have it.
double quantile(double degrees) {
    constexpr double z = 1.959964;
    if (degrees < 2) return 12.706;
    if (degrees < 3) return 4.303;
    const double first = (std::pow(z, 3) + z) / 4;
    const double second = (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / 96;
    const double third =
        (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * std::pow(z, 3) - 15 * z) / 384;
    return z + (first + (second + third / degrees) / degrees) / degrees;
}

}  // namespace

std::uint64_t mostHeavierBlocks(std::uint64_t drawn, std::uint64_t of) {
    if (drawn == 0) return of;
    if (drawn >= of) return 0;
    // So many that all draws miss them one time in twenty, within one of the hypergeometric
    // distribution's own number.
    const auto n = static_cast<double>(drawn);
    const double most = (static_cast<double>(of) - (n - 1) / 2) * (1 - std::pow(missed, 1 / n));
    return std::min(static_cast<std::uint64_t>(most) + 1, of - drawn);
}

void SampledValue::add(double value) {
    ++drawn_;
    most_ = drawn_ == 1 ? value : std::max(most_, value);
    const double before = value - mean_;
    mean_ += before / static_cast<double>(drawn_);
    squares_ += before * (value - mean_);
}

double SampledValue::spreadError(std::uint64_t of) const {
    if (drawn_ < 2 || drawn_ >= of) return 0;
    const auto n = static_cast<double>(drawn_);
    const auto all = static_cast<double>(of);
    return all * quantile(n - 1) * std::sqrt(squares_ / (n - 1) / n * (1 - n / all));
}

double SampledValue::tailError(std::uint64_t of) const {
    return static_cast<double>(mostHeavierBlocks(drawn_, of)) * (most_ - mean_);
}

}  // namespace warplens::trace
