#include "kernels/library/predict.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/trace/request_groups.h"
#include "kernels/library/array_memory.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<std::uint16_t> dataArraysOf(const Kernel& kernel) {
    std::vector<std::uint16_t> filled;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        if (!kernel.arrays[i].filled.empty()) filled.push_back(static_cast<std::uint16_t>(i));
    }
    return filled;
}

trace::LaunchTotals totalsOf(const Experiment& experiment, const PredictOptions& options,
                             std::string_view ptx = {}, bool computes = false) {
    const Kernel& kernel = kernelOf(experiment);
    const auto memory = std::make_shared<const library::ArrayMemory>(experiment, false);
    trace::TotalsOptions how = options;
    how.threads = hostThreads(options.threads);
    return trace::totalsOf(
        {.grid = experiment.launch.grid,
         .block = experiment.launch.block,
         .branches = kernel.branches,
         .tracer =
             [&] { return std::make_unique<TracedKernel>(experiment, memory, ptx, computes); },
         .dataArrays = dataArraysOf(kernel),
         .readsBlockIndex = blockAxesRead(kernel.text)},
        how);
}

LaunchReport reportOn(const Experiment& experiment) {
    LaunchReport report;
    static_cast<Experiment&>(report) = experiment;
    report.kernel = kernelOf(experiment).name;
    report.instance = kernelOf(experiment).instance(experiment.arguments);
    report.blocks = experiment.launch.grid.count();
    return report;
}

/// 0 .. count-1 from the two ends inwards, then halving what is left between: however many are
/// taken from the front, they are spread over the whole.
std::vector<std::uint32_t> spreadOrder(std::uint32_t count) {
    std::vector<std::uint32_t> order{0};
    if (count > 1) order.push_back(count - 1);
    for (std::uint32_t step = std::bit_ceil(count); step > 1; step /= 2) {
        for (std::uint32_t i = step / 2; i < count - 1; i += step) order.push_back(i);
    }
    return order;
}

LaunchReport reportOn(const Experiment& experiment, const trace::LaunchTotals& totals,
                      Source source) {
    const Kernel& kernel = kernelOf(experiment);
    LaunchReport report = reportOn(experiment);
    report.exact = !totals.sampled;
    report.blocksTraced = totals.blocksTraced;
    report.kinds = totals.kinds;
    report.errorPercent = totals.errorPercent;
    report.lines = linesOf(kernel, totals.lines, source);
    report.values = valuesOf(report.lines, &kernel, source);
    return report;
}

constexpr std::uint64_t mostBlocks = 16;

struct Seen final {
    std::uint32_t line = 0;
    std::uint32_t activeLanes = 0;
    std::uint32_t takenLanes = 0;
    std::vector<std::uint64_t> addresses{};
    friend bool operator==(const Seen&, const Seen&) = default;
};

class Watcher final : public trace::WarpObserver {
  public:
    void onRequest(const trace::WarpRequest& request) override {
        seen.push_back({request.line, request.activeLanes, 0,
                        std::vector(request.addresses.begin(), request.addresses.end())});
    }
    void onBranch(const trace::WarpBranch& branch) override {
        seen.push_back({branch.line, branch.activeLanes, branch.takenLanes});
    }
    std::vector<Seen> seen;
};

}  // namespace

std::vector<ProgramLine> linesOf(const Kernel& kernel, const trace::LineTallies& tallies,
                                 Source source) {
    std::vector<ProgramLine> lines;
    for (const trace::LineTally& tally : tallies.sorted()) {
        ProgramLine& line = lines.emplace_back(ProgramLine{tally.cost});
        line.place = {kernel.file, tally.line, 0};
        line.kind = tally.kind;
        line.source = source;
        // Requests are known by their place in a sector, not by that in a line of 128 bytes.
        line.cacheLines = 0;
        line.array = isGlobal(tally.kind)   ? kernel.arrays.at(tally.subject).name
                     : isShared(tally.kind) ? kernel.shared.at(tally.subject).name
                                            : kernel.branches.at(tally.subject).name;
    }
    return lines;
}

LaunchReport predict(const Experiment& experiment, const PredictOptions& options) {
    const Clock::time_point begin = Clock::now();
    LaunchReport report = reportOn(experiment, totalsOf(experiment, options), Source::predicted);
    report.seconds = secondsSince(begin);
    return report;
}

