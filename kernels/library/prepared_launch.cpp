#include "kernels/library/prepared_launch.h"

#include <algorithm>
#include <cstring>

#include "kernels/library/predict.h"
#include "kernels/ptx/open/signature.h"

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
    return {.file = kernel.file,
            .text = kernel.text,
            .kernel = instance,
            .computeCapability = computeCapability};
}

StatedDemand demandOf(const Experiment& experiment, const Measurement* compiled) {
    // While a size is being typed there may be no such kernel.
    const bool canRun = validateRun(experiment).empty();
    StatedDemand demand{.block = {.threads = experiment.launch.block.count(),
                                  .registersPerThread = assumedRegisters,
                                  .staticSharedBytes = canRun ? staticSharedBytes(experiment) : 0,
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

namespace warplens::library {

SharedLayout sharedLayoutOf(const Experiment& experiment, const ptx::SharedLayout* there) {
    const Kernel& kernel = kernelOf(experiment);
    const FormulaPlace place{.launch = experiment.launch};
    SharedLayout layout;
    for (const KernelShared& shared : kernel.shared) {
        SharedArray& array = layout.arrays.emplace_back();
        array.place.elementBytes = shared.elementBytes;
        if (!shared.columns.empty()) {
            array.place.columns =
                static_cast<std::uint32_t>(shared.columns(experiment.arguments, place));
        }
        if (there == nullptr) {
            array.isStatic = shared.of.empty();
            array.bytes = UINT32_MAX;
            continue;
        }
        const auto isIt = [&](const ptx::SharedArray& candidate) {
            return candidate.bytes != 0 && !candidate.name.empty() &&
                   ptx::declaredName(candidate.name) == shared.name;
        };
        const auto found = std::ranges::find_if(there->arrays, isIt);
        if (!shared.of.empty() || found == there->arrays.end()) continue;
        array.isStatic = true;
        array.address = found->address;
        array.bytes = found->bytes;
        array.place.offset = layout.staticBytes;
        layout.staticBytes += static_cast<std::uint32_t>(found->bytes);
    }
    std::uint64_t end = experiment.launch.dynamicSharedBytes;
    for (std::size_t i = kernel.shared.size(); i-- > 0;) {
        SharedArray& array = layout.arrays[i];
        if (array.isStatic) continue;
        const KernelShared& shared = kernel.shared[i];
        std::uint64_t from = 0;
        if (!shared.begin.empty()) {
            from = shared.begin(experiment.arguments, place) * shared.elementBytes;
        }
        array.bytes = end > from ? end - from : 0;
        if (there != nullptr) array.address = there->arrays.front().address + from;
        array.from = from;
        array.place.offset = layout.staticBytes + static_cast<std::uint32_t>(from);
        end = from;
    }
    return layout;
}

SharedLayout sharedLayoutOf(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    if (!hasPtx(kernel)) return sharedLayoutOf(experiment, nullptr);
    const TakenProgram program(kernel, ptxOf(kernel, PtxKind::source), false);
    const ptx::Function& function = program->instance(kernel.instance(experiment.arguments));
    const ptx::SharedLayout there =
        program->program().sharedLayout(function, experiment.launch.dynamicSharedBytes);
    return sharedLayoutOf(experiment, &there);
}

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
                               std::shared_ptr<const ArrayMemory> memory, std::string_view ptx,
                               bool computes)
    : file_(kernelOf(experiment)),
      experiment_(experiment),
      memory_(std::move(memory)),
      program_(file_, ptx.empty() ? ptxOf(file_, PtxKind::source) : ptx,
               memory_->hasValues() || computes) {
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
    if (request.lanes == 0 ||
        (request.kind != AccessKind::store && request.kind != AccessKind::atomic)) {
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
