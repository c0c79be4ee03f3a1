#include "core/occupancy/occupancy.h"

#include "core/measurement/measurement.h"

namespace warplens {
namespace {

/// `32 warps x 2304 = 73728`, with as many warps as the launch check takes.
std::string registersInWords(const SmLimits& limits, const BlockDemand& block) {
    const std::uint64_t registers = occupancy::registersChecked(limits, block);
    if (limits.registerAllocation == RegisterAllocation::perBlock) return std::to_string(registers);
    const std::uint64_t warps = occupancy::roundUp(block.warps(), limits.launchWarpUnit);
    return std::to_string(warps) + " warps x " + std::to_string(registers / warps) + " = " +
           std::to_string(registers);
}

}  // namespace

std::string_view toString(SmResource resource) {
    constexpr std::array<std::string_view, smResources.size()> names{"blocks", "warps", "registers",
                                                                     "shared memory"};
    return names.at(static_cast<std::size_t>(resource));
}

std::string limitersOf(const Occupancy& occupancy) {
    if (occupancy.residentBlocks == 0) return "";
    std::vector<std::string_view> limiters;
    for (const SmResource resource : smResources) {
        if (occupancy.isLimitedBy(resource)) limiters.push_back(toString(resource));
    }
    std::string text;
    for (std::size_t i = 0; i < limiters.size(); ++i) {
        if (i != 0) text += i + 1 == limiters.size() ? " and " : ", ";
        text += limiters[i];
    }
    return text;
}

std::vector<LimitViolation> refusalsOf(const SmLimits& limits, const BlockDemand& block) {
    std::vector<LimitViolation> refusals;
    const auto refuse = [&](const char* name, const std::string& value, std::uint64_t most) {
        refusals.push_back({name, value, "at most " + std::to_string(most)});
    };
    if (block.threads == 0) refusals.push_back({"threads per block", "0", "at least 1"});
    if (block.threads > limits.threadsPerBlock) {
        refuse("threads per block", std::to_string(block.threads), limits.threadsPerBlock);
    }
    if (block.registersPerThread > limits.registersPerThread) {
        refuse("registers per thread", std::to_string(block.registersPerThread),
               limits.registersPerThread);
    }
    // With too many threads or registers for a thread, those for the block say nothing new.
    if (refusals.empty() && occupancy::registersChecked(limits, block) > limits.registersPerBlock) {
        refuse("registers per block", registersInWords(limits, block), limits.registersPerBlock);
    }
    if (block.staticSharedBytes > limits.sharedBytesPerBlock) {
        refuse("static shared memory", std::to_string(block.staticSharedBytes) + " bytes",
               limits.sharedBytesPerBlock);
    }
    if (block.sharedBytes() > limits.sharedBytesPerBlockOptIn) {
        refuse("shared memory per block", std::to_string(block.sharedBytes()) + " bytes",
               limits.sharedBytesPerBlockOptIn);
    }
    return refusals;
}

std::optional<BlockDemand> demandOf(const Measurement& measurement) {
    if (!measurement.resources) return std::nullopt;
    return BlockDemand{.threads = measurement.experiment.launch.block.count(),
                       .registersPerThread = measurement.resources->registersPerThread,
                       .staticSharedBytes = measurement.resources->staticSharedBytes,
                       .dynamicSharedBytes = measurement.experiment.launch.dynamicSharedBytes};
}

const SmLimits* smLimitsOf(const Device& device) {
    const auto capability = parseComputeCapability(device.computeCapability);
    return capability ? findSmLimits(*capability) : nullptr;
}

}  // namespace warplens
