#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "core/launch/mapping.h"
#include "core/library/kernel_file.h"
#include "core/text/format.h"
#include "kernels/course/course_ptx.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/library/traced_kernel.h"
#include "kernels/ptx/check/faults.h"

namespace warplens::course {
namespace {

constexpr std::uint64_t mostBlocks = 8;
/// Of a launch of more blocks so many pairs are looked at.
constexpr std::uint64_t mostPairs = 512;
constexpr std::chrono::milliseconds mostTime{500};
constexpr std::uint64_t mostProvided = 64u << 20;  ///< bytes of an array
constexpr std::uint64_t mostJumps = std::uint64_t{1} << 32;

/// The header's first entry of that kind; null where it has none.
const HeaderEntry* entryOf(const KernelHeader& header, std::string_view key) {
    const auto found = std::ranges::find(header.entries, key, &HeaderEntry::key);
    return found == header.entries.end() ? nullptr : &*found;
}

/// Elements of an output array that one access stores to.
struct Stored final {
    const KernelArray* array = nullptr;
    std::uint64_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t line = 0;
};

/// What each lane of one warp stores.
class Stores final : public trace::WarpObserver {
  public:
    Stores(const Experiment& experiment, const Kernel& kernel)
        : kernel_(kernel), offset_(experiment.arrayOffset) {}
    void onRequest(const trace::WarpRequest& request) override {
        if (request.kind != AccessKind::store && request.kind != AccessKind::atomic) {
            return;
        }
        const KernelArray& array = kernel_.arrays.at(request.subject);
        if (array.role != ArrayRole::output) return;
        const std::uint64_t element = byteCount(array.type);
        std::size_t next = 0;
        for (std::uint32_t lanes = request.activeLanes; lanes != 0; lanes &= lanes - 1) {
            const std::uint64_t at =
                request.addresses[next++] - trace::baseAddress(request.subject) - offset_ * element;
            byLane.at(static_cast<std::size_t>(std::countr_zero(lanes)))
                .push_back({&array, at / element,
                            std::max<std::uint64_t>(1, request.bytes / element), request.line});
        }
    }
    void onBranch(const trace::WarpBranch&) override {}

    std::array<std::vector<Stored>, lanesPerWarp> byLane;

  private:
    const Kernel& kernel_;
    std::uint64_t offset_;
};

/// Whether the thread that `written by` names is there and has the element.
bool isFound(const Kernel& kernel, const Experiment& experiment, std::uint64_t element) {
    const Launch& launch = experiment.launch;
    const GridPosition at = kernel.threadOf(experiment.arguments, launch, element);
    const auto part = [](std::uint64_t whole) { return static_cast<std::uint32_t>(whole); };
    const Extents block = launch.block;
    if (at.x / block.x >= launch.grid.x || at.y / block.y >= launch.grid.y ||
        at.z / block.z >= launch.grid.z) {
        return false;
    }
    return kernel.element(experiment.arguments, launch,
                          {part(at.x / block.x), part(at.y / block.y), part(at.z / block.z)},
                          {part(at.x % block.x), part(at.y % block.y), part(at.z % block.z)}) ==
           element;
}

/// Ends what would store to an input, before it does.
class InputGuard final : public ptx::Observer {
  public:
    InputGuard(const Kernel& kernel, const ptx::Program& program)
        : kernel_(kernel), program_(program) {}
    void onRequest(const ptx::Request& request) override {
        library::refuseStoresToInputs(kernel_, program_, request);
    }

  private:
    const Kernel& kernel_;
    const ptx::Program& program_;
};

/// Ranks of blocks by twos, each beside the next, from the first to the last.
std::vector<std::uint64_t> spreadPairs(std::uint64_t blocks) {
    std::vector<std::uint64_t> ranks;
    const std::uint64_t pairs = std::min(blocks / 2, mostPairs);
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        const std::uint64_t first = pairs < 2 ? 0 : (blocks - 2) / (pairs - 1) * pair;
        if (!ranks.empty() && first <= ranks.back()) continue;
        ranks.insert(ranks.end(), {first, first + 1});
    }
    return ranks;
}

}  // namespace

