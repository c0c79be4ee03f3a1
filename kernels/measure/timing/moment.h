#pragma once

#include <chrono>
#include <string>

namespace warplens {

/// The moment in UTC, as ISO 8601 with seconds: `2026-11-22T11:37:00Z`.
[[nodiscard]] std::string nowUtc();

/// In seconds.
[[nodiscard]] double secondsSince(std::chrono::steady_clock::time_point begin);

}  // namespace warplens
