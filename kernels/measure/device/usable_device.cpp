#include "kernels/measure/device/usable_device.h"

#include "kernels/measure/device/cuda_failure.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/host_name.h"

namespace warplens {

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

void requireDriver(int driver, int runtime) {
    if (driver == 0) {
        throw NoDevice("no NVIDIA driver on " + hostName() + "; measuring needs one there");
    }
    if (driver / 1000 < runtime / 1000) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " supports CUDA " +
                       cudaVersionText(driver) + ", this program needs " +
                       cudaVersionText(runtime) + "; update the driver");
    }
}

void requireDevice(cudaError_t answer, int count) {
    if (answer == cudaSuccess && count > 0) return;
    if (answer == cudaSuccess) answer = cudaErrorNoDevice;
    throw NoDevice(
        failureOf(CudaError(answer, "cudaGetDeviceCount", std::source_location::current()))
            .message);
}

}  // namespace warplens
