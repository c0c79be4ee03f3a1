#include "kernels/measure/device/device_query.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "kernels/measure/device/activity_records.h"
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

/// By the device's own stamps, as kernels are timed; by events where there are none.
std::vector<double> secondsOfCopies(const std::function<void()>& copy, int runs) {
    std::vector<double> seconds;
    try {
        const ActivityRecords records(CuptiLibrary::open());
        for (const KernelStamp& stamp : records.copyStampsOf([&] {
                 for (int run = 0; run < runs; ++run) copy();
                 check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
             })) {
            seconds.push_back(1e-9 * static_cast<double>(stamp.nanoseconds()));
        }
        if (seconds.size() == static_cast<std::size_t>(runs)) return seconds;
    } catch (const StampsUnavailable&) {
    } catch (const CountersUnavailable&) {
    }
    seconds.clear();
    Event begin;
    Event end;
    for (int run = 0; run < runs; ++run) {
        begin.record();
        copy();
        end.record();
        end.wait();
        seconds.push_back(end.secondsSince(begin));
    }
    return seconds;
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

std::string pciBusId() {
    std::array<char, 32> id{};
    check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), 0),
          "cudaDeviceGetPCIBusId");
    return id.data();
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
    const auto copy = [&] {
        check(cudaMemcpyAsync(to.as<>(), from.as<>(), bytes, cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
    };
    copy();
    copy();
    std::vector<double> seconds = secondsOfCopies(copy, runs);
    std::ranges::nth_element(seconds, seconds.begin() + runs / 2);
    device.copyRateBytes = 2 * bytes;
    device.copyRate = static_cast<double>(device.copyRateBytes) / seconds[runs / 2];
    device.copyRateRuns = runs;
}

}  // namespace warplens
