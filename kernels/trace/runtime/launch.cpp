#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <unistd.h>
#include <utility>

#include "kernels/trace/runtime/device_error.h"
#include "kernels/trace/runtime/grid_run.h"
#include "kernels/trace/runtime/inputs.h"
#include "kernels/trace/runtime/lane_variables.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/other_order.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/steps.h"
#include "kernels/trace/runtime/tally.h"
#include "kernels/trace/runtime/watch.h"

extern "C" {
extern void* __libc_stack_end;
int wl_capturing = 0;
}

namespace warplens::runtime {
namespace {

constexpr std::uint64_t mostStackWords = 4096;  // 32 KiB of parameters, as CUDA allows
/// A launch that was traced this often, by a program that was traced this long, is run only: loops
/// that take times repeat theirs by the hundred.
constexpr int mostAlike = 4;
constexpr double secondsOfAlike = 5;
constexpr std::uint64_t mostThreadsTogether = 16384;

struct Configuration final {
    bool pending = false;
    std::string kernel;
    SourcePlace place;
    Launch launch;
    bool cooperative = false;
};
WARPLENS_EARLY Configuration configured;
std::uint32_t launches = 0;
double tracedSeconds = 0;
WARPLENS_EARLY std::map<std::string, int> tracedAlike;

/// `scan<true, float>` of `void scan<true, float>(float*, int)`.
std::string instanceOf(const std::string& signature) {
    std::size_t end = std::string::npos;
    std::size_t begin = 0;
    int angles = 0;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const char c = signature[i];
        if (c == '<') ++angles;
        if (c == '>') --angles;
        if (angles != 0) continue;
        if (c == ' ') begin = i + 1;
        if (c == '(' && signature.compare(i, 21, "(anonymous namespace)") != 0) {
            end = i;
            break;
        }
    }
    return signature.substr(begin, end == std::string::npos ? end : end - begin);
}

bool isWanted() {
    const Wishes& asked = wishes();
    if (asked.launch >= 0 && asked.launch != launchState.index) return false;
    if (asked.kernel.empty()) return true;
    const std::string name = launchState.kernel.substr(0, launchState.kernel.find('<'));
    return asked.kernel == launchState.kernel || asked.kernel == name;
}

/// Launches of one place, kernel and shape. The wish for one launch is no wish for those like it.
bool isRepeated() {
    if (wishes().launch >= 0 || wishes().inputsOf >= 0) return false;
    const Launch& launch = launchState.launch;
    std::string key = launchState.kernel + '\n' + launchState.place.file + '\n' +
                      std::to_string(launchState.place.line);
    for (const Extents extents : {launch.grid, launch.block}) {
        for (const std::uint32_t extent : {extents.x, extents.y, extents.z}) {
            key += '\n' + std::to_string(extent);
        }
    }
    return ++tracedAlike[key] > mostAlike && tracedSeconds > secondsOfAlike;
}

void namesBack() {
    for (std::uint32_t id = 0; id < arrayCount(); ++id) {
        Array& array = arrayOf(id);
        array.name = array.hostName;
    }
}

bool refused(const KernelRow& row) {
    LaunchLimits limits;
    limits.dynamicSharedBytes = mostDynamicSharedBytes;
    std::vector<LimitViolation> violations = validate(launchState.launch, limits);
    if (launchState.cooperative && violations.empty() &&
        launchState.launch.threadCount() > mostThreadsTogether) {
        violations.push_back({"threads of a cooperative launch",
                              std::to_string(launchState.launch.threadCount()),
                              "at most " + std::to_string(mostThreadsTogether) + " here"});
    }
    if (violations.empty()) return false;
    (void)row;
    std::string words;
    for (const LimitViolation& violation : violations)
        words += (words.empty() ? "" : "; ") + toString(violation);
    addFindingAt(FindingKind::launchRefused, "the launch is refused: " + words, launchState.place);
    setDeviceError(9, false);
    return true;
}

void useStackWords(CallArguments& arguments) {
    const auto top = reinterpret_cast<std::uint64_t>(__libc_stack_end);
    const auto at = reinterpret_cast<std::uint64_t>(arguments.stack);
    arguments.stackWords =
        top > at ? std::min(mostStackWords, (top - at) / sizeof(std::uint64_t)) : 0;
}

std::uint64_t mostParameterWords() {
    std::uint64_t words = 0;
    for (const SeenParameter& parameter : launchState.parameters) {
        words += (parameter.bytes.size() + 15) / 16 * 2;
    }
    return words;
}

/// A lane begins the kernel and goes no further than to say what it was called with.
void showParameters() {
    Lane lane;
    laneRunner.giveRooms(&lane, 1);
    wl_capturing = 1;
    laneRunner.run(&lane, 1);
    wl_capturing = 0;
    laneRunner.drop();
}

}  // namespace

