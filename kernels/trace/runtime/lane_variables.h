#pragma once

#include <cstdint>

/// What traced code and the runtime share.

extern "C" {

/// threadIdx and its like, as the program sees them.
struct WlIndex {
    std::uint32_t x, y, z;
};
extern WlIndex threadIdx;
extern WlIndex blockIdx;
extern WlIndex blockDim;
extern WlIndex gridDim;
extern std::uint64_t* wl_writer;  ///< where the lane's next event goes, while it waits
extern std::uint64_t* wl_limit;   ///< from there on its room is full

}  // extern "C"

namespace warplens::runtime {

class LaneRunner;
extern LaneRunner* runningLanes;  ///< null while none runs

}  // namespace warplens::runtime
