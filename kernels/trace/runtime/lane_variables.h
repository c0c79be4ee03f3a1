#pragma once

#include <cstdint>

/// What traced code and the runtime share: one of each in a traced program; within our own
/// programs, where several threads of the host run lanes, one for each of them.
#ifdef WL_IN_PROCESS
#define WL_OF_THREAD __thread
#else
#define WL_OF_THREAD
#endif

extern "C" {

/// threadIdx and its like, as the program sees them.
struct WlIndex {
    std::uint32_t x, y, z;
};
extern WL_OF_THREAD WlIndex threadIdx;
extern WL_OF_THREAD WlIndex blockIdx;
extern WL_OF_THREAD WlIndex blockDim;
extern WL_OF_THREAD WlIndex gridDim;
extern WL_OF_THREAD std::uint64_t* wl_writer;  ///< where the lane's next event goes, while it waits
extern WL_OF_THREAD std::uint64_t* wl_limit;   ///< from there on its room is full

}  // extern "C"

namespace warplens::runtime {

class LaneRunner;
extern WL_OF_THREAD LaneRunner* runningLanes;  ///< null while none runs

}  // namespace warplens::runtime
