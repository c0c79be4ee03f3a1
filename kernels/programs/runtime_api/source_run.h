#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/programs/runtime_api/device.h"

namespace warplens::programs {

/// What a launch comes to as it is written: of `-G`'s PTX.
struct SourceRun final {
    std::vector<ProgramLine> lines;  ///< in a sample times what its blocks stand for
    std::vector<Finding> findings;
    std::vector<std::string> notes;
    std::vector<SampleBound> bounds;  ///< of a sample
    std::uint64_t blocks = 0;         ///< that were run
    bool isExact = false;             ///< all of them
    bool isWhole = false;             ///< and to their ends: what they left can be compared
};

/// Runs it from the memory as it is, and checks what it does. Where that takes longer than
/// `seconds`, once more without the checks, and where that does too, a sample of its blocks.
/// `around` says what a run needs but for when it is stopped. Cost: at most about three times
/// `seconds`.
[[nodiscard]] SourceRun runSource(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                                  ptx::Surroundings around, double seconds);

/// What was written is no longer known, since a launch was not run as it is written.
void forgetUnwritten(RuntimeDevice& device);

/// Time that has passed since some moment, in seconds.
[[nodiscard]] double secondsNow();

}  // namespace warplens::programs
