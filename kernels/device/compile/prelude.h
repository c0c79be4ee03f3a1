#pragma once

#include <string>

namespace warplens {

/// What host headers would have given device code and NVRTC has no headers for: fixed-width
/// integers, limits, std::min and the like. Goes before a unit; ends with a newline.
/// `withLibcuxx`: take them from libcu++, as its own headers and cooperative groups want it.
[[nodiscard]] std::string devicePrelude(bool withLibcuxx);

}  // namespace warplens
