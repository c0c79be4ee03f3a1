#include "kernels/programs/runtime_api/launching.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/program/mangled_names.h"
#include "core/program/trace_frames.h"
#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/seen_launch.h"
#include "kernels/programs/runtime_api/source_run.h"
#include "kernels/programs/runtime_api/streams.h"
#include "kernels/ptx/check/alike.h"
#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/read/covering.h"
#include "kernels/ptx/run/launch_lines.h"

namespace warplens::programs {
namespace {

/// Shared memory of a block that no attribute asked for: all that a kernel's text may declare, and
/// what kernels may give to those that they launch.
constexpr int mostShared = 48 << 10;
constexpr std::uint64_t mostConstant = 64 << 10;

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
    // `-G` code of a line is decoded behind the optimised code of it.
    static_cast<void>(RuntimeDevice::instance().compiled().code(*launch.kernel));
    debug.kernel = RuntimeDevice::instance().source().function(launch.kernel->name);
    if (debug.kernel == nullptr || debug.kernel->isDeclaration) return std::nullopt;
    return debug;
}

/// The kernel's arguments that are whole numbers.
Arguments numbersAmong(const ptx::KernelLaunch& launch, const std::vector<std::string>& names) {
    Arguments numbers;
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
        numbers.set(names[at], value);
    }
    return numbers;
}