std::optional<HeaderFault> wrongElement(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const KernelHeader header = readHeader(kernel.file, kernel.text);
    const Launch& launch = experiment.launch;
    TracedKernel traced(experiment);
    const auto check = [&](Index3 block, WarpRank warp) -> std::optional<HeaderFault> {
        Stores stores(experiment, kernel);
        traced.runWarp(block, warp, stores);
        const std::uint32_t count = threadCountInWarp(warp, launch.block);
        for (std::uint32_t lane = 0; lane < count; ++lane) {
            const std::vector<Stored>& stored = stores.byLane.at(lane);
            if (stored.empty()) continue;
            const Index3 thread =
                threadIndexInBlock({firstThreadOfWarp(warp).value + lane}, launch.block);
            const auto element = kernel.element(experiment.arguments, launch, block, thread);
            const bool agrees = element && std::ranges::any_of(stored, [&](const Stored& one) {
                                    return *element - one.first < one.count;
                                });
            if (!agrees) {
                return HeaderFault{entryOf(header, "element")->line,
                                   "'element' is " + (element ? std::to_string(*element) : "none") +
                                       " for thread " + toString(thread) + " of block " +
                                       toString(block) + ", which stores to " +
                                       stored.front().array->name + '[' +
                                       std::to_string(stored.front().first) + "] in line " +
                                       std::to_string(stored.front().line)};
            }
            const HeaderEntry* const writer = entryOf(header, "written by");
            if (writer != nullptr && !isFound(kernel, experiment, *element)) {
                const GridPosition at = kernel.threadOf(experiment.arguments, launch, *element);
                return HeaderFault{writer->line,
                                   "'written by' says that the thread at (" + std::to_string(at.x) +
                                       ',' + std::to_string(at.y) + ',' + std::to_string(at.z) +
                                       ") of the grid writes element " + std::to_string(*element) +
                                       ": it is thread " + toString(thread) + " of block " +
                                       toString(block)};
            }
        }
        return std::nullopt;
    };
    const std::uint64_t last = launch.grid.count() - 1;
    const std::uint64_t pieces = std::clamp<std::uint64_t>(last, 1, mostBlocks - 1);
    for (std::uint64_t piece = 0; piece <= std::min(last, pieces); ++piece) {
        const Index3 block =
            blockIndexInGrid(last / pieces * piece + last % pieces * piece / pieces, launch.grid);
        for (WarpRank warp; warp.value < warpCountPerBlock(launch.block); ++warp.value) {
            if (auto fault = check(block, warp)) return fault;
        }
    }
    return std::nullopt;
}

std::optional<HeaderFault> wrongMoves(const Experiment& experiment, const LaunchReport& predicted) {
    const Kernel& kernel = kernelOf(experiment);
    std::map<std::pair<std::string, bool>, std::uint64_t> asked;  // by array, loads apart
    for (const ProgramLine& line : predicted.lines) {
        if (line.source == Source::predicted && isGlobal(line.kind))
            asked[{line.array, line.kind == AccessKind::load}] += line.uniqueBytes;
    }
    std::uint64_t touched = 0;
    for (const auto& [of, bytes] : asked) {
        const auto array = std::ranges::find(kernel.arrays, of.first, &KernelArray::name);
        if (array == kernel.arrays.end()) return std::nullopt;
        touched += std::min(
            bytes, array->length(experiment.arguments, experiment.launch) * byteCount(array->type));
    }
    const std::uint64_t moves = kernel.algorithmBytes(experiment.arguments, experiment.launch);
    if (touched == 0 || (moves <= 2 * touched && touched <= 2 * moves)) return std::nullopt;
    const KernelHeader header = readHeader(kernel.file, kernel.text);
    const HeaderEntry& entry = *entryOf(header, "moves");
    return HeaderFault{entry.line, "'moves: " + entry.value + "' is " + groupedDigits(moves) +
                                       " bytes here: what the kernel accesses are " +
                                       groupedDigits(touched)};
}

std::vector<Finding> findingsIn(const Experiment& experiment) {
    using Clock = std::chrono::steady_clock;
    const Kernel& kernel = kernelOf(experiment);
    // Inputs hold values: threads that store one and the same to a word are no race.
    const auto memory = std::make_shared<library::ArrayMemory>(experiment, true);
    for (std::size_t array = 0; array < kernel.arrays.size(); ++array) {
        const bool isInput = kernel.arrays[array].role == ArrayRole::input;
        if (isInput && memory->arrays()[array].bytes <= mostProvided) memory->provideAll(array);
    }
    const library::PreparedLaunch prepared(experiment, memory);
    ptx::Program& program = prepared.program();
    InputGuard guard(kernel, program);
    ptx::check::Faults faults(program, [&](std::uint32_t array) {
        return (array & ptx::inShared) != 0 ? program.sharedName(array)
                                            : program.variableName(array);
    });
    for (const auto& [address, array] : program.memory().allocations()) {
        if (array.freed) continue;
        faults.markWritten(address, array.bytes);
        faults.markCopied(address, array.bytes);
    }
    const Clock::time_point end = Clock::now() + mostTime;
    ptx::Surroundings surroundings;
    surroundings.isStopped = [end] { return Clock::now() > end; };
    surroundings.observers = {&guard, &faults};
    const std::uint64_t blocks = experiment.launch.grid.count();
    const std::vector<std::uint64_t> some = spreadPairs(blocks);
    const bool isWhole = blocks <= 2 * mostPairs;
    std::optional<std::span<const std::uint64_t>> chosen;
    if (!isWhole) chosen = some;
    ptx::LaunchResult result =
        ptx::run(program, prepared.launch(), surroundings, {.jumps = mostJumps}, chosen);
    std::vector<Finding> findings = faults.take();
    std::ranges::move(result.findings, std::back_inserter(findings));
    if (isWhole && result.ended.empty()) {
        std::ranges::move(faults.takeUnreached(), std::back_inserter(findings));
    }
    if (entryOf(readHeader(kernel.file, kernel.text), "races") != nullptr) {
        std::erase_if(findings, [](const Finding& finding) { return isRace(finding.kind); });
    }
    for (Finding& finding : findings) finding.kernel = kernel.name;
    ptx::sortByPlace(findings);
    return findings;
}

}  // namespace warplens::course
