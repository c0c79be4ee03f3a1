#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "core/trace/warp_observer.h"

namespace warplens {

/// One thing that the lanes of a warp did together: a request to one array, or the decision at a
/// branch.
struct BlockStep final {
    AccessKind kind = AccessKind::load;
    std::uint16_t subject = 0;  ///< which of the block's arrays, shared arrays or branches
    std::uint32_t place = 0;    ///< which of the block's places
    std::uint32_t bytes = 0;    ///< for each lane; 0 at a branch
    std::uint32_t active = 0;   ///< bit i: lane i
    std::uint32_t taken = 0;    ///< at a branch: the active lanes for which the condition holds
    friend bool operator==(const BlockStep&, const BlockStep&) = default;
};

/// What one warp did, in program order.
struct WarpSteps final {
    std::vector<BlockStep> steps;  ///< the first; the others are only counted
    /// Of the active lanes of each request, request by request: from the array's start, or within
    /// the block's shared memory.
    std::vector<std::uint64_t> offsets;
    std::uint64_t total = 0;
    friend bool operator==(const WarpSteps&, const WarpSteps&) = default;
};

/// An array in global memory. Its first element is `lead` bytes from where offsets begin, so that
/// they lie in sectors as the addresses do.
struct StepArray final {
    std::string name;
    std::uint32_t elementBytes = 1;
    std::uint32_t lead = 0;
    friend bool operator==(const StepArray&, const StepArray&) = default;
};
struct StepShared final {
    std::string name;
    trace::SharedPlace place;
    friend bool operator==(const StepShared&, const StepShared&) = default;
};
struct StepBranch final {
    std::uint32_t place = 0;  ///< which of the block's places
    std::string statement{};  ///< the line as it stands in the source, `if (i < n)`
    friend bool operator==(const StepBranch&, const StepBranch&) = default;
};

/// All that the warps of one block of one launch of a program did.
struct BlockSteps final {
    std::uint32_t launch = 0;  ///< its index
    std::string kernel;        ///< as LaunchReport has it
    std::string file;          ///< the program's first, as its places name it
    Launch shape;
    Index3 block;
    std::vector<SourcePlace> places;
    std::vector<StepArray> arrays;
    std::vector<StepShared> shared;  ///< one behind the other, in the order of their declarations
    /// Of the shared arrays with a size of their own that the block uses; what the launch asks for
    /// on top is in `shape`.
    std::uint32_t staticSharedBytes = 0;
    std::vector<StepBranch> branches;
    std::vector<WarpSteps> warps;
    friend bool operator==(const BlockSteps&, const BlockSteps&) = default;
};

/// Steps that are kept of one block, in equal parts of its warps: 64 MiB of offsets at the most.
inline constexpr std::uint64_t mostStepsOfBlock = 1U << 18;

}  // namespace warplens