LaunchReport predictCompiled(const Experiment& experiment, const PredictOptions& options,
                             std::string_view ptx) {
    const Clock::time_point begin = Clock::now();
    const Kernel& kernel = kernelOf(experiment);
    const bool computes = !ptx.empty();
    if (ptx.empty()) ptx = library::ptxOf(kernel, library::PtxKind::optimized);
    LaunchReport report =
        reportOn(experiment, totalsOf(experiment, options, ptx, computes), Source::compiled);
    const TracedKernel code(experiment, nullptr, ptx, computes);
    for (Value& value : report.values) {
        const auto branch = std::ranges::find(kernel.branches, value.subject, &KernelBranch::name);
        if (branch != kernel.branches.end() && !code.decides(*branch))
            value.content = Unavailable{"the compiled code (PTX) has no branch there"};
    }
    const auto behind = [&](std::string_view words, std::string_view end) {
        const std::size_t at = ptx.find(words);
        if (at == std::string_view::npos) return std::string();
        const std::size_t from = at + words.size();
        return std::string(ptx.substr(from, ptx.find_first_of(end, from) - from));
    };
    std::string capability = behind(".target sm_", "\n, ");
    if (!capability.empty()) capability.insert(capability.size() - 1, ".");
    report.compiled = CompiledCount{.compiler = "nvcc",
                                    .version = behind("Cuda compilation tools, release ", ","),
                                    .computeCapability = capability,
                                    .exact = report.exact,
                                    .blocksTraced = report.blocksTraced,
                                    .seconds = secondsSince(begin)};
    return report;
}

void addCompiled(LaunchReport& report, const LaunchReport& compiled) {
    report.compiled = compiled.compiled;
    report.lines.insert(report.lines.end(), compiled.lines.begin(), compiled.lines.end());
    report.values.insert(report.values.end(), compiled.values.begin(), compiled.values.end());
}

LaunchReport predictBlock(const Experiment& experiment, Index3 block, const BlockOptions& options) {
    const Clock::time_point begin = Clock::now();
    const Kernel& kernel = kernelOf(experiment);
    const std::vector<std::uint32_t> order =
        spreadOrder(warpCountPerBlock(experiment.launch.block));
    LaunchReport report = reportOn(experiment);
    TracedBlock& part = report.block.emplace(TracedBlock{.block = block});
    part.warps = static_cast<std::uint32_t>(order.size());

    const auto memory = std::make_shared<const library::ArrayMemory>(experiment, false);
    trace::LineTallies total;
    std::mutex mutex;
    std::atomic<std::uint32_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::vector<std::jthread> helpers;
    const auto work = [&](const auto& callHelpers) {
        try {
            TracedKernel traced(experiment, memory);
            trace::GroupingObserver observer(kernel.branches);
            std::uint32_t done = 0;
            Clock::duration slowest{};
            while (!failed) {
                if (options.stop.stop_requested()) throw PredictionStopped();
                const std::uint32_t place = next.fetch_add(1);
                if (place >= order.size()) break;
                const Clock::time_point start = Clock::now();
                if (place != 0 && start + slowest - begin >= options.time) break;
                traced.runWarp(block, {order[place]}, observer);
                slowest = std::max(slowest, Clock::now() - start);
                if (++done == 1) callHelpers(slowest * (order.size() - 1));
            }
            const std::lock_guard lock(mutex);
            trace::addTo(total, observer.take());
            part.warpsTraced += done;
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    // A thread of the host takes as long to begin as a small block takes as a whole.
    const unsigned threads = std::min<unsigned>(hostThreads(options.threads), part.warps);
    work([&](Clock::duration left) {
        if (left < std::chrono::microseconds(100)) return;
        while (helpers.size() + 1 < threads) {
            helpers.emplace_back([&] { work([](Clock::duration) {}); });
        }
    });
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
    report.exact = part.warpsTraced == part.warps;
    report.lines = linesOf(kernel, total, Source::predicted);
    report.values = valuesOf(report.lines, &kernel);
    report.seconds = secondsSince(begin);
    return report;
}

std::optional<std::uint32_t> lineThatComputingChanges(const Experiment& experiment) {
    const Kernel& file = kernelOf(experiment);
    if (file.computing.empty()) return std::nullopt;
    TracedKernel computing(experiment, std::make_shared<library::ArrayMemory>(experiment, true));
    TracedKernel tracing(experiment);
    const std::uint64_t last = experiment.launch.grid.count() - 1;
    const std::uint64_t pieces = std::clamp<std::uint64_t>(last, 1, mostBlocks - 1);
    for (std::uint64_t piece = 0; piece <= std::min(last, pieces); ++piece) {
        const Index3 block = blockIndexInGrid(
            last / pieces * piece + last % pieces * piece / pieces, experiment.launch.grid);
        Watcher with;
        Watcher without;
        computing.runBlock(block, with);
        tracing.runBlock(block, without);
        const auto [one, other] = std::ranges::mismatch(with.seen, without.seen);
        if (one != with.seen.end()) return one->line;
        if (other != without.seen.end()) return other->line;
    }
    return std::nullopt;
}

}  // namespace warplens
