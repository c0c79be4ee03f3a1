#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/launch/mapping.h"
#include "core/program/program_trace.h"
#include "core/scenario/scenario.h"
#include "core/trace/warp_observer.h"

/// What one warp does, step by step.
namespace warplens {

/// One warp of one block of one launch.
struct WarpPlace final {
    Experiment experiment;
    Index3 block;
    WarpRank warp;
    /// Of a launch of a person's program: what the block did. The experiment says its extents then,
    /// and nothing else.
    std::shared_ptr<const BlockSteps> program{};
    friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

using StepKind = AccessKind;

/// What steps speak of, by `WarpStep::subject`.
struct StepSubjects final {
    /// In global or constant memory. The first element is `lead` bytes behind where offsets begin.
    struct Array final {
        std::string name;
        std::uint64_t elementBytes = 1;
        std::uint64_t columns = 0;  ///< elements of one row; 0 where the array has one extent
        std::uint32_t lead = 0;
        friend bool operator==(const Array&, const Array&) = default;
    };
    struct Branch final {
        std::string name;
        std::string meaning;
        friend bool operator==(const Branch&, const Branch&) = default;
    };
    std::vector<Array> arrays;
    std::vector<StepShared> shared;
    std::vector<Branch> branches;
    friend bool operator==(const StepSubjects&, const StepSubjects&) = default;

    /// Names of the arrays, those in shared memory behind the others: as ShownStep counts them.
    [[nodiscard]] std::vector<std::string> arrayNames() const;
};
/// Where the shared arrays of a built-in kernel lie is only known once a warp of it was traced.
[[nodiscard]] StepSubjects subjectsOf(const WarpPlace& place);

/// One thing the lanes of a warp do together: a request to memory, or the decision at a mark.
struct WarpStep final {
    StepKind kind = StepKind::load;
    std::uint16_t subject = 0;  ///< which of the arrays, shared arrays or branches
    std::uint32_t line = 0;     ///< in the kernel's file; 0 where nothing was traced
    std::uint32_t bytes = 0;    ///< for each lane; 0 at a branch
    std::uint32_t active = 0;   ///< bit i: lane i
    std::uint32_t taken = 0;    ///< at a branch: the active lanes that go into it
    std::uint32_t refused = 0;  ///< lanes that fault: what they access is not there
    std::uint32_t rounds = 0;   ///< which of `WarpTrace::rounds`
    bool isJoined = false;      ///< an atomic that one lane does for its warp
    bool isGuard = false;       ///< a branch that only keeps threads out
    bool isOneWay = false;      ///< a branch with nothing to run on its other side, as a guard
    /// Of the active and the refused lanes: from the array's start, or within the block's shared
    /// memory.
    std::array<std::uint64_t, 32> offsets{};
    friend bool operator==(const WarpStep&, const WarpStep&) = default;

    [[nodiscard]] bool isGlobal() const { return warplens::isGlobal(kind); }
    [[nodiscard]] bool isShared() const { return warplens::isShared(kind); }
    [[nodiscard]] bool isConstant() const { return kind == StepKind::constantLoad; }
    [[nodiscard]] bool isStore() const {
        return kind == StepKind::store || kind == StepKind::sharedStore;
    }
    [[nodiscard]] bool isAtomic() const { return warplens::isAtomic(kind); }
};

/// The offsets of the active lanes alone, in lane order, as the laws of cost take them.
struct ActiveOffsets final {
    explicit ActiveOffsets(const WarpStep& step);
    [[nodiscard]] std::span<const std::uint64_t> all() const { return {packed_.data(), count_}; }

  private:
    std::array<std::uint64_t, 32> packed_{};
    std::size_t count_ = 0;
};

/// As what a request to shared memory is served: lanes of a joined atomic that are at one address
/// come together, as they do in a load.
[[nodiscard]] inline StepKind kindOfBanks(const WarpStep& step) {
    return step.isJoined ? StepKind::sharedLoad : step.kind;
}

/// Of a request, by its active lanes, nothing where it has none; of constant memory its turns are
/// wavefronts.
[[nodiscard]] LineCost costOf(const WarpStep& step);

struct WarpTrace final {
    WarpPlace place;
    std::vector<WarpStep> steps;  ///< in program order; the first `stepsKept`; none after a failure
    std::uint64_t total = 0;
    /// For each of the arrays, then for each of the shared arrays: its places in `steps`.
    std::vector<std::vector<std::uint32_t>> byArray{};
    /// In which rounds of the loops around it a step is: `phase 3 · k 5`, of a person's program how
    /// often the warp came to its place, `iteration 3 of 512`; the first is empty.
    std::vector<std::string> rounds{{}};
    StepSubjects subjects{};
    std::string failure{};  ///< why the warp could not be traced
    friend bool operator==(const WarpTrace&, const WarpTrace&) = default;
};
inline constexpr std::size_t stepsKept = 1 << 16;

/// Traces on the calling thread, or takes the steps out of the program's; what goes wrong is said
/// in the result.
[[nodiscard]] WarpTrace traceWarp(const WarpPlace& place);

/// Without tracing: the one store to the output that the kernel's own word on its elements makes.
/// No step where no lane has an element.
[[nodiscard]] WarpTrace outputOfWarp(const WarpPlace& place);

}  // namespace warplens
