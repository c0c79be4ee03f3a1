#include "kernels/measure/device/device_query.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "kernels/measure/device/activity_records.h"
#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/device_choice.h"
#include "kernels/measure/device/event_timer.h"
#include "kernels/measure/device/usable_device.h"

namespace warplens {
namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
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

Device queryDevice(int number) {
    Device device;
    (void)requireUsableDevice();
    int driver = 0;
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
    check(cudaSetDevice(number), "cudaSetDevice");
    check(cudaFree(nullptr), "cudaFree");

    device.name = properties.name;
    device.uuid = uuidInWords(properties.uuid);
    device.computeCapability =
        std::to_string(properties.major) + '.' + std::to_string(properties.minor);
    device.multiprocessors = properties.multiProcessorCount;
    device.l2Bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
    device.memoryBytes = properties.totalGlobalMem;
    device.driver = cudaVersionText(driver);
    device.cuda = cudaVersionText(runtime);
    // Two transfers each clock; the clock is in kHz, the bus width in bits.
    const double peak = 2.0 * 1000 * attribute(cudaDevAttrMemoryClockRate, number) *
                        attribute(cudaDevAttrGlobalMemoryBusWidth, number) / 8;
    if (peak > 0) device.theoreticalPeak = peak;
    return device;
}

std::string pciBusId() {
    std::array<char, 32> id{};
    check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), currentDevice()),
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
