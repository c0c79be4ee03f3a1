#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/occupancy/occupancy.h"

namespace warplens::window {

struct AppState;

/// The SM whose slots are shown. What is left open follows the launch and the device that was
/// measured.
struct SmView final {
    std::optional<ComputeCapability> capability{};
    std::optional<std::uint32_t> registers{};    ///< per thread
    std::optional<std::uint32_t> sharedBytes{};  ///< per block, static and dynamic together
    friend bool operator==(const SmView&, const SmView&) = default;

    [[nodiscard]] bool followsTheLaunch() const {
        return !capability && !registers && !sharedBytes;
    }
};

/// Most that the fields take; what an SM grants is less, and refusing more is what it shows.
inline constexpr std::uint32_t mostRegistersAsked = 512;
inline constexpr std::uint32_t mostSharedBytesAsked = 512 * 1024;

/// The SM as it is drawn, and where each part of the question is from, in words.
struct ShownSm final {
    const SmLimits& limits;
    std::string limitsFrom;
    BlockDemand block;
    std::string registersFrom;
    std::string sharedFrom;
    std::string unknown{};  ///< a sentence on what nobody knows of an own launch; empty where it is
};
/// Of the launch that is shown. Cost: microseconds.
[[nodiscard]] ShownSm shownSm(const AppState& state);

/// Takes over what the view asks for: an unknown compute capability is left open, numbers are held
/// to what the fields take.
void setSmView(AppState& state, SmView view);

}  // namespace warplens::window