/// The arrays that a launch has stored to.
std::vector<const ptx::Allocation*> writtenBy(RuntimeDevice& device,
                                              const ptx::LaunchResult& result) {
    std::set<std::uint32_t> ids;
    for (const ptx::ArrayCounts& entry : result.counts) {
        const AccessKind kind = device.compiled().sites()[entry.site].kind;
        if (kind == AccessKind::store || kind == AccessKind::atomic) ids.insert(entry.array);
    }
    std::vector<const ptx::Allocation*> arrays;
    for (const auto& [address, array] : device.memory().allocations()) {
        if (ids.contains(array.id) && !array.freed) arrays.push_back(&array);
    }
    return arrays;
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

/// Launches after so many are told only where none before was like them: a report of each that a
/// long simulation makes would take gigabytes.
constexpr std::uint32_t mostTold = 2000;

class Launching final {
  public:
    bool resume();
    void wait(std::optional<cuda::Stream> stream);
    cuda::Error run(const HostLaunch& host, void** arguments);
    /// What was not run, once the program ends.
    void finish();

  private:
    cuda::Error run(ptx::KernelLaunch launch, int mostDynamicShared);
    /// Tells it by the one before where it repeats that and changes nothing.
    bool repeats(const SeenLaunch& seen);
    cuda::Error refuse(cuda::Error error, const std::string& words);
    /// What each block has before the launch says anything; with words where ptxas refuses that.
    struct FixedMemory final {
        std::uint64_t sharedBytes = 0;
        std::string refusal;
    };
    const FixedMemory& fixedMemoryOf(const ptx::Function& kernel);
    cuda::Error leaveOut();
    /// Sends the steps that are asked for, and ends the program: what comes later is not.
    [[noreturn]] void endWithSteps(const LaunchReport& told, const ptx::KernelLaunch& launch);
    /// `parameters` are the names of the kernel's.
    void count(SeenLaunch& seen, LaunchReport& told, const ptx::KernelLaunch& launch,
               const std::vector<std::string>& parameters);
    void tell(const LaunchReport& told, const std::vector<Finding>& findings,
              const std::vector<std::uint64_t>& addresses = callers());
    /// What the compiled kernel did in the launch.
    void take(LaunchReport& told, const ptx::KernelLaunch& launch,
              const ptx::LaunchResult& compiled);
    /// Whether the launch has to do with somebody who writes while it runs.
    [[nodiscard]] bool mayWait(const ptx::LaunchResult& result) const;
    void takeDone();
    /// Of one that was not run whole.
    void sayEnd(const LaunchReport& told, const ptx::LaunchResult& compiled);

    Declarations declarations_;
    std::set<const ptx::Function*> kernels_;
    std::map<const ptx::Function*, FixedMemory> fixedMemory_;
    std::uint32_t next_ = 0;
    std::deque<ptx::KernelLaunch> launched_;  ///< by kernels
    /// A launch that was looked at, and which of those in its stream it is.
    struct InStream final {
        std::uint64_t stream = 0;
        std::uint64_t count = 0;
        ptx::check::Faults::AtOnce launch{};
    };
    static constexpr std::size_t mostInStreams = 64;
    std::deque<InStream> inStreams_;  ///< the last of them
    LaunchBudget budget_;
    std::map<std::string, SeenLaunch> seen_;
    std::set<std::string> likes_;                  ///< of the launches that were run
    std::set<std::string> told_;                   ///< what differs
    std::map<std::string, std::uint32_t> toldIn_;  ///< what is wrong, and in which launch first
    std::uint64_t toldAgain_ = 0;                  ///< the same in later launches
    std::uint64_t repeated_ = 0;
    std::uint64_t untold_ = 0;
    std::uint64_t leftOut_ = 0;
    std::vector<std::unique_ptr<WaitingLaunch>> waiting_;
    cuda::Stream stream_ = nullptr;  ///< of the launch that is run
    bool hasPrinted_ = false;
    bool isMemoryFull_ = false;  ///< by the launch
    bool isFinished_ = false;
};

Launching* launching = nullptr;  // never destroyed: used by destructors of the program's statics

cuda::Error Launching::refuse(cuda::Error error, const std::string& words) {
    ++next_;
    sendFinding(FindingKind::launchRefused, words);
    return RuntimeDevice::instance().fail(error);
}

const Launching::FixedMemory& Launching::fixedMemoryOf(const ptx::Function& kernel) {
    const auto [entry, isNew] = fixedMemory_.try_emplace(&kernel);
    FixedMemory& fixed = entry->second;
    if (!isNew) return fixed;
    ptx::Program& program = RuntimeDevice::instance().compiled();
    fixed.sharedBytes = program.sharedLayout(kernel, 0).bytes;
    std::uint64_t constantBytes = 0;
    for (const auto& [name, variable] : program.moduleOf(kernel).variables)
        constantBytes += variable.space == ptx::Space::constant ? variable.bytes : 0;
    const auto refuse = [&](std::uint64_t bytes, const char* memory, std::uint64_t most) {
        fixed.refusal += " " + std::to_string(bytes) + " bytes of " + memory + ", at most " +
                         std::to_string(most) + '.';
    };
    if (fixed.sharedBytes > mostShared)
        refuse(fixed.sharedBytes, "static shared memory", mostShared);
    if (constantBytes > mostConstant) refuse(constantBytes, "constant memory", mostConstant);
    return fixed;
}

cuda::Error Launching::run(const HostLaunch& host, void** arguments) {
    RuntimeDevice& device = RuntimeDevice::instance();
    if (device.lost() != cuda::success) return device.lost();
    const HostKernel* known = device.kernel(host.stub);
    const ptx::Function* kernel =
        known == nullptr ? nullptr : device.compiled().function(known->name);
    if (kernel == nullptr || kernel->isDeclaration) return device.fail(cuda::invalidDeviceFunction);

    ptx::KernelLaunch launch{
        .kernel = kernel,
        .launch = {.grid = {host.grid.x, host.grid.y, host.grid.z},
                   .block = {host.block.x, host.block.y, host.block.z},
                   .dynamicSharedBytes = static_cast<std::uint32_t>(host.dynamicSharedBytes)},
        .parameters = parametersOf(*kernel, arguments),
        .isCooperative = host.isCooperative,
        .cluster = {host.cluster.x, host.cluster.y, host.cluster.z}};
    stream_ = streamOfGraph().value_or(host.stream);
    const cuda::Error error = run(std::move(launch), known->maxDynamicSharedBytes);
    // What kernels launch comes behind all that is there, in their order.
    for (; !launched_.empty(); launched_.pop_front()) {
        if (device.lost() == cuda::success) (void)run(launched_.front(), mostShared);
    }
    return error;
}

cuda::Error Launching::run(ptx::KernelLaunch launch, int mostDynamicShared) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const ptx::Function* kernel = launch.kernel;
    LaunchReport told;
    told.index = next_;
    told.kernel = kernelName(kernel->name);
    told.instance = told.kernel;
    told.traced = options().counts(told);
    if (told.traced && (options().grid || options().block)) {
        told.own = launch.launch;
        launch.launch.block = options().block.value_or(told.own.block);
        launch.launch.grid = options().grid
                                 ? *options().grid
                                 : ptx::coveringGrid(*kernel, told.own, launch.launch.block);
        told.overridden = true;
    }
    told.launch = launch.launch;
    const FixedMemory& fixed = fixedMemoryOf(*kernel);
    if (!fixed.refusal.empty())
        return refuse(cuda::invalidDeviceFunction,
                      told.kernel + ": nvcc's assembler refuses it." + fixed.refusal);
    LaunchLimits limits;
    limits.dynamicSharedBytes = static_cast<std::uint32_t>(mostDynamicShared);
    // What the program did not ask for, both kinds share.
    if (mostDynamicShared == mostShared)
        limits.dynamicSharedBytes -= static_cast<std::uint32_t>(fixed.sharedBytes);
    const std::vector<LimitViolation> broken = validate(launch.launch, limits);
    if (!broken.empty()) {
        const std::string words = shortKernelName(told.kernel) + toLaunchSyntax(launch.launch) +
                                  " is refused: " + toString(broken);
        const bool isMemory = launch.launch.dynamicSharedBytes > limits.dynamicSharedBytes;
        return refuse(isMemory ? cuda::invalidValue : cuda::invalidConfiguration, words);
    }
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
    if (budget_.left() <= 0 && kernels_.contains(kernel)) return leaveOut();
    std::string key = std::string(kernel->name) + toLaunchSyntax(launch.launch);
    key.append(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size());
    SeenLaunch& seen = seen_[key];
    const bool isAgain = seen.times++ != 0;
    if (isAgain && !options().inputsOf && !options().launch && repeats(seen)) {
        ++next_;
        return cuda::success;
    }
    const bool wasLikeIt = !likes_.insert(likeOf(launch, device.memory())).second;
    if (budget_.wasCut() && wasLikeIt) return leaveOut();
    if (wasLikeIt && next_ >= mostTold && !options().launch) told.traced = false;
    const double begin = secondsNow();
    const std::vector<std::string> parameters =
        declarations_.parametersOf(device.compiled(), *kernel);
    nameArrays(device.memory(), launch, parameters);
    told.arguments = numbersAmong(launch, parameters);
    std::fflush(stdout);
    if (told.traced && options().stepsOf) endWithSteps(told, launch);
    count(seen, told, launch, parameters);
    budget_.spend(secondsNow() - begin);
    ++next_;
    return cuda::success;
}

