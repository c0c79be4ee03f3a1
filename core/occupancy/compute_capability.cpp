#include "core/occupancy/compute_capability.h"

#include <charconv>

namespace warplens {

std::string toString(ComputeCapability capability) {
    return std::to_string(capability.major) + '.' + std::to_string(capability.minor);
}

std::optional<ComputeCapability> parseComputeCapability(std::string_view text) {
    ComputeCapability capability;
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, capability.major);
    if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
    const auto minor = std::from_chars(major.ptr + 1, end, capability.minor);
    if (minor.ec != std::errc{} || minor.ptr != end) return std::nullopt;
    return capability;
}

}  // namespace warplens
