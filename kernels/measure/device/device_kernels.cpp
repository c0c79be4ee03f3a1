#include "kernels/measure/device/device_kernels.h"

#include "kernels/device/compile/compile.h"
#include "kernels/measure/device/device_choice.h"
#include "kernels/measure/device/loaded_code.h"

#include "embedded/warplens_measure.h"

namespace warplens {

CUfunction deviceKernel(const char* name) {
    static const LoadedCode code = [] {
        const DeviceCode text{.unit = {"device_kernels.cu", std::string(measure_texts::embeddedFile(
                                                                "device_kernels.cu"))}};
        return LoadedCode(
            compileDeviceCode(text, {}, {.computeCapability = computeCapabilityNumber()}).cubin);
    }();
    return code.kernel(name);
}

}  // namespace warplens
