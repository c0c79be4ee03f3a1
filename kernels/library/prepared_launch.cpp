#include "kernels/library/prepared_launch.h"

#include <algorithm>
#include <cstring>

#include "core/trace/warp_observer.h"
#include "kernels/library/predict.h"

namespace warplens::library {
namespace {

/// Of the array's first element.
std::uint64_t addressOf(const Experiment& experiment, std::size_t array) {
    const std::uint64_t element = byteCount(kernelOf(experiment).arrays[array].type);
    return trace::baseAddress(static_cast<std::uint16_t>(array)) + experiment.arrayOffset * element;
}

std::vector<std::byte> parametersOf(const Experiment& experiment, const ptx::Function& function) {
    const Kernel& kernel = kernelOf(experiment);
    std::vector<std::byte> bytes(function.parameterBytes());
    for (std::size_t at = 0; at < kernel.parameters.size(); ++at) {
        const CallParameter& parameter = kernel.parameters[at];
        const ptx::Parameter& place = function.parameters.at(at);
        const std::uint64_t bits =
            parameter.isArray ? addressOf(experiment, parameter.which)
                              : bitsOf(parameter.type, experiment.arguments.at(parameter.name));
        std::memcpy(bytes.data() + place.offset, &bits, std::min(place.bytes, 8u));
    }
    return bytes;
}

}  // namespace

std::size_t arrayAt(std::uint64_t address) {
    return static_cast<std::size_t>(address / trace::baseAddress(0)) - 1;
}

PreparedLaunch::PreparedLaunch(const Experiment& experiment,
                               std::shared_ptr<const ArrayMemory> memory, PtxKind kind)
    : file_(kernelOf(experiment)),
      experiment_(experiment),
      memory_(std::move(memory)),
      program_(file_, kind, memory_->hasValues()) {
    const ptx::Function& function = program_->instance(file_.instance(experiment.arguments));
    launch_ = {&function, experiment.launch, parametersOf(experiment, function)};
    const ptx::SharedLayout there =
        program().sharedLayout(function, experiment.launch.dynamicSharedBytes);
    shared_ = sharedLayoutOf(experiment, &there);
    for (std::size_t i = 0; i < file_.arrays.size(); ++i) {
        const ArrayMemory::Array& array = memory_->arrays()[i];
        ptx::Allocation* const made = program_->memory().adopt(
            addressOf(experiment_, i), reinterpret_cast<std::byte*>(array.begin), array.bytes,
            ptx::Allocation::Kind::device);
        made->mirror = array.mirror;
        made->name = file_.arrays[i].name;
        made->elementAlignment = std::min(16u, infoOf(file_.arrays[i].type).bytes);
    }
}

void refuseStoresToInputs(const Kernel& kernel, const ptx::Program& program,
                          const ptx::Request& request) {
    if (request.lanes == 0 || (request.kind != ptx::SiteKind::globalStore &&
                               request.kind != ptx::SiteKind::globalAtomic)) {
        return;
    }
    ptx::forEachLane(request.lanes, [&](std::uint32_t lane) {
        const std::size_t array = arrayAt(request.warp.addresses[lane]);
        if (array >= kernel.arrays.size() || kernel.arrays[array].role == ArrayRole::output) return;
        throw TraceFault(kernel.name + " line " +
                         std::to_string(program.sites()[request.site].origin.place.line) +
                         ": a store to " + kernel.arrays[array].name + ", which is an input");
    });
}

PreparedLaunch::~PreparedLaunch() {
    for (std::size_t i = 0; i < file_.arrays.size(); ++i)
        program_->memory().release(addressOf(experiment_, i));
}

}  // namespace warplens::library
