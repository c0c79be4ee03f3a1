#include <algorithm>
#include <cstdint>

#include "kernels/measure/device/cuda_error.h"
#include "kernels/measure/device/hold_device.h"

namespace warplens {
namespace {

__global__ void waitOnDevice(std::uint64_t nanoseconds) {
    const auto now = [] {
        std::uint64_t time = 0;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
        return time;
    };
    const std::uint64_t begin = now();
    while (now() - begin < nanoseconds) {
    }
}

}  // namespace

void holdDevice(std::chrono::microseconds duration) {
    const auto most = std::chrono::microseconds(10'000);
    const std::chrono::nanoseconds wait = std::min(duration, most);
    waitOnDevice<<<1, 1>>>(static_cast<std::uint64_t>(wait.count()));
    check(cudaGetLastError(), "waitOnDevice");
}

}  // namespace warplens