cuda::Error Launching::leaveOut() {
    forgetUnwritten(RuntimeDevice::instance());  // it would have written something
    doubtFindings();
    ++leftOut_;
    ++next_;
    return cuda::success;
}

bool Launching::repeats(const SeenLaunch& seen) {
    if (!seen.changesNothing()) return false;
    LaunchReport told = seen.told;
    told.index = next_;
    told.seconds = 0;
    if (told.compiled) told.compiled->seconds = 0;
    if (next_ < mostTold)
        sendLaunch(told);
    else
        ++untold_;
    ++repeated_;
    return true;
}

void Launching::finish() {
    if (std::exchange(isFinished_, true)) return;
    if (repeated_ != 0) {
        sendNote(std::to_string(repeated_) +
                 " launches repeat one before them with the same arguments and memory, and change "
                 "nothing: they are told by that one");
    }
    if (untold_ != 0) {
        sendNote(std::to_string(untold_) + " of the launches behind the first " +
                 std::to_string(mostTold) +
                 " are like ones before them: they were run and have no lines of their own "
                 "(--launch N counts any)");
    }
    if (toldAgain_ != 0) {
        sendNote("what is wrong is told of the first launch that does it; later ones do the same " +
                 std::to_string(toldAgain_) + (toldAgain_ == 1 ? " time" : " times"));
    }
    for (const auto& each : waiting_)
        sendNote("launch " + std::to_string(each->told.index) + " (" +
                 shortKernelName(each->told.kernel) + ") still waited when the program ended");
    if (leftOut_ != 0) {
        sendNote(std::to_string(leftOut_) +
                 " launches were not run, since the time for the program was used up: what it "
                 "printed after them means nothing (--time-limit gives it more)");
    }
}

