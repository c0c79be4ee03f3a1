#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/drawing/elements.h"
#include "core/scenario/scenario.h"

/// What one warp asks of global memory, request by request.
namespace warplens {

/// One warp of one block of one launch.
struct WarpPlace final {
    Experiment experiment;
    Index3 block;
    WarpRank warp;
    friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

/// A warp's requests to one array, in the order in which they are issued.
struct ArrayTrace final {
    std::vector<LaneBytes> requests;  ///< the first ones, at most `requestsKept`
    std::uint64_t total = 0;
    friend bool operator==(const ArrayTrace&, const ArrayTrace&) = default;
};
inline constexpr std::size_t requestsKept = 4096;

struct WarpTrace final {
    WarpPlace place;
    std::vector<ArrayTrace> arrays;  ///< one for each of the kernel's arrays; none after a failure
    std::string failure;             ///< why the warp could not be traced
    friend bool operator==(const WarpTrace&, const WarpTrace&) = default;
};

/// Traces on the calling thread; what goes wrong is said in the result.
[[nodiscard]] WarpTrace traceWarp(const WarpPlace& place);

}  // namespace warplens
