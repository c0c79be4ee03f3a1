#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"
#include "core/trace/warp_observer.h"

/// What one warp does, step by step.
namespace warplens {

/// One warp of one block of one launch.
struct WarpPlace final {
    Experiment experiment;
    Index3 block;
    WarpRank warp;
    friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

using StepKind = trace::EventKind;

/// One thing the lanes of a warp do together: a request to memory, or the decision at a mark.
struct WarpStep final {
    StepKind kind = StepKind::load;
    std::uint16_t subject = 0;  ///< which of the kernel's arrays, shared arrays or branches
    std::uint32_t line = 0;     ///< in the body file; 0 where nothing was traced
    std::uint32_t bytes = 0;    ///< for each lane; 0 at a branch
    std::uint32_t active = 0;   ///< bit i: lane i
    std::uint32_t taken = 0;    ///< at a branch: the active lanes that go into it
    std::uint32_t rounds = 0;   ///< which of `WarpTrace::rounds`
    /// Of the active lanes: from the array's start, or within the block's shared memory.
    std::array<std::uint64_t, 32> offsets{};
    friend bool operator==(const WarpStep&, const WarpStep&) = default;

    [[nodiscard]] bool isShared() const {
        return kind != StepKind::branch && !trace::isGlobal(kind);
    }
    [[nodiscard]] bool isStore() const {
        return kind == StepKind::store || kind == StepKind::sharedStore;
    }
    [[nodiscard]] bool isAtomic() const { return trace::isAtomic(kind); }
};

/// The offsets of the active lanes alone, in lane order, as the laws of cost take them.
struct ActiveOffsets final {
    explicit ActiveOffsets(const WarpStep& step);
    [[nodiscard]] std::span<const std::uint64_t> all() const { return {packed_.data(), count_}; }

  private:
    std::array<std::uint64_t, 32> packed_{};
    std::size_t count_ = 0;
};

struct WarpTrace final {
    WarpPlace place;
    std::vector<WarpStep> steps;  ///< in program order; the first `stepsKept`; none after a failure
    std::uint64_t total = 0;
    /// For each of the kernel's arrays, then for each of its shared arrays: its places in `steps`.
    std::vector<std::vector<std::uint32_t>> byArray{};
    /// In which rounds of the loops around it a step is: `phase 3 · k 5`; the first is empty.
    std::vector<std::string> rounds{{}};
    std::vector<trace::SharedPlace> sharedPlaces{};  ///< of the kernel's shared arrays
    std::string failure{};                           ///< why the warp could not be traced
    friend bool operator==(const WarpTrace&, const WarpTrace&) = default;
};
inline constexpr std::size_t stepsKept = 1 << 16;

/// Traces on the calling thread; what goes wrong is said in the result.
[[nodiscard]] WarpTrace traceWarp(const WarpPlace& place);

/// Without tracing: the one store to the output that the kernel's own word on its elements makes.
/// No step where no lane has an element.
[[nodiscard]] WarpTrace outputOfWarp(const WarpPlace& place);

}  // namespace warplens
