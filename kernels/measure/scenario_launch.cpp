#include "kernels/measure/scenario_launch.h"

#include <algorithm>
#include <map>

#include "core/launch/launch.h"
#include "core/text/format.h"
#include "kernels/library/array_memory.h"
#include "kernels/measure/device/device_query.h"

namespace warplens {
namespace {

/// Atomics on what may be global memory.
bool hasGlobalAtomics(const std::string& ptx) {
    for (const char* const name : {"atom.", "red."}) {
        for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
            const bool begins = at == 0 || ptx[at - 1] == '\t' || ptx[at - 1] == ' ';
            const std::string_view words(ptx.data() + at, ptx.find_first_of(" \t", at) - at);
            if (begins && words.find(".shared") == words.npos) return true;
        }
    }
    return false;
}

}  // namespace

CompiledUnit compileKernelFile(const Kernel& file, const std::string& instance,
                               int computeCapability) {
    return compileDeviceCode(file.file, file.text, {instance},
                             {.computeCapability = computeCapability});
}

LoadedKernel::LoadedKernel(const Kernel& file, std::string instance)
    : file_(file),
      instance_(std::move(instance)),
      compiled_(compileKernelFile(file, instance_, computeCapabilityNumber())),
      symbol_(compiled_.symbols.at(instance_)),
      code_(compiled_.cubin),
      plain_(code_.kernel(symbol_)),
      addsToMemory_(hasGlobalAtomics(compiled_.ptx)) {}

CUfunction LoadedKernel::scheduled() {
    if (!scheduled_) {
        scheduled_.emplace(compileScheduleText(file_, instance_, computeCapabilityNumber()).cubin);
    }
    return scheduled_->kernel(scheduledKernelName);
}

LoadedKernel& loadedKernel(const Kernel& file, const Arguments& arguments) {
    static std::map<std::pair<std::string, std::string>, LoadedKernel> kept;
    std::string instance = file.instance(arguments);
    const auto found = kept.find({file.text, instance});
    if (found != kept.end()) return found->second;
    return kept.try_emplace({file.text, instance}, file, instance).first->second;
}

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

ScenarioLaunch::ScenarioLaunch(const Experiment& experiment, const Device& device)
    : ScenarioLaunch(experiment, device, loadedKernel(kernelOf(experiment), experiment.arguments)) {
}

ScenarioLaunch::ScenarioLaunch(const Experiment& experiment, const Device& device,
                               LoadedKernel& loaded)
    : DeviceLaunch(experiment.launch, loaded.plain()),
      experiment_(experiment),
      kernel_(kernelOf(experiment)),
      loaded_(loaded) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(Driver::open().memGetInfo(&free, &total), "cuMemGetInfo");
    requireMemory(experiment, free, device.name);
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        const KernelArray& array = kernel_.arrays[i];
        const std::uint64_t elementBytes = byteCount(array.type);
        arrays_.emplace_back(length(i) * elementBytes, experiment.arrayOffset * elementBytes);
        if (!array.filled.empty()) {
            const library::ArrayMemory values(experiment, false);
            arrays_[i].write(reinterpret_cast<const std::byte*>(values.arrays()[i].begin),
                             arrays_[i].bytes());
        } else if (array.role == ArrayRole::input) {
            launchKernel(deviceKernel("fillInput"), {.grid = {1024}, .block = {256}},
                         arrays_[i].address(), arrays_[i].bytes() / sizeof(float),
                         static_cast<std::uint32_t>(i));
        } else {
            arrays_[i].fill(loaded_.addsToMemory() ? 0 : 0xff);
        }
    }
    std::vector<std::byte> parameters;
    for (const CallParameter& parameter : kernel_.parameters) {
        if (parameter.isArray) {
            appendParameter(parameters, arrays_[parameter.which].address());
            continue;
        }
        const std::uint64_t bits = bitsOf(parameter.type, experiment.arguments.at(parameter.name));
        if (byteCount(parameter.type) == sizeof bits) {
            appendParameter(parameters, bits);
        } else {
            appendParameter(parameters, static_cast<std::uint32_t>(bits));
        }
    }
    setParameters(std::move(parameters));
}

std::uint64_t ScenarioLaunch::bytes() const {
    return arrayBytes(kernel_, experiment_.arguments, experiment_.launch);
}

std::size_t ScenarioLaunch::outputArray() const {
    const auto found = std::ranges::find(kernel_.arrays, ArrayRole::output, &KernelArray::role);
    return static_cast<std::size_t>(found - kernel_.arrays.begin());
}

std::uint64_t ScenarioLaunch::length(std::size_t array) const {
    return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
}

Schedule ScenarioLaunch::schedule(std::uint32_t multiprocessors,
                                  std::vector<std::string>& notes) const {
    CUfunction const stamping = loaded_.scheduled();
    allowSharedMemory(stamping, launch());
    const int resident = residentBlocksOf(stamping, launch());
    if (resident != residentBlocks()) {
        notes.push_back("schedule: with time stamps " + std::to_string(resident) +
                        " blocks fit an SM at once, without " + std::to_string(residentBlocks()));
    }
    return recordSchedule(launch(), multiprocessors,
                          [&](std::span<const std::byte> records) { run(stamping, records); });
}

}  // namespace warplens
