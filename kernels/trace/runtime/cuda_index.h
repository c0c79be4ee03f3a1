#pragma once

#include <cstdint>

extern "C" {

/// threadIdx and its like, as the program sees them.
struct WlIndex {
    std::uint32_t x, y, z;
};
extern WlIndex threadIdx;
extern WlIndex blockIdx;
extern WlIndex blockDim;
extern WlIndex gridDim;

}  // extern "C"
