#include "kernels/measure/device/memory_limit.h"

#include "core/text/format.h"

namespace warplens {

void requireMemory(const Experiment& experiment, std::uint64_t freeBytes,
                   const std::string& deviceName) {
    const Kernel& kernel = kernelOf(experiment);
    const std::uint64_t needed = arrayBytes(kernel, experiment.arguments, experiment.launch);
    if (needed <= freeBytes) return;
    throw InvalidRequest(
        {{"memory of the arrays", groupedDigits(needed) + " bytes (" + formatBytes(needed) + ")",
          "at most " + groupedDigits(freeBytes) + " bytes (" + formatBytes(freeBytes) +
              "), free on " + deviceName}});
}

}  // namespace warplens
