#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/measurement/measurement.h"

namespace warplens {

/// `1,048,576`.
[[nodiscard]] std::string groupedDigits(std::uint64_t value);

/// `1 block`, `1,024 blocks`: a noun whose plural ends in s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// The same of a count that stops at 2^64-1, as Launch::threadCount: `2^64 or more`.
[[nodiscard]] std::string groupedCount(std::uint64_t count);

/// A number with its unit for people: `4.24 TB/s`, `2.90 µs`, `97.5 %`, `0.023 %`,
/// `5,628,000,000 sectors`, `4.000`. Decimal prefixes.
[[nodiscard]] std::string formatNumber(double value, Unit unit);

/// `formatNumber`, or the reason in words where there is no number.
[[nodiscard]] std::string formatValue(const Value& value);

/// `1e+308`, `0.25`: six digits at most and no unit, as a number might be typed.
[[nodiscard]] std::string plainNumber(double value);

/// `60 MiB`, `512 B`.
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);

/// The version this program was built as: `0.1.0`.
[[nodiscard]] std::string version();

}  // namespace warplens
