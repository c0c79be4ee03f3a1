#include <algorithm>
#include <vector>

#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/event_timer.h"

namespace warplens {
namespace {

constexpr int chains = 8;  // of one thread; enough that none waits for its own last result
constexpr int rounds = 4096;
constexpr int threads = 256;
constexpr int blocksPerMultiprocessor = 16;

/// Multiply-adds in registers, and nothing else worth mentioning.
__global__ void multiplyAdd(float* out, float factor, float term) {
    float values[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) values[c] = static_cast<float>(threadIdx.x + c);
#pragma unroll 16
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int c = 0; c < chains; ++c) values[c] = fmaf(values[c], factor, term);
    }
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < chains; ++c) sum += values[c];
    // Never so, which the compiler cannot know: the work has to be done, the store has not.
    if (sum == -1.0f) out[threadIdx.x] = sum;
}

}  // namespace

void measureFp32Rate(Device& device) {
    constexpr int runs = 11;
    const int blocks = device.multiprocessors * blocksPerMultiprocessor;
    const DeviceBuffer out(threads * sizeof(float));
    std::vector<double> seconds;
    Event begin;
    Event end;
    for (int run = 0; run < runs + 2; ++run) {
        begin.record();
        multiplyAdd<<<blocks, threads>>>(out.as<float>(), 0.5f, 1.0f);
        check(cudaGetLastError(), "multiplyAdd");
        end.record();
        end.wait();
        if (run >= 2) seconds.push_back(end.secondsSince(begin));
    }
    std::ranges::nth_element(seconds, seconds.begin() + runs / 2);
    const double operations = 2.0 * chains * rounds * threads * blocks;
    device.fp32Rate = operations / seconds[runs / 2];
    device.fp32RateRuns = runs;
}

}  // namespace warplens
