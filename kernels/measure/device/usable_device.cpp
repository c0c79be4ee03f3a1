#include "kernels/measure/device/usable_device.h"

#include "kernels/measure/device/cuda_failure.h"
#include "kernels/measure/device/host_name.h"

namespace warplens {

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

void requireDriver(int driver, int needed) {
    if (driver == 0) {
        throw NoDevice("no NVIDIA driver on " + hostName() + "; measuring needs one there");
    }
    if (driver / 1000 < needed / 1000) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " supports CUDA " +
                       cudaVersionText(driver) + ", this program needs " + cudaVersionText(needed) +
                       "; update the driver");
    }
}

void requireInitialized(CUresult answer) {
    if (answer == CUDA_SUCCESS) return;
    throw NoDevice(failureOf(CudaError(answer, "cuInit", std::source_location::current())).message);
}

int requireUsableDevice() {
    int count = 0;
    check(Driver::open().deviceGetCount(&count), "cuDeviceGetCount");
    if (count == 0) requireInitialized(CUDA_ERROR_NO_DEVICE);
    return count;
}

std::string uuidInWords(const CUuuid& uuid) {
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

}  // namespace warplens
