#include "kernels/programs/runtime_api/launching.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/compare.h"
#include "kernels/programs/runtime_api/inputs.h"
#include "kernels/programs/runtime_api/lines.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/source_run.h"
#include "kernels/programs/runtime_api/steps.h"
#include "kernels/ptx/open/signature.h"

namespace warplens::programs {
namespace {

constexpr std::uint32_t mostDynamicSharedBytes = 227 << 10;

/// Runs tasks on threads of their own; where there are none to be had, on this one.
void sideBySide(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::thread> threads;
    std::size_t begun = 1;
    try {
        for (; begun < count; ++begun) threads.emplace_back(task, begun);
    } catch (const std::system_error&) {
    }
    task(0);
    for (; begun < count; ++begun) task(begun);
    for (std::thread& thread : threads) thread.join();
}

ptx::Surroundings surroundings(bool prints) {
    ptx::Surroundings around;
    if (prints) {
        around.print = [](std::string_view text) {
            std::fwrite(text.data(), 1, text.size(), stdout);
        };
    }
    around.sideBySide = sideBySide;
    around.width = std::max(1u, std::thread::hardware_concurrency());
    return around;
}

std::vector<std::byte> parametersOf(const ptx::Function& kernel, void** arguments) {
    std::vector<std::byte> bytes(kernel.parameterBytes());
    for (std::size_t at = 0; at < kernel.parameters.size(); ++at) {
        const ptx::Parameter& parameter = kernel.parameters[at];
        std::memcpy(bytes.data() + parameter.offset, arguments[at], parameter.bytes);
    }
    return bytes;
}

/// The same launch of what `-G` made of the kernel; nothing where it made none.
std::optional<ptx::KernelLaunch> asWritten(const ptx::KernelLaunch& launch) {
    ptx::KernelLaunch debug = launch;
    debug.kernel = RuntimeDevice::instance().source().function(launch.kernel->name);
    if (debug.kernel == nullptr || debug.kernel->isDeclaration) return std::nullopt;
    return debug;
}

/// The kernel's arguments that are whole numbers.
std::vector<LaunchArgument> numbersAmong(const ptx::KernelLaunch& launch,
                                         const std::vector<std::string>& names) {
    std::vector<LaunchArgument> numbers;
    const ptx::Signature signature = ptx::signatureOf(*launch.kernel);
    for (std::size_t at = 0; at < names.size(); ++at) {
        const ptx::Parameter& parameter = launch.kernel->parameters[at];
        const ptx::DeclaredParameter& declared = signature.parameters[at];
        const bool isNumber = parameter.bytes == 4 || parameter.bytes == 8;
        if (!isNumber || declared.isPointer || declared.isFloat) continue;
        std::int64_t value = 0;
        std::memcpy(&value, launch.parameters.data() + parameter.offset, parameter.bytes);
        const bool isUnsigned = declared.type.starts_with("unsigned");
        if (parameter.bytes == 4 && !isUnsigned) value = static_cast<std::int32_t>(value);
        numbers.push_back({names[at], value});
    }
    return numbers;
}

/// The error that a device would be lost with.
cuda::Error errorOf(const ptx::LaunchResult& result) {
    for (const Finding& finding : result.findings) {
        switch (finding.kind) {
            case FindingKind::outOfBounds:
            case FindingKind::useAfterFree:
            case FindingKind::hostPointer:
            case FindingKind::wildPointer:
                return cuda::illegalAddress;
            case FindingKind::misaligned:
                return cuda::misalignedAddress;
            case FindingKind::failedAssertion:
                return cuda::deviceAssert;
            case FindingKind::stackOverflow:
                return cuda::hardwareStackError;
            default:
                break;
        }
    }
    return result.ended.empty() ? cuda::success : cuda::launchFailure;
}

class Launching final {
  public:
    cuda::Error run(const HostLaunch& host, void** arguments);

