#include "kernels/measure/device/device_query.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/event_timer.h"
#include "kernels/measure/device/usable_device.h"

namespace warplens {
namespace {

/// `GPU-8c9fcd5b-2f8c-…`, as nvidia-smi writes it.
std::string inWords(const cudaUUID_t& uuid) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

}  // namespace

Device queryDevice() {
    Device device;
    int driver = 0;
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    requireDriver(driver, runtime);
    int count = 0;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    requireDevice(answer, count);
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    check(cudaSetDevice(0), "cudaSetDevice");
    check(cudaFree(nullptr), "cudaFree");

    device.name = properties.name;
    device.uuid = inWords(properties.uuid);
    device.computeCapability =
        std::to_string(properties.major) + '.' + std::to_string(properties.minor);
    device.multiprocessors = properties.multiProcessorCount;
    device.l2Bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
    device.memoryBytes = properties.totalGlobalMem;
    device.driver = cudaVersionText(driver);
    device.cuda = cudaVersionText(runtime);
    // Two transfers each clock; the clock is in kHz, the bus width in bits.
    const double peak = 2.0 * 1000 * attribute(cudaDevAttrMemoryClockRate) *
                        attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
    if (peak > 0) device.theoreticalPeak = peak;
    return device;
}

void measureCopyRate(Device& device) {
    constexpr int runs = 11;
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    const std::uint64_t wanted = std::max<std::uint64_t>(4 * device.l2Bytes, 256u << 20);
    const std::uint64_t bytes = std::min<std::uint64_t>(wanted, free / 4);
    const DeviceBuffer from(bytes);
    const DeviceBuffer to(bytes);
    check(cudaMemset(from.as<>(), 1, bytes), "cudaMemset");
    std::vector<double> seconds;
    Event begin;
    Event end;
    for (int run = 0; run < runs + 2; ++run) {
        begin.record();
        check(cudaMemcpyAsync(to.as<>(), from.as<>(), bytes, cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
        end.record();
        end.wait();
        if (run >= 2) seconds.push_back(end.secondsSince(begin));
    }
    std::ranges::nth_element(seconds, seconds.begin() + runs / 2);
    device.copyRateBytes = 2 * bytes;
    device.copyRate = static_cast<double>(device.copyRateBytes) / seconds[runs / 2];
    device.copyRateRuns = runs;
}

}  // namespace warplens