void Launching::endWithSteps(const LaunchReport& told, const ptx::KernelLaunch& launch) {
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

void Launching::count(SeenLaunch& seen, LaunchReport& told, const ptx::KernelLaunch& launch,
                      const std::vector<std::string>& parameters) {
    RuntimeDevice& device = RuntimeDevice::instance();
    ptx::Memory& memory = device.memory();
    std::optional<ptx::KernelLaunch> debug;
    const double secondsOfSource = budget_.ofSource(kernels_.insert(launch.kernel).second);
    if (told.traced && secondsOfSource > 0) debug = asWritten(launch);
    const bool hasSource = debug.has_value();
    std::optional<KeptInputs> inputs;
    if (options().inputsOf == told.index) inputs.emplace(device, told.index);
    ptx::Memory::Snapshot snapshot;
    memory.save(snapshot);
    hasPrinted_ = false;
    const double begin = secondsNow();
    ptx::Surroundings around = surroundings(true);
    around.print = [this, print = around.print](std::string_view text) {
        hasPrinted_ = true;
        print(text);
    };
    isMemoryFull_ = false;
    around.isStopped = [this, end = begin + budget_.ofLaunch(), held = mostHeld()] {
        isMemoryFull_ |= isMemoryFull(held);
        return isMemoryFull_ || secondsNow() > end;
    };
    for (const auto& each : waiting_)
        around.gridWorkspace = std::max(around.gridWorkspace, each->workspace() + 1);
    bool isWaiting = false;
    around.waitForOthers = [&](bool) { return isWaiting = true, false; };
    const ptx::LaunchResult compiled = ptx::run(device.compiled(), launch, around);
    if (isWaiting && mayWait(compiled)) {
        memory.exchange(snapshot);  // from its begin once more
        sendNote(shortKernelName(told.kernel) +
                 " waits for what the host or another launch writes: it is counted as it was "
                 "compiled only, and what is launched after it does not wait for it");
        waiting_.push_back(std::make_unique<WaitingLaunch>(told, launch, stream_, around));
        resume();
        return;
    }
    told.seconds = secondsNow() - begin;
    const bool changed = hasChanged(memory, snapshot);
    take(told, launch, compiled);
    if (inputs && compiled.ended.empty()) inputs->send(launch, told.instance, parameters);
    waitForNothing();
    const StreamId stream = idOf(stream_);
    const StreamClock done = before(stream);
    const std::uint64_t count = putInto(stream);
    for (const ptx::Allocation* array : writtenBy(device, compiled))
        beginWriting(*array, told.kernel, stream);
    std::vector<Finding> findings = compiled.findings;
    if (hasSource) {
        memory.exchange(snapshot);
        const double beginOfSource = secondsNow();
        ptx::check::Faults& faults = device.faults();
        const std::string name = shortKernelName(told.kernel) + placeOfLaunch(told.index);
        std::vector<ptx::check::Faults::AtOnce> atOnce;
        for (const InStream& each : inStreams_) {
            const auto known = done.find(each.stream);
            if (known == done.end() || known->second < each.count) atOnce.push_back(each.launch);
        }
        faults.setAtOnce(name, std::move(atOnce));
        const auto first = faults.serial() + 1;
        SourceRun source = runSource(device, *debug, surroundings(false), secondsOfSource);
        inStreams_.push_back({stream.number, count, {first, faults.serial(), name}});
        // A program of many thousands is of a few streams.
        if (inStreams_.size() > mostInStreams) inStreams_.pop_front();
        told.lines.insert(told.lines.begin(), std::make_move_iterator(source.lines.begin()),
                          std::make_move_iterator(source.lines.end()));
        told.seconds = secondsNow() - beginOfSource;
        budget_.spendOnSource(told.seconds);
        told.exact = source.isExact;
        told.blocksTraced = source.blocks;
        told.bounds = std::move(source.bounds);
        told.barriers = source.barriers;
        const std::string launched =
            "launch " + std::to_string(told.index) + " (" + shortKernelName(told.kernel) + "): ";
        // What a race comes to is another from run to run.
        const bool hasRace = std::ranges::any_of(source.findings, isRace, &Finding::kind);
        if (source.isWhole && compiled.ended.empty() && !hasRace) {
            for (const std::string& words : differences(memory, snapshot)) {
                if (told_.insert(told.kernel + words.substr(0, words.find(','))).second)
                    sendNote(launched + words);
            }
        }
        for (const std::string& note : source.notes) sendNote(launched + note);
        memory.exchange(snapshot);
        // What optimising has removed is found in what was written; the rest as it would be on a
        // device.
        findings = std::move(source.findings);
        if (compiled.ended.empty())  // only that takes longer
            std::erase_if(findings,
                          [](const Finding& finding) { return finding.words == ptx::stillRuns; });
        for (const Finding& finding : compiled.findings) {
            const auto isSame = [&](const Finding& other) {
                return other.kind == finding.kind && other.place.line == finding.place.line;
            };
            if (std::ranges::none_of(findings, isSame)) findings.push_back(finding);
        }
    }
    for (const ptx::Allocation* array : writtenBy(device, compiled))
        sendWritten(array->data, array->mirror < array->bytes ? array->mirror + 1 : array->bytes);
    if (!hasSource) forgetUnwritten(device);
    // Where all change one word, their race says so; where an index along one axis is left out,
    // that is why threads race.
    auto repeated = ptx::check::alike(device.compiled(), *launch.kernel, told.launch);
    const auto isRaceThere = [&](const Finding& finding) {
        return isRace(finding.kind) && finding.kind != FindingKind::sharedRace &&
               finding.place.line == repeated->place.line;
    };
    if (repeated && repeated->leftOut == LeftOut::byIndex) std::erase_if(findings, isRaceThere);
    if (repeated && std::ranges::none_of(findings, isRaceThere))
        findings.push_back(std::move(*repeated));
    tell(told, findings);
    if (changed) device.noteChange();
    seen.learn(told, compiled, changed || hasPrinted_);
    sayEnd(told, compiled);
}

void Launching::sayEnd(const LaunchReport& told, const ptx::LaunchResult& compiled) {
    if (compiled.ended.empty()) return;
    if (compiled.ended == "stopped") {
        budget_.cut();
        sendNote("launch " + std::to_string(told.index) + " (" + shortKernelName(told.kernel) +
                 "): " + std::to_string(compiled.blocks) + " of " + std::to_string(told.blocks) +
                 " blocks were run in the " + (isMemoryFull_ ? "memory" : "time") +
                 " for it, so that what the program prints after it means nothing" +
                 (isMemoryFull_ ? "" : " (--time-limit gives it more)"));
        return;
    }
    sendNote(shortKernelName(told.kernel) + " ended early: " + compiled.ended);
    // What is wrong with one access is told, and the program goes on, so that all of it is.
    RuntimeDevice::instance().fail(errorOf(compiled), true);
}

bool Launching::mayWait(const ptx::LaunchResult& result) const {
    if (!waiting_.empty()) return true;
    using Kind = ptx::Allocation::Kind;
    const auto& arrays = RuntimeDevice::instance().memory().allocations();
    return std::ranges::any_of(arrays, [&](const auto& entry) {
        const ptx::Allocation& array = entry.second;
        return (array.kind == Kind::managed || array.kind == Kind::pinned) &&
               std::ranges::any_of(result.counts, [&](const ptx::ArrayCounts& counts) {
                   return counts.array == array.id;
               });
    });
}

bool Launching::resume() {
    bool hasMoved = true;
    while (hasMoved && !waiting_.empty()) {
        hasMoved = false;
        for (const auto& each : waiting_) hasMoved |= each->resume(budget_.ofLaunch());
        takeDone();
    }
    return !waiting_.empty();
}

void Launching::wait(std::optional<cuda::Stream> stream) {
    const auto isMeant = [&](const auto& each) { return !stream || each->stream == *stream; };
    for (int turn = 0; turn < 100 && std::ranges::any_of(waiting_, isMeant); ++turn) {
        if (budget_.wasCut()) break;
        letOthersCall();
        resume();
    }
    // None comes where one that it waits for was cut short.
    const double seconds = budget_.wasCut() ? 0 : budget_.ofLaunch();
    for (const auto& each : waiting_) {
        if (isMeant(each)) each->resume(seconds, true);
    }
    takeDone();
}

void Launching::takeDone() {
    RuntimeDevice& device = RuntimeDevice::instance();
    std::erase_if(waiting_, [&](const auto& each) {
        if (!each->isDone()) return false;
        const ptx::LaunchResult& result = each->result();
        device.noteChange();
        forgetUnwritten(device);
        take(each->told, each->launch, result);
        tell(each->told, result.findings, each->calledFrom);
        sayEnd(each->told, result);
        return true;
    });
}

void Launching::take(LaunchReport& told, const ptx::KernelLaunch& launch,
                     const ptx::LaunchResult& compiled) {
    for (const ptx::KernelLaunch& each : compiled.launched) launched_.push_back(each);
    told.blocks = launch.launch.grid.count();
    told.blocksTraced = compiled.blocks;
    told.laneAccesses = compiled.laneAccesses;
    told.exact = compiled.ended.empty();
    if (!told.traced) return;
    CompiledCount& count = told.compiled.emplace();
    count.exact = told.exact;
    count.blocksTraced = compiled.blocks;
    count.seconds = told.seconds;
    told.lines = linesOf(RuntimeDevice::instance().compiled(), launch, compiled, Source::compiled);
}

void Launching::tell(const LaunchReport& told, const std::vector<Finding>& findings,
                     const std::vector<std::uint64_t>& addresses) {
    bool isTold = told.traced || told.index < mostTold;
    if (isTold) sendLaunch(told, addresses);
    for (Finding finding : findings) {
        finding.kernel = told.kernel;
        if (finding.kind == FindingKind::useAfterFree) {
            for (const auto& [address, array] : RuntimeDevice::instance().memory().allocations()) {
                if (array.freed &&
                    finding.words.ends_with(' ' + ptx::findingName(array) + ", which is freed"))
                    finding.words += placesOfArray(array.id);
            }
        }
        const std::string& file = finding.place.file;
        const std::string key =
            std::to_string(static_cast<int>(finding.kind)) + finding.kernel + file + ':' +
            std::to_string(finding.place.line) + ':' + std::to_string(finding.place.column) + '-' +
            std::to_string(finding.otherLine.value_or(0)) +
            std::string(elementless(finding.words.substr(0, finding.words.find('{'))));
        const auto [known, isNew] = toldIn_.try_emplace(key, told.index);
        if (!isNew) {
            toldAgain_ += known->second != told.index ? 1 : 0;
            continue;
        }
        if (!std::exchange(isTold, true)) sendLaunch(told, addresses);
        finding.launch = told.index;
        sendFinding(finding);
    }
    if (!isTold) ++untold_;
}

}  // namespace

std::optional<cuda::Stream>& streamOfGraph() {
    static std::optional<cuda::Stream> stream;
    return stream;
}

cuda::Error launch(const HostLaunch& host, void** arguments) {
    if (launching == nullptr) {
        launching = new Launching;
        std::atexit(finishLaunching);
    }
    return launching->run(host, arguments);
}

bool resumeLaunches() {
    static bool isUnderWay = false;  // they may print, or fail, by calls
    if (launching == nullptr || std::exchange(isUnderWay, true)) return false;
    const bool anyWaits = launching->resume();
    isUnderWay = false;
    return anyWaits;
}

void waitForLaunches(std::optional<cuda::Stream> stream) {
    if (launching != nullptr) launching->wait(stream);
}

void finishLaunching() {
    if (launching != nullptr) launching->finish();
}

}  // namespace warplens::programs
