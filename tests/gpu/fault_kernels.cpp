#include "tests/gpu/fault_kernels.h"

#include "kernels/device/compile.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens::tests {
namespace {

constexpr const char* text = R"(
extern "C" __global__ void writeTo(int* address) {
    *address = 1;
}
extern "C" __global__ void waitFor(const volatile int* flag) {
    while (*flag == 0) {
    }
}
)";

/// A kernel of the text, on the first device.
CUfunction faultKernel(const char* name) {
    (void)queryDevice();
    static const LoadedCode code(compileDeviceCode("fault_kernels.cu", text, {},
                                                   {.computeCapability = computeCapabilityNumber()})
                                     .cubin);
    return code.kernel(name);
}

std::size_t freeMemory(std::size_t* total = nullptr) {
    std::size_t free = 0;
    std::size_t all = 0;
    check(Driver::open().memGetInfo(&free, &all), "cuMemGetInfo");
    if (total != nullptr) *total = all;
    return free;
}

}  // namespace

void touchIllegalAddress() {
    launchKernel(faultKernel("writeTo"), {.grid = {1}, .block = {1}}, std::uint64_t{16});
    synchronize();
}

void hangOnDevice() {
    CUfunction const wait = faultKernel("waitFor");
    const DeviceBuffer flag(sizeof(int));
    flag.fill(0);
    launchKernel(wait, {.grid = {1}, .block = {1}}, flag.address());
    synchronize();
}

void exhaustMemory() {
    (void)queryDevice();
    std::size_t total = 0;
    (void)freeMemory(&total);
    const DeviceBuffer memory(total);
}

void holdMemory(std::size_t leftBytes) {
    (void)queryDevice();
    constexpr std::size_t piece = std::size_t{256} << 20;
    while (freeMemory() > leftBytes + piece) {
        CUdeviceptr held = 0;  // given back when the process ends
        check(Driver::open().memAlloc(&held, piece), "cuMemAlloc");
    }
}

}  // namespace warplens::tests
