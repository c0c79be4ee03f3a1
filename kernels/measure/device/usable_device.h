#pragma once

#include <cuda_runtime_api.h>
#include <string>

namespace warplens {

/// `13.0`, of a version as CUDA numbers it: 13000.
[[nodiscard]] std::string cudaVersionText(int version);

/// Throws NoDevice, with what to do, unless this driver (0: there is none) can run programs of this
/// runtime: CUDA's minor versions are compatible, its major ones are not (CUDA Compatibility, 3.1).
void requireDriver(int driver, int runtime);

/// How many devices this driver and this runtime give this process. Makes no context. Throws
/// NoDevice.
[[nodiscard]] int requireUsableDevice();

/// `GPU-8c9fcd5b-2f8c-…`, as nvidia-smi writes it.
[[nodiscard]] std::string uuidInWords(const cudaUUID_t& uuid);

/// Throws NoDevice unless cudaGetDeviceCount succeeded and found one.
void requireDevice(cudaError_t answer, int count);

}  // namespace warplens
