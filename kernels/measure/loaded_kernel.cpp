#include "kernels/measure/loaded_kernel.h"

#include <algorithm>
#include <map>

#include "kernels/measure/device/device_choice.h"
#include "kernels/measure/schedule_text.h"

namespace warplens {

std::shared_ptr<const CompiledUnit> compileKernelFile(const Kernel& file,
                                                      const std::string& instance,
                                                      int computeCapability) {
    return compileUnit({.units = {{.path = file.file, .text = file.text}}}, 0, {instance},
                       {.computeCapability = computeCapability});
}

CompiledUnit compileScheduleText(const Kernel& file, const std::string& instance,
                                 int computeCapability) {
    const DeviceCode code{.unit = {file.file, scheduleText(file, instance)},
                          .usesDeviceHeaders = file.text.find("#include") != std::string::npos};
    return compileDeviceCode(code, {}, {.computeCapability = computeCapability});
}

LoadedKernel::LoadedKernel(const Kernel& file, std::string instance)
    : file_(file),
      instance_(std::move(instance)),
      compiled_(compileKernelFile(file, instance_, computeCapabilityNumber())),
      symbol_(compiled_->symbols.at(instance_)),
      code_(compiled_->cubin),
      plain_(code_.kernel(symbol_)),
      addsToMemory_(std::ranges::any_of(sitesOf(compiled_->ptx, {symbol_}), [](const Site& site) {
          return site.kind == SiteKind::atomic && site.space != SiteSpace::shared;
      })) {}

const ProbedCode& LoadedKernel::probed() {
    // One copy for blocks of any size: the bound holds the product of the three extents.
    if (!probed_) probed_.emplace(compiled_->ptx, symbol_, Extents{1024}, std::set{file_.file});
    return *probed_;
}

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

}  // namespace warplens
