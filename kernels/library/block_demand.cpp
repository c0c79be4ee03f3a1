#include "kernels/library/block_demand.h"

#include "kernels/library/prepared_launch.h"

namespace warplens {

std::uint32_t staticSharedBytes(const Experiment& experiment) {
    return library::sharedLayoutOf(experiment).staticBytes;
}

void StatedDemand::take(const CompileAnswer& answer) {
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        unknown = failure->message.substr(0, failure->message.find('\n'));
        return;
    }
    const auto& compiled = std::get<CompiledResources>(answer);
    block.registersPerThread = compiled.resources.registersPerThread;
    block.staticSharedBytes = compiled.resources.staticSharedBytes;
    registersFrom = sharedFrom =
        "compiled for " + compiled.computeCapability + " by " + compiled.compiler;
}

CompileRequest compileRequestFor(const Kernel& kernel, const std::string& instance,
                                 const std::string& computeCapability) {
    return {.sources = {.units = {{.path = kernel.file, .text = kernel.text}}},
            .kernel = instance,
            .computeCapability = computeCapability};
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
