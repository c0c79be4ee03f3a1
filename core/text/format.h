#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// `1,048,576`.
[[nodiscard]] std::string groupedDigits(std::uint64_t value);

/// `1 block`, `1,024 blocks`: a noun whose plural ends in s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// The same of a count that stops at 2^64-1, as Launch::threadCount: `2^64 or more`.
[[nodiscard]] std::string groupedCount(std::uint64_t count);

/// `3.14`: so many digits behind the point.
[[nodiscard]] std::string fixedNumber(double value, int decimals);

/// Three or four significant digits of a value from 1 to 999: `4.24`, `97.5`, `123`.
[[nodiscard]] std::string significantDigits(double value);
/// The same of a value of any size, divided by `step` until a prefix fits: `4.24 TB/s`.
[[nodiscard]] std::string prefixedNumber(double value, double step,
                                         std::span<const char* const> prefixes,
                                         std::string_view unit);

/// `1e+308`, `0.25`: six digits at most and no unit, as a number might be typed.
[[nodiscard]] std::string plainNumber(double value);

/// `60 MiB`, `512 B`.
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);

/// The version this program was built as: `0.1.0`.
[[nodiscard]] std::string version();

}  // namespace warplens
