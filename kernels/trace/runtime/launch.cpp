#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>

#include "kernels/trace/runtime/block.h"
#include "kernels/trace/runtime/cuda_index.h"
#include "kernels/trace/runtime/device_error.h"
#include "kernels/trace/runtime/inputs.h"
#include "kernels/trace/runtime/lane.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/tally.h"
#include "kernels/trace/runtime/watch.h"

extern "C" {
extern void* __libc_stack_end;
}

namespace warplens::runtime {
namespace {

__extension__ using Wide = unsigned __int128;

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
double untracedSeconds = 0;  ///< of all launches
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

Index3 blockAt(std::uint64_t index, Extents grid) {
    return {static_cast<std::uint32_t>(index % grid.x),
            static_cast<std::uint32_t>(index / grid.x % grid.y),
            static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

/// What is known of the blocks of a launch that were traced, when not all were.
struct Sample final {
    std::vector<BlockTotals> blocks;
    std::uint64_t of = 0;  ///< blocks they stand for
};

std::vector<SampleBound> boundsOf(const Sample& sample, const BlockTotals& exact) {
    std::vector<SampleBound> bounds;
    const auto n = static_cast<double>(sample.blocks.size());
    const auto all = static_cast<double>(sample.of);
    for (std::size_t m = 0; m < std::size(totalMetrics); ++m) {
        double sum = 0;
        double squares = 0;
        for (const BlockTotals& block : sample.blocks) sum += block.values[m];
        const double mean = sum / n;
        for (const BlockTotals& block : sample.blocks) {
            squares += (block.values[m] - mean) * (block.values[m] - mean);
        }
        const double total = exact.values[m] + all * mean;
        if (total == 0) continue;
        const double spread = n < 2 ? 0 : std::sqrt(squares / (n - 1));
        const double error = all * spread / std::sqrt(n) * std::sqrt(std::max(0.0, 1 - n / all));
        bounds.push_back({totalMetrics[m], 100 * 1.96 * error / total});
    }
    return bounds;
}

void addLines(std::vector<ProgramLine>& to, const std::vector<ProgramLine>& more) {
    for (const ProgramLine& line : more) {
        const auto same = std::find_if(to.begin(), to.end(), [&](const ProgramLine& other) {
            return other.place == line.place && other.kind == line.kind &&
                   other.array == line.array;
        });
        if (same == to.end()) {
            to.push_back(line);
            continue;
        }
        same->requests += line.requests;
        same->sectors += line.sectors;
        same->idealSectors += line.idealSectors;
        same->uniqueBytes += line.uniqueBytes;
        same->wavefronts += line.wavefronts;
        same->idealWavefronts += line.idealWavefronts;
        same->activeLanes += line.activeLanes;
        same->divergent += line.divergent;
        same->mostSameAddress = std::max(same->mostSameAddress, line.mostSameAddress);
    }
}

/// Runs all blocks of the launch.
class GridRun final {
  public:
    GridRun(ProgramLaunch& result, bool wanted)
        : result_(result),
          wanted_(wanted),
          grid_(launchState.launch.grid),
          blocks_(grid_.count()) {}

    void run() {
        if (launchState.cooperative) {
            together();
        } else {
            oneByOne();
        }
    }

  private:
    void useMode(RunMode mode) {
        const bool fast = mode != RunMode::traced && launchState.row->fast != nullptr;
        laneProgram.mode = fast ? RunMode::fast : mode;
        laneProgram.code = fast ? launchState.row->fast : launchState.row->traced;
    }

    void runBlock(std::uint64_t index) {
        beginWatchedBlock();
        BlockRun block(blockAt(index, grid_), launchState.launch.block);
        block.advance();
        if (++done_ % 64 == 0) progress();
    }

    void progress() {
        const double now = cpuSeconds();
        if (now - told_ < 0.1) return;
        told_ = now;
        sendProgress(launchState.index, done_, blocks_);
    }

    void oneByOne() {
        const double begin = cpuSeconds();
        const double budget = wishes().secondsPerLaunch;
        std::uint64_t next = 0;
        if (wanted_) {
            useMode(RunMode::traced);
            while (next < blocks_ && !launchState.failed) {
                runBlock(next++);
                if (cpuSeconds() - begin > budget / 4 && next >= 8 && blocks_ - next > next / 2) {
                    break;
                }
            }
            if (next < blocks_ && launchState.row->isVolatile != 0) {
                while (next < blocks_ && !launchState.failed) runBlock(next++);
            }
            result_.blocksTraced = next;
        }
        if (next == blocks_ || launchState.failed) {
            result_.exact = next == blocks_ && wanted_;
            result_.lines = linesOfLaunch(1);
            result_.laneAccesses = laneAccesses();
            return;
        }
        const double spent = cpuSeconds() - begin;
        sampleRest(next, wanted_ ? spent / static_cast<double>(next) : 0, budget * 3 / 4);
    }

    /// One block of every `stride` is traced, at a place that differs from stretch to stretch.
    void sampleRest(std::uint64_t next, double secondsEach, double seconds) {
        const BlockTotals exact = totalsSoFar();
        result_.lines = linesOfLaunch(1);
        result_.laneAccesses = laneAccesses();
        clearSums();
        const std::uint64_t rest = blocks_ - next;
        std::uint64_t count =
            wanted_ ? std::max<std::uint64_t>(
                          16, static_cast<std::uint64_t>(seconds / std::max(1e-9, secondsEach)))
                    : 0;
        count = std::min(count, rest);
        Sample sample;
        sample.of = rest;
        std::uint64_t random = 0x9e3779b97f4a7c15ull;
        BlockTotals before = totalsSoFar();
        for (std::uint64_t stretch = 0; stretch < std::max<std::uint64_t>(1, count); ++stretch) {
            const std::uint64_t from =
                next + (count == 0 ? 0
                                   : static_cast<std::uint64_t>(static_cast<Wide>(rest) * stretch /
                                                                count));
            const std::uint64_t to =
                count == 0 ? blocks_
                           : next + static_cast<std::uint64_t>(static_cast<Wide>(rest) *
                                                               (stretch + 1) / count);
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            const std::uint64_t chosen = count == 0 ? blocks_ : from + (random >> 33) % (to - from);
            for (std::uint64_t block = from; block < to && !launchState.failed; ++block) {
                if (block != chosen) {
                    untraced(block);
                    continue;
                }
                useMode(RunMode::traced);
                runBlock(block);
                const BlockTotals now = totalsSoFar();
                BlockTotals own;
                for (std::size_t m = 0; m < std::size(own.values); ++m) {
                    own.values[m] = now.values[m] - before.values[m];
                }
                before = now;
                sample.blocks.push_back(own);
            }
            if (launchState.failed) break;
        }
        if (!wanted_) return;
        result_.blocksTraced += sample.blocks.size();
        result_.exact = result_.blocksTraced == blocks_;
        if (sample.blocks.empty()) return;
        result_.laneAccesses += laneAccesses();
        addLines(result_.lines, linesOfLaunch(static_cast<double>(rest) /
                                              static_cast<double>(sample.blocks.size())));
        if (!result_.exact) result_.bounds = boundsOf(sample, exact);
    }

    /// Runs a block for its results only; none any more where all would take too long.
    void untraced(std::uint64_t block) {
        if (isCut_) return;
        const double begin = cpuSeconds();
        useMode(RunMode::discarded);
        runBlock(block);
        const double spent = cpuSeconds() - begin;
        untracedSeconds += spent;
        untracedOfLaunch_ += spent;
        const double all = untracedOfLaunch_ / static_cast<double>(++untracedBlocks_) *
                           static_cast<double>(blocks_);
        const double left = all - untracedOfLaunch_;
        if (untracedBlocks_ < 8 || left < wishes().secondsUntraced - untracedSeconds) return;
        isCut_ = true;
        sendNote("launch " + std::to_string(launchState.index) + " (" + launchState.kernel +
                 "): not all blocks were run, that would take about " +
                 std::to_string(static_cast<std::uint64_t>(all + 1)) +
                 " s; the sample stands for them, and the results that the program gets are not "
                 "complete");
    }

    /// Blocks of a cooperative launch wait for one another.
    void together() {
        useMode(wanted_ ? RunMode::traced : RunMode::discarded);
        std::deque<BlockRun> runs;
        beginWatchedBlock();
        for (std::uint64_t index = 0; index < blocks_; ++index) {
            runs.emplace_back(blockAt(index, grid_), launchState.launch.block);
        }
        while (!launchState.failed) {
            bool all = true;
            for (BlockRun& run : runs) {
                if (run.ended()) continue;
                run.advance();
                if (launchState.failed) break;
                all = all && run.ended();
            }
            if (all) break;
            for (BlockRun& run : runs) run.passGridBarrier();
            clearGlobalRaces();
        }
        result_.blocksTraced = wanted_ ? blocks_ : 0;
        result_.exact = wanted_;
        result_.lines = linesOfLaunch(1);
        result_.laneAccesses = laneAccesses();
    }

    ProgramLaunch& result_;
    bool wanted_;
    Extents grid_;
    std::uint64_t blocks_;
    std::uint64_t done_ = 0;
    double told_ = 0;
    bool isCut_ = false;
    std::uint64_t untracedBlocks_ = 0;
    double untracedOfLaunch_ = 0;
};

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

}  // namespace

void launchKernel(const KernelRow& row, CallArguments& arguments) {
    if (currentLane != nullptr) {
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
    ProgramLaunch result;
    if (wanted) {
        if (wishes().hasGrid) launchState.launch.grid = wishes().grid;
        if (wishes().hasBlock) launchState.launch.block = wishes().block;
        result.overridden = !(launchState.launch == configured.launch);
    }
    if (deviceErrorIsSticky()) return;
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
    setDynamicSharedBytes(launchState.launch.dynamicSharedBytes);
    namesBack();
    clearSums();
    clearRaces();
    useStackWords(arguments);
    laneProgram = {};
    laneProgram.arguments = &arguments;
    laneProgram.code = row.traced;
    const double begin = cpuSeconds();
    {
        const DeviceMemoryOpen open;
        launchState.running = true;
        showParameters();
        arguments.stackWords = std::min(arguments.stackWords, mostParameterWords());
        const bool withInputs = wishes().inputsOf == launchState.index;
        if (withInputs) rememberArrays();
        GridRun(result, wanted).run();
        launchState.running = false;
        if (withInputs) sendLaunchInputs(result.instance);
    }
    if (launchState.failed) {
        dropFibers();
        setDeviceError(launchState.error, true);
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
                unsigned pointee) {
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
    if (!isOnLaneStack(at)) laneProgram.objects.push_back({at, parameter.bytes, alignment});
    if (pointee == 0) return;
    std::uint64_t address = 0;
    std::memcpy(&address, value, sizeof address);
    const std::uint32_t id = arrayAt(address);
    if (id == noArray || !isInDeviceSlots(address)) return;
    Array& array = arrayOf(id);
    if (array.name == array.hostName) array.name = parameter.name;
    array.elementBytes = pointee;
}

void wl_captured() {
    abandonLane();
}

}  // extern "C"
