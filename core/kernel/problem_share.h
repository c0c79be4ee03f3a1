#pragma once

#include <algorithm>
#include <cstdint>

#include "core/kernel/kernel.h"
#include "core/launch/mapping.h"

namespace warplens {

/// Which threads of a launch have an element of a kernel's problem, be it one that others have,
/// too: along an axis that the kernel does not look at threads repeat what others do.
struct ProblemShare final {
    std::uint64_t inside = 0;   ///< threads with an element
    std::uint64_t outside = 0;  ///< threads without
    std::uint64_t missed = 0;   ///< elements that no thread reaches
    std::uint64_t times = 1;    ///< threads that do each element that is reached
};

/// Each count exact up to 2^64-1; the kernel must have `work`.
[[nodiscard]] inline ProblemShare shareOf(const Kernel& kernel, const Arguments& arguments,
                                          const Launch& launch) {
    const Coverage coverage = coverageOf(launch, kernel.work(arguments));
    const std::size_t axes = kernel.work.along.size();
    ProblemShare share{.missed = coverage.missed};
    if (axes < 2) share.times *= std::uint64_t{launch.grid.y} * launch.block.y;
    if (axes < 3) share.times *= std::uint64_t{launch.grid.z} * launch.block.z;
    share.inside = std::min(coverage.launched, coverage.useful * share.times);
    share.outside = coverage.launched - share.inside;
    return share;
}

}  // namespace warplens
