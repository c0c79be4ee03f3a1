#pragma once

#include <string>

#include "core/measurement/measurement.h"

namespace warplens {

/// A number with its unit for people: `4.24 TB/s`, `2.90 µs`, `97.5 %`, `0.023 %`,
/// `5,628,000,000 sectors`, `4.000`. Decimal prefixes.
[[nodiscard]] std::string formatNumber(double value, Unit unit);

/// `formatNumber`, or the reason in words where there is no number.
[[nodiscard]] std::string formatValue(const Value& value);

/// The day of an ISO 8601 time: `2026-11-21`.
[[nodiscard]] std::string dayOf(const std::string& takenAt);
/// On which device and which day: `NVIDIA H200, 2026-11-21`.
[[nodiscard]] std::string takenOn(const Measurement& measurement);

}  // namespace warplens
