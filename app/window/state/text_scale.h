#pragma once

namespace warplens::window {

/// Of letters and all that goes by them; 1 is normal.
inline constexpr float leastTextScale = 0.5F;
inline constexpr float largestTextScale = 3;

}  // namespace warplens::window