  private:
    cuda::Error refuse(cuda::Error error, const std::string& words);
    /// Sends the steps that are asked for, and ends the program: what comes later is not.
    [[noreturn]] void endWithSteps(const ProgramLaunch& told, const ptx::KernelLaunch& launch);
    /// `parameters` are the names of the kernel's.
    void count(ProgramLaunch& told, const ptx::KernelLaunch& launch,
               const std::vector<std::string>& parameters);
    void tell(const ProgramLaunch& told, const std::vector<Finding>& findings);

    Declarations declarations_;
    ptx::Memory::Snapshot snapshot_;
    std::uint32_t next_ = 0;
};

cuda::Error Launching::refuse(cuda::Error error, const std::string& words) {
    ++next_;
    sendFinding(FindingKind::launchRefused, words);
    return RuntimeDevice::instance().fail(error);
}

cuda::Error Launching::run(const HostLaunch& host, void** arguments) {
    RuntimeDevice& device = RuntimeDevice::instance();
    if (device.lost() != cuda::success) return device.lost();
    const HostKernel* known = device.kernel(host.stub);
    const ptx::Function* kernel =
        known == nullptr ? nullptr : device.compiled().function(known->name);
    if (kernel == nullptr || kernel->isDeclaration) return device.fail(cuda::invalidDeviceFunction);

    ProgramLaunch told;
    told.index = next_;
    told.kernel = kernelName(kernel->name);
    told.instance = told.kernel;
    ptx::KernelLaunch launch{
        .kernel = kernel,
        .launch = {.grid = {host.grid.x, host.grid.y, host.grid.z},
                   .block = {host.block.x, host.block.y, host.block.z},
                   .dynamicSharedBytes = static_cast<std::uint32_t>(host.dynamicSharedBytes)},
        .parameters = parametersOf(*kernel, arguments),
        .isCooperative = host.isCooperative};
    told.traced = options().counts(told);
    if (told.traced && (options().grid || options().block)) {
        launch.launch.grid = options().grid.value_or(launch.launch.grid);
        launch.launch.block = options().block.value_or(launch.launch.block);
        told.overridden = true;
    }
    told.launch = launch.launch;
    LaunchLimits limits;
    limits.dynamicSharedBytes = static_cast<std::uint32_t>(known->maxDynamicSharedBytes);
    const std::vector<LimitViolation> broken = validate(launch.launch, limits);
    if (!broken.empty()) {
        std::string words = told.kernel + toLaunchSyntax(launch.launch) + " is refused:";
        for (const LimitViolation& violation : broken) words += " " + toString(violation);
        const bool isMemory = host.dynamicSharedBytes > limits.dynamicSharedBytes;
        return refuse(isMemory ? cuda::invalidValue : cuda::invalidConfiguration, words);
    }
    launch.cluster = {host.cluster.x, host.cluster.y, host.cluster.z};
    if (launch.cluster.count() == 1 && kernel->clusterDims[0] != 0)
        launch.cluster = {kernel->clusterDims[0], kernel->clusterDims[1], kernel->clusterDims[2]};
    const Extents cluster = launch.cluster;
    const Extents grid = launch.launch.grid;
    if (cluster.count() > 15 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
        grid.z % cluster.z != 0) {
        return refuse(static_cast<cuda::Error>(912),
                      told.kernel + ": clusters of " + std::to_string(cluster.x) + " x " +
                          std::to_string(cluster.y) + " x " + std::to_string(cluster.z) +
                          " blocks, at most 15 and the grid a multiple of them");
    }
    const std::vector<std::string> parameters =
        declarations_.parametersOf(device.compiled(), *kernel);
    nameArrays(device.memory(), launch, parameters);
    told.arguments = numbersAmong(launch, parameters);
    std::fflush(stdout);
    if (told.traced && options().stepsOf) endWithSteps(told, launch);
    count(told, launch, parameters);
    ++next_;
    return cuda::success;
}

void Launching::endWithSteps(const ProgramLaunch& told, const ptx::KernelLaunch& launch) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const auto refuseSteps = [&](const std::string& words) {
        sendFinding(FindingKind::notSupported, "launch " + std::to_string(told.index) + words);
        _exit(0);
    };
    const Index3 block = *options().stepsOf;
    const Extents grid = launch.launch.grid;
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
        refuseSteps(" has no such block");
    const std::optional<ptx::KernelLaunch> debug = asWritten(launch);
    if (!debug) refuseSteps(": nothing tells its steps as they are written");
    ptx::Surroundings around = surroundings(false);
    around.isStopped = [end = secondsNow() + options().secondsMost] { return secondsNow() > end; };
    BlockSteps steps = stepsOfBlock(device, *debug, block, std::move(around));
    steps.launch = told.index;
    steps.kernel = told.kernel;
    sendSteps(steps);
    _exit(0);
}

void Launching::count(ProgramLaunch& told, const ptx::KernelLaunch& launch,
                      const std::vector<std::string>& parameters) {
    RuntimeDevice& device = RuntimeDevice::instance();
    ptx::Memory& memory = device.memory();
    std::optional<ptx::KernelLaunch> debug;
    if (told.traced) debug = asWritten(launch);
    const bool hasSource = debug.has_value();
    std::optional<KeptInputs> inputs;
    if (options().inputsOf == told.index) inputs.emplace(device, told.index);
    if (hasSource) memory.save(snapshot_);
    const double begin = secondsNow();
    ptx::Surroundings around = surroundings(true);
    around.isStopped = [end = begin + options().secondsMost] { return secondsNow() > end; };
    const ptx::LaunchResult compiled = ptx::run(device.compiled(), launch, around);
    told.seconds = secondsNow() - begin;
    told.blocks = launch.launch.grid.count();
    told.blocksTraced = compiled.blocks;
    told.laneAccesses = compiled.laneAccesses;
    told.exact = compiled.ended.empty();
    if (told.traced) {
        CompiledCount& count = told.compiled.emplace();
        count.exact = told.exact;
        count.blocksTraced = compiled.blocks;
        count.seconds = told.seconds;
    }
    if (told.traced) told.lines = linesOf(device.compiled(), launch, compiled, Source::compiled);
    if (inputs && compiled.ended.empty()) inputs->send(launch, told.instance, parameters);
    std::vector<Finding> findings = compiled.findings;
    if (hasSource) {
        memory.exchange(snapshot_);
        const double beginOfSource = secondsNow();
        SourceRun source =
            runSource(device, *debug, surroundings(false), options().secondsPerLaunch);
        told.lines.insert(told.lines.begin(), std::make_move_iterator(source.lines.begin()),
                          std::make_move_iterator(source.lines.end()));
        told.seconds = secondsNow() - beginOfSource;
        told.exact = source.isExact;
        told.blocksTraced = source.blocks;
        told.bounds = std::move(source.bounds);
        const std::string launched =
            "launch " + std::to_string(told.index) + " (" + told.kernel + "): ";
        if (source.isWhole && compiled.ended.empty()) {
            for (const std::string& words : differences(memory, snapshot_))
                sendNote(launched + words);
        }
        for (const std::string& note : source.notes) sendNote(launched + note);
        memory.exchange(snapshot_);
        // What optimising has removed is found in what was written; the rest as it would be on a
        // device.
        findings = std::move(source.findings);
        for (const Finding& finding : compiled.findings) {
            const auto isSame = [&](const Finding& other) {
                return other.kind == finding.kind && other.place.line == finding.place.line;
            };
            if (std::ranges::none_of(findings, isSame)) findings.push_back(finding);
        }
    }
    tell(told, findings);
    if (!compiled.ended.empty()) sendNote(told.kernel + " ended early: " + compiled.ended);
    // What is wrong with one access is told, and the program goes on, so that all of it is.
    if (!compiled.ended.empty()) device.fail(errorOf(compiled), true);
}

void Launching::tell(const ProgramLaunch& told, const std::vector<Finding>& findings) {
    sendLaunch(told);
    for (Finding finding : findings) {
        finding.kernel = told.kernel;
        finding.launch = told.index;
        sendFinding(finding);
    }
}

}  // namespace

cuda::Error launch(const HostLaunch& host, void** arguments) {
    static Launching& launching = *new Launching;
    return launching.run(host, arguments);
}

}  // namespace warplens::programs
