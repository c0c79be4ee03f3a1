#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

/// What CUDA calls a generation of GPUs: 9.0 is Hopper.
struct ComputeCapability final {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    friend constexpr auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// `9.0`.
[[nodiscard]] std::string toString(ComputeCapability capability);

/// Reads `9.0`; nothing for any other form. Whether there are such GPUs is another question.
[[nodiscard]] std::optional<ComputeCapability> parseComputeCapability(std::string_view text);

}  // namespace warplens
