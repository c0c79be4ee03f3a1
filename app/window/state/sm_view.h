#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/window/state/program.h"
#include "core/kernel/kernel.h"
#include "core/measurement/worker_protocol.h"
#include "core/occupancy/occupancy.h"

namespace warplens::window {

struct AppState;

/// What a block asks of the SM whose slots are shown. What is left open follows the launch.
struct SmView final {
    std::optional<std::uint32_t> registers{};    ///< per thread
    std::optional<std::uint32_t> sharedBytes{};  ///< per block, static and dynamic together
    friend bool operator==(const SmView&, const SmView&) = default;
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
    std::string unknown{};  ///< a sentence on registers that are assumed; empty where they are not
};

/// A kernel as it is to be compiled for the SM, which needs no GPU.
struct CompilePlace final {
    const Kernel* kernel = nullptr;           ///< built-in, or of a course
    std::optional<ProgramSubject> program{};  ///< or of a launch of the open file
    std::string instance;
    std::string computeCapability;
    friend bool operator==(const CompilePlace&, const CompilePlace&) = default;
};
struct CompiledPlace final {
    CompilePlace place;
    CompileAnswer answer;
};
/// The kernel whose SM is shown, where its registers would be assumed otherwise.
[[nodiscard]] std::optional<CompilePlace> wantedCompilation(const AppState& state);

/// Of the launch that is shown. Cost: microseconds.
[[nodiscard]] ShownSm shownSm(const AppState& state);

/// Takes over what the view asks for, held to what the fields take.
void setSmView(AppState& state, SmView view);

}  // namespace warplens::window