void launchKernel(const KernelRow& row, CallArguments& arguments) {
    if (laneRunner.current() != nullptr) {
        failLaunch(FindingKind::notSupported, "a kernel calls a kernel, which cannot be traced", 0,
                   801);
    }
    if (!configured.pending) giveUp("a kernel is called without <<<...>>>");
    configured.pending = false;
    launchState = {};
    launchState.index = launches++;
    launchState.kernel = configured.kernel;
    launchState.place = configured.place;
    launchState.launch = configured.launch;
    launchState.cooperative = configured.cooperative;
    launchState.row = &row;
    const bool wanted = isWanted() && !isRepeated();
    LaunchReport result;
    if (wanted) {
        if (wishes().hasGrid) launchState.launch.grid = wishes().grid;
        if (wishes().hasBlock) launchState.launch.block = wishes().block;
        result.overridden = !(launchState.launch == configured.launch);
    }
    if (deviceErrorIsSticky()) {
        static bool told = false;
        if (!std::exchange(told, true)) {
            sendNote("launch " + std::to_string(launchState.index) + " (" + launchState.kernel +
                     ", line " + std::to_string(launchState.place.line) +
                     ") and those after it are not run: as in CUDA, the error of a launch before "
                     "stays until the program ends");
        }
        return;
    }
    if (refused(row)) {
        sendFindings();
        return;
    }
    result.index = launchState.index;
    result.kernel = launchState.kernel;
    result.instance = instanceOf(demangled(row.name));
    result.place = launchState.place;
    result.launch = launchState.launch;
    result.traced = wanted;
    result.blocks = launchState.launch.grid.count();
    const Extents grid = launchState.launch.grid;
    const Extents block = launchState.launch.block;
    gridDim = {grid.x, grid.y, grid.z};
    blockDim = {block.x, block.y, block.z};
    setDynamicShared(launchState.launch.dynamicSharedBytes, row.dynamicShared);
    namesBack();
    clearSums();
    clearRaces();
    useStackWords(arguments);
    laneProgram = {};
    laneProgram.arguments = &arguments;
    laneProgram.code = row.traced;
    const double begin = cpuSeconds();
    try {
        const DeviceMemoryOpen open;
        launchState.running = true;
        launchState.began = begin;
        showParameters();
        arguments.stackWords = std::min(arguments.stackWords, mostParameterWords());
        const bool withInputs = wishes().inputsOf == launchState.index;
        if (withInputs) rememberArrays();
        if (wantsSteps()) {
            runBlockAlone(wishes().stepsOf);
            sendSteps();
            sendFindings();
            _exit(0);  // what comes later is not asked for
        }
        OtherOrder other(wanted);
        runGrid(result, wanted);
        other.compare(result);
        launchState.running = false;
        if (withInputs) sendLaunchInputs(result.instance);
    } catch (const std::bad_alloc&) {
        giveUp("no memory for the threads of a block");
    }
    if (launchState.failed) {
        laneRunner.drop();
        setDeviceError(launchState.error, true);
        forgetUnwritten();
    }
    result.seconds = cpuSeconds() - begin;
    if (wanted) tracedSeconds += result.seconds;
    sendLaunch(result);
    sendFindings();
}

}  // namespace warplens::runtime

using namespace warplens::runtime;

extern "C" {

void wl_configure(const char* kernel, const char* file, int line, int column, WlIndex grid,
                  WlIndex block, std::size_t shared, int cooperative) {
    requireFirstThread();
    configured.pending = true;
    configured.kernel = kernel;
    configured.place = {file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
    configured.launch.grid = {grid.x, grid.y, grid.z};
    configured.launch.block = {block.x, block.y, block.z};
    configured.launch.dynamicSharedBytes =
        static_cast<std::uint32_t>(std::min<std::size_t>(shared, UINT32_MAX));
    configured.cooperative = cooperative != 0;
}

void wl_launch(const KernelRow* row, CallArguments* arguments) {
    launchKernel(*row, *arguments);
}

/// A parameter of the kernel that is about to run.
void wl_capture(const char* names, int index, const void* value, unsigned bytes, unsigned alignment,
                unsigned pointee, unsigned pointeeAlignment) {
    SeenParameter& parameter = launchState.parameters.emplace_back();
    std::string all = names;
    for (int i = 0; i < index; ++i) {
        const std::size_t comma = all.find(',');
        if (comma == std::string::npos) break;
        all = all.substr(comma + 1);
    }
    all = all.substr(0, all.find(','));
    while (!all.empty() && all.front() == ' ') all = all.substr(1);
    parameter.name = all;
    parameter.bytes.resize(bytes);
    std::memcpy(parameter.bytes.data(), value, bytes);
    parameter.alignment = alignment;
    parameter.pointee = pointee;
    const auto at = reinterpret_cast<std::uint64_t>(value);
    if (!laneRunner.isOnStack(at)) laneProgram.objects.push_back({at, parameter.bytes, alignment});
    if (pointee == 0) return;
    std::uint64_t address = 0;
    std::memcpy(&address, value, sizeof address);
    const std::uint32_t id = arrayAt(address);
    if (id == noArray || !isInDeviceSlots(address)) return;
    Array& array = arrayOf(id);
    if (array.name == array.hostName) array.name = parameter.name;
    array.elementBytes = pointee;
    array.elementAlignment = pointeeAlignment;
}

void wl_captured() {
    laneRunner.abandon();
}

}  // extern "C"
