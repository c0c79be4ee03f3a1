#include "kernels/measure/device/device_choice.h"

#include <charconv>
#include <cuda_runtime_api.h>
#include <string>

#include "core/launch/limit_violation.h"
#include "kernels/measure/device/cuda_error.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/usable_device.h"

namespace warplens {

std::vector<DeviceName> allDevices() {
    const int count = requireUsableDevice();
    std::vector<DeviceName> devices;
    for (int number = 0; number < count; ++number) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
        devices.push_back({properties.name, uuidInWords(properties.uuid)});
    }
    return devices;
}

int deviceNumber(const DeviceChoice& choice, std::span<const DeviceName> devices) {
    if (choice.empty()) return 0;
    std::size_t number = 0;
    const char* const end = choice.data() + choice.size();
    const auto [read, error] = std::from_chars(choice.data(), end, number);
    if (error == std::errc() && read == end && number < devices.size()) {
        return static_cast<int>(number);
    }
    // As nvidia-smi prints it, or as much of it as tells it from the others.
    constexpr std::size_t shortest = std::string_view("GPU-0").size();
    std::string known;
    int found = -1;
    bool several = false;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        known += (known.empty() ? "" : ", ") + std::to_string(i) + " (" + devices[i].name + ", " +
                 devices[i].uuid + ")";
        if (choice.size() < shortest || !devices[i].uuid.starts_with(choice)) continue;
        several = several || found >= 0;
        found = static_cast<int>(i);
    }
    if (found >= 0 && !several) return found;
    throw InvalidRequest({{"device", "'" + choice + "'", "one of " + known}});
}

int currentDevice() {
    int number = 0;
    check(cudaGetDevice(&number), "cudaGetDevice");
    return number;
}

}  // namespace warplens
