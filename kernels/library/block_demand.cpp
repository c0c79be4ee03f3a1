#include "kernels/library/block_demand.h"

#include "kernels/library/remote_tracer.h"
#include "kernels/library/run/shared_layout.h"
#include "kernels/library/run/unit_row.h"

namespace warplens {

std::uint32_t staticSharedBytes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    if (library::unitOf(kernel) == nullptr) {
        return library::makeRemoteTracer(kernel, experiment)->staticSharedBytes();
    }
    return library::sharedLayoutOf(experiment).staticBytes;
}

StatedDemand demandOf(const Experiment& experiment, const Measurement* compiled) {
    StatedDemand demand{.block = {.threads = experiment.launch.block.count(),
                                  .registersPerThread = assumedRegisters,
                                  .staticSharedBytes = staticSharedBytes(experiment),
                                  .dynamicSharedBytes = experiment.launch.dynamicSharedBytes},
                        .registersFrom = "assumed",
                        .sharedFrom = "what the kernel declares"};
    if (compiled != nullptr && compiled->resources) {
        demand.block.registersPerThread = compiled->resources->registersPerThread;
        demand.registersFrom = "as compiled for " + compiled->device.computeCapability +
                               ", measured on " + compiled->device.name;
    }
    return demand;
}

const Measurement* tellingResources(const Experiment& experiment,
                                    std::span<const Measurement* const> measurements) {
    const Measurement* best = nullptr;
    for (const Measurement* candidate : measurements) {
        if (!candidate->resources || candidate->experiment.scenario != experiment.scenario)
            continue;
        if (candidate->experiment.arguments == experiment.arguments) return candidate;
        if (best == nullptr) best = candidate;
    }
    return best;
}

}  // namespace warplens
