#include "kernels/course/kernel_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "core/launch/mapping.h"
#include "core/library/kernel_header.h"
#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "kernels/library/predict.h"
#include "kernels/library/run/array_memory.h"
#include "kernels/library/traced_kernel.h"
#include "kernels/programs/program_cache.h"
#include "kernels/trace/trace_program.h"

namespace warplens::course {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostBlocks = 8;

/// The header's first entry of that kind; null where it has none.
const HeaderEntry* entryOf(const KernelHeader& header, std::string_view key) {
    const auto found = std::ranges::find(header.entries, key, &HeaderEntry::key);
    return found == header.entries.end() ? nullptr : &*found;
}

std::string toText(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
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
        if (request.kind != trace::EventKind::store && request.kind != trace::EventKind::atomic) {
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

std::string tripleOf(Extents extents) {
    return "dim3(" + std::to_string(extents.x) + ", " + std::to_string(extents.y) + ", " +
           std::to_string(extents.z) + ')';
}

/// The main that launches the experiment. `fills` are files with what arrays hold, by array.
std::string mainOf(const Experiment& experiment, const std::map<std::size_t, fs::path>& fills) {
    const Kernel& kernel = kernelOf(experiment);
    std::string text = "\n#include \"wl/proposed.h\"\nint main() {\n";
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        const KernelArray& array = kernel.arrays[i];
        const std::string type(infoOf(array.type).name);
        const std::string length =
            std::to_string(array.length(experiment.arguments, experiment.launch)) + "ull";
        text += "    " + type + "* " + array.name + " = nullptr;\n    if (cudaMalloc(&" +
                array.name + ", " + length + " * sizeof(" + type + ")) != cudaSuccess) return 1;\n";
        // Others are 0, as where the kernel is predicted, and outputs as where it is measured.
        const auto file = fills.find(i);
        text += file == fills.end() ? "    cudaMemset(" + array.name + ", 0, " + length +
                                          " * sizeof(" + type + "));\n"
                                    : "    wl::fill(" + array.name + ", " + length + ", 1, \"@" +
                                          file->second.string() + "\", \"" + array.name + "\");\n";
    }
    std::string arguments;
    for (const CallParameter& parameter : kernel.parameters) {
        arguments += arguments.empty() ? "" : ", ";
        arguments += parameter.isArray
                         ? parameter.name
                         : '(' + std::string(infoOf(parameter.type).name) + ')' +
                               std::to_string(experiment.arguments.at(parameter.name)) + "ll";
    }
    const std::string name = kernel.instance(experiment.arguments);
    const std::string bytes = std::to_string(dynamicSharedBytes(experiment));
    text += "    cudaFuncSetAttribute(" + name + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
            bytes + ");\n    " + name + "<<<" + tripleOf(experiment.launch.grid) + ", " +
            tripleOf(experiment.launch.block) + ", " + bytes + ">>>(" + arguments +
            ");\n    cudaDeviceSynchronize();\n";
    for (const KernelArray& array : kernel.arrays) text += "    cudaFree(" + array.name + ");\n";
    return text + "    return 0;\n}\n";
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
                                       " for thread " + toText(thread) + " of block " +
                                       toText(block) + ", which stores to " +
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
                                       ": it is thread " + toText(thread) + " of block " +
                                       toText(block)};
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

std::vector<Finding> findingsIn(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    // What was built of the same text before is found by its path.
    const fs::path checks = programCache() / "checks";
    const fs::path folder = checks / digestOf(kernel.text + '\0' + toOptions(experiment));
    const TemporaryFolder data(folder);
    std::map<std::size_t, fs::path> fills;
    const library::ArrayMemory memory(experiment, false);
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        if (kernel.arrays[i].filled.empty()) continue;
        const library::ArrayMemory::Array& array = memory.arrays()[i];
        fills[i] = data.path() / kernel.arrays[i].name;
        writeFileAtomically(fills[i], {reinterpret_cast<const char*>(array.begin), array.bytes});
    }
    const fs::path file = folder / kernel.file;
    writeFileAtomically(file, kernel.text + mainOf(experiment, fills));
    pruneCache(checks);
    TraceRequest request{.source = {.files = {file}}, .readable = {data.path()}};
    if (!kernel.folder.empty()) request.source.includes.push_back(kernel.folder);
    request.secondsPerLaunch = 0.5;
    request.secondsUntraced = 0;
    ProgramTrace trace = traceProgram(request).trace;
    std::vector<Finding>& findings = trace.findings;
    if (trace.launches.empty() && findings.empty()) {
        throw TraceFault(kernel.name + " cannot be launched: its arrays have no room here");
    }
    if (entryOf(readHeader(kernel.file, kernel.text), "races") != nullptr) {
        std::erase_if(findings, [](const Finding& finding) {
            return finding.kind == FindingKind::sharedRace ||
                   finding.kind == FindingKind::blockRace;
        });
    }
    return std::move(trace.findings);
}

}  // namespace warplens::course
