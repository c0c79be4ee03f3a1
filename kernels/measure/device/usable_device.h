#pragma once

#include <string>

#include "kernels/measure/device/driver.h"

namespace warplens {

/// `13.0`, of a version as CUDA numbers it: 13000.
[[nodiscard]] std::string cudaVersionText(int version);

/// Throws NoDevice, with what to do, unless this driver (0: there is none) can run programs of this
/// release of CUDA: minor versions are compatible, major ones are not (CUDA Compatibility, 3.1).
void requireDriver(int driver, int needed);

/// Throws NoDevice, with what to do, unless cuInit succeeded.
void requireInitialized(CUresult answer);

/// How many devices this driver gives this process. Makes no context. Throws NoDevice.
[[nodiscard]] int requireUsableDevice();

/// `GPU-8c9fcd5b-2f8c-…`, as nvidia-smi writes it.
[[nodiscard]] std::string uuidInWords(const CUuuid& uuid);

}  // namespace warplens
