#include "kernels/measure/device/device_choice.h"

#include <array>
#include <charconv>
#include <string>

#include "core/launch/limit_violation.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/usable_device.h"

namespace warplens {

DeviceName nameOfDevice(int number) {
    const Driver& driver = Driver::open();
    CUdevice device = 0;
    check(driver.deviceGet(&device, number), "cuDeviceGet");
    std::array<char, 256> name{};
    CUuuid uuid{};
    check(driver.deviceGetName(name.data(), static_cast<int>(name.size()), device),
          "cuDeviceGetName");
    check(driver.deviceGetUuid(&uuid, device), "cuDeviceGetUuid");
    return {name.data(), uuidInWords(uuid)};
}

std::vector<DeviceName> allDevices() {
    const int count = requireUsableDevice();
    std::vector<DeviceName> devices;
    for (int number = 0; number < count; ++number) {
        devices.push_back(nameOfDevice(number));
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

CUdevice currentDevice() {
    CUdevice device = 0;
    check(Driver::open().ctxGetDevice(&device), "cuCtxGetDevice");
    return device;
}

int attributeOf(CUdevice device, CUdevice_attribute attribute) {
    int value = 0;
    check(Driver::open().deviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
    return value;
}

int computeCapabilityNumber() {
    const CUdevice device = currentDevice();
    return 10 * attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
           attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

}  // namespace warplens
