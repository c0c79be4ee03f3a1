#include <ranges>

#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

class Collector final {
  public:
    explicit Collector(const Evidence& evidence) : evidence_(evidence) {}

    /// Under its title, or the name it has in the figure.
    void quantity(Metric metric, Variant variant = Variant::none) {
        quantity(titleOf(metric, variant), metric, variant);
    }
    void quantity(std::string name, Metric metric, Variant variant = Variant::none,
                  std::string_view subject = "kernel") {
        const auto row = rowOf(evidence_, std::move(name), metric, variant, subject);
        if (!row || !row->hasNumber()) return;
        Number number{.name = row->name, .lines = {}};
        if (row->idealsDiffer) {
            for (std::size_t i = 0; i < row->cells.size(); ++i) {
                const Value* const cell = row->cells.at(i);
                if (cell == nullptr || cell->number() == nullptr) continue;
                const Value* const ideal = row->ideals.at(i);
                number.lines.push_back(
                    {compact(*cell),
                     std::string(toString(cell->source)) +
                         (ideal == nullptr ? "" : "  ·  at best " + compact(*ideal))});
            }
            numbers_.push_back(std::move(number));
            return;
        }
        if (!row->ideal.empty()) number.remark = "at best " + row->ideal;
        for (const Statement& statement : statementsOf(*row)) {
            number.lines.push_back(
                {statement.number, joined(statement.sources, ", ", toString<Source>)});
        }
        // What was compiled and counted is of the machine code.
        if (row->countsBranches && number.lines.size() > 1 && !row->sampled) {
            const bool left = evidence_.compiled.empty() || compiledTo(BranchForm::branch);
            if (metric == Metric::branchEfficiency && left && row->cell(Source::counted) != nullptr)
                number.remark = "of all, loop ends too";
            else if (compiledTo(BranchForm::predicated))
                number.remark = left ? "some predicated" : "predicated";
            else if (const Value* const made =
                         evidence_.find(Metric::branches, Source::compiled, Variant::none, subject);
                     made != nullptr && made->number() != nullptr)
                number.remark = "of the " + compactCount(*made->number()) + " left";
        }
        numbers_.push_back(std::move(number));
    }

    /// What follows from the launch alone, by rule.
    void byRule(std::string name, std::string value) {
        numbers_.push_back(
            {.name = std::move(name),
             .lines = {{std::move(value), std::string(toString(Source::predicted))}}});
    }

    /// So far all is in the picture's sentence, too.
    void allStated() {
        for (Number& number : numbers_) number.stated = true;
    }

    /// What the figure's foot says the source of.
    void stated(std::string name, std::string value, std::string beside = {}) {
        numbers_.push_back(
            {.name = std::move(name), .lines = {{std::move(value), std::move(beside)}}});
    }

    /// What the timed runs told beside their median.
    void timed(std::string name, std::string value) {
        numbers_.push_back({.name = std::move(name),
                            .lines = {{std::move(value), std::string(toString(Source::timed))}}});
    }

    void memory() {
        quantity("Sectors per load request", Metric::sectorsPerRequest, Variant::load);
        quantity("Sectors per store request", Metric::sectorsPerRequest, Variant::store);
        quantity(Metric::coalescingEfficiency);
        width("Bytes per load request", Variant::load);
        width("Bytes per store request", Variant::store);
    }
    /// Where it is not what 32 lanes ask for with 4 bytes each.
    void width(std::string name, Variant variant) {
        const Value* const value = evidence_.best(Metric::usedBytesPerRequest, variant);
        if (value == nullptr || value->number() == nullptr || *value->number() == 128) return;
        quantity(std::move(name), Metric::usedBytesPerRequest, variant);
    }
    void speed() {
        quantity(Metric::time);
        quantity(Metric::effectiveBandwidth);
        quantity("Of the device's copy rate", Metric::bandwidthUtilization, Variant::copyRate);
    }
    void shared() {
        const Value* value = evidence_.best(Metric::sharedWavefronts);
        if (value == nullptr || value->number() == nullptr || *value->number() == 0) return;
        quantity("Wavefronts per request, all lines", Metric::sharedWavefrontsPerRequest);
        const auto number = [&](Metric metric, Source source) {
            const Value* const found = evidence_.find(metric, source, Variant::none, "kernel");
            return found == nullptr || found->number() == nullptr ? 0.0 : *found->number();
        };
        // Fewer in all, and more of each.
        if (number(Metric::sharedWavefronts, Source::counted) <
                number(Metric::sharedWavefronts, Source::predicted) &&
            number(Metric::sharedWavefrontsPerRequest, Source::counted) >
                number(Metric::sharedWavefrontsPerRequest, Source::predicted)) {
            numbers_.back().remark = "the compiler merged loads";
        }
    }
    /// Where lines take more wavefronts a request than others, those of which the average is made:
    /// of the warp, the costliest first.
    void sharedLines(const Subject& subject) {
        struct Line final {
            std::string name;
            double wavefronts = 0;
            double requests = 0;
            [[nodiscard]] double each() const { return wavefronts / requests; }
        };
        const WarpTrace trace =
            traceWarp({subject.view.experiment, subject.view.block,
                       subject.view.warp.value_or(WarpRank{0}), subject.program});
        std::vector<Line> lines;
        for (const WarpStep& step : trace.steps) {
            if (!step.isShared() || step.line == 0) continue;
            const std::string title = drawing::titleOf(trace, step);
            const std::string name = "Line " + std::to_string(step.line) +
                                     title.substr(title.find(' ', title.find(' ') + 1));
            auto line = std::ranges::find(lines, name, &Line::name);
            if (line == lines.end()) line = lines.insert(line, {name});
            line->wavefronts += static_cast<double>(costOf(step).wavefronts);
            line->requests += 1;
        }
        std::ranges::stable_sort(lines, std::greater{}, &Line::each);
        if (lines.empty() || lines.front().each() < 1.05 * lines.back().each()) return;
        for (const Line& line : lines | std::views::take(3)) {
            byRule(line.name, fixedNumber(line.each(), 2));
            numbers_.back().remark = "warp " + std::to_string(trace.place.warp.value);
        }
    }
    /// Of each memory by itself: where lanes wait is what one costs more than the other.
    void atomics(const Subject& subject) {
        const Value* const best = evidence_.best(Metric::atomicTurns);
        if (best == nullptr) return;
        for (const bool shared : {false, true}) {
            const AtomicsIn all = atomicsIn(shared, evidence_.values, best->source);
            if (all.requests == 0) continue;
            const Metric counted = shared ? Metric::atomicRequests : Metric::atomicTurns;
            Evidence of;
            for (const Source source : measuredSources) {
                if (auto value = atomicsIn(shared, counted, evidence_.values, source))
                    of.values.push_back(*std::move(value));
            }
            Collector part(of);
            // Of global memory the turns, which are what its lanes wait.
            part.quantity(shared ? "Shared atomic requests" : "Turns of global atomics", counted);
            const bool isJoined = joinsLanes(subject, shared);
            part.numbers_.back().remark = isJoined && (shared || !all.meet()) ? "lanes are joined"
                                          : !all.meet()                       ? "no lanes meet"
                                          : shared ? compactCount(all.turns) + " turns"
                                                   : compactCount(all.requests) + " requests";
            std::ranges::move(part.numbers_, std::back_inserter(numbers_));
        }
    }
    /// And why it is lower than the theoretical.
    void achieved(const Subject& subject) {
        const auto amount = [&](Metric metric) {
            const Value* const value = evidence_.best(metric);
            return value == nullptr || value->number() == nullptr ? 0.0 : *value->number();
        };
        const DrawnSm sm = drawnSmOf(subject);
        const Occupancy room = occupancyOf(sm.limits, sm.demand);
        const bool isFull = drawing::residentOf(room, sm.grid) == room.residentBlocks;
        if (!isFull && evidence_.best(Metric::theoreticalOccupancy) != nullptr)
            numbers_.back().remark = "what fits";
        quantity(Metric::achievedOccupancy);
        if (evidence_.best(Metric::achievedOccupancy) == nullptr) return;
        if (!isFull)
            numbers_.back().remark =
                "at most " +
                formatNumber(100.0 * residentWarps(subject) / room.warpSlots, Unit::percent);
        else if (amount(Metric::achievedOccupancy) < 0.9 * amount(Metric::theoreticalOccupancy))
            numbers_.back().remark = "with start and end";
    }
    void branches(const Subject& subject) {
        quantity(Metric::divergentBranches);
        if (const std::uint64_t guards = divergentGuards(subject, {});
            !numbers_.empty() && guards != 0)
            numbers_.back().remark = groupedDigits(guards) + " of them at guards";
        const auto lost = [](const auto& loop) { return lostRounds(loop.second); };
        const auto loop = std::ranges::max_element(subject.loops, {}, lost);
        if (loop != subject.loops.end() && lost(*loop) != 0)
            byRule("Lane rounds lost at line " + std::to_string(loop->first),
                   groupedDigits(lost(*loop)));
        quantity(Metric::branchEfficiency);
        // Of code that is predicated all lanes are active, whatever they do.
        if (compiledTo(BranchForm::predicated))
            quantity("Lanes not predicated off", Metric::laneEfficiency, Variant::notPredicatedOff);
        else
            quantity("Lanes active", Metric::laneEfficiency, Variant::active);
    }

    [[nodiscard]] std::vector<Number> take() { return std::move(numbers_); }

  private:
    /// Whether the compiler joins what lanes of the warp add at one address of the memory.
    static bool joinsLanes(const Subject& subject, bool shared) {
        return std::ranges::any_of(
            traceWarp({subject.view.experiment, subject.view.block,
                       subject.view.warp.value_or(WarpRank{0}), subject.program})
                .steps,
            [&](const WarpStep& step) {
                return step.isAtomic() && step.isShared() == shared && step.isJoined &&
                       (shared || costOf(step).mostSameAddress > 1);
            });
    }
    /// Whether one of the marked branches is.
    [[nodiscard]] bool compiledTo(BranchForm form) const {
        return std::ranges::count(evidence_.compiled, form, &CompiledBranch::form) != 0;
    }

    const Evidence& evidence_;
    std::vector<Number> numbers_;
};

}  // namespace

std::vector<Number> threadNumbers(const Subject& subject) {
    const Extents block = subject.view.experiment.launch.block;
    Collector numbers(subject.evidence);
    numbers.byRule("Threads of the block", groupedDigits(block.count()));
    numbers.byRule("Warps of the block", std::to_string(warpCountPerBlock(block)));
    if (idleLaneCount(block) > 0) {
        numbers.byRule("Lanes without a thread",
                       std::to_string(idleLaneCount(block)) + " of " +
                           groupedDigits(std::uint64_t{warpCountPerBlock(block)} * lanesPerWarp));
    }
    numbers.allStated();
    numbers.quantity("Threads the GPU maps otherwise", Metric::mappingMismatches);
    if (scenarioNamed(subject.view.experiment.scenario).group != 'A') {
        numbers.shared();
        numbers.atomics(subject);
        numbers.memory();
        numbers.speed();
    }
    numbers.quantity("Lanes active", Metric::laneEfficiency, Variant::active);
    numbers.quantity(Metric::theoreticalOccupancy);
    return numbers.take();
}

std::vector<Number> slotNumbers(const Subject& subject) {
    const Extents block = subject.view.experiment.launch.block;
    const BlockDemand demand = drawnSmOf(subject).demand;
    Collector numbers(subject.evidence);
    numbers.byRule("Warps of the block", std::to_string(warpCountPerBlock(block)));
    if (subject.demand) {
        const SmLimits& limits = drawnSmOf(subject).limits;
        const std::uint64_t taken = occupancy::useOfRegisters(limits, demand).perBlock /
                                    std::max<std::uint64_t>(1, demand.warps() * lanesPerWarp);
        numbers.stated("Registers of a thread", std::to_string(demand.registersPerThread),
                       taken <= demand.registersPerThread
                           ? ""
                           : "rounded up to " + std::to_string(taken) + " by the SM");
        const std::uint64_t kept = drawnSmOf(subject).limits.sharedReservedPerBlock;
        numbers.stated("Shared memory of a block", formatBytes(demand.sharedBytes()),
                       kept == 0 ? "" : "and " + formatBytes(kept) + " for CUDA");
    }
    numbers.quantity(Metric::theoreticalOccupancy);
    numbers.achieved(subject);
    numbers.quantity(Metric::time);
    return numbers.take();
}

std::vector<Number> coverageNumbers(const Subject& subject) {
    const Kernel& kernel = kernelOf(subject.view.experiment);
    Collector numbers(subject.evidence);
    if (!kernel.work.empty()) {
        const Launch& launch = subject.view.experiment.launch;
        const ProblemShare share = shareOf(kernel, subject.view.experiment.arguments, launch);
        numbers.byRule("Threads launched", groupedDigits(launch.threadCount()));
        numbers.byRule("Threads without an element", groupedDigits(share.outside));
        if (share.times > 1) {
            numbers.byRule("Threads that do the same element", groupedDigits(share.times));
        }
        if (share.missed > 0) {
            numbers.byRule("Elements without a thread", groupedDigits(share.missed));
        }
    }
    numbers.quantity("Warps that the edge divides", Metric::divergentBranches, Variant::none,
                     "inside");
    numbers.quantity("Branch efficiency of the guard", Metric::branchEfficiency, Variant::none,
                     "inside");
    numbers.quantity("Lanes active", Metric::laneEfficiency, Variant::active);
    numbers.quantity("Threads the GPU maps otherwise", Metric::mappingMismatches);
    numbers.speed();
    return numbers.take();
}

std::vector<Number> memoryNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    const Value* const wavefronts = subject.evidence.find(
        Metric::sharedWavefrontsPerRequest, Source::predicted, Variant::none, "kernel");
    const bool conflicts =
        wavefronts != nullptr && wavefronts->number() != nullptr && *wavefronts->number() > 1.05;
    const auto atomics = [&](bool shared) {
        const Value* const best = subject.evidence.best(Metric::atomicTurns);
        return best == nullptr ? AtomicsIn()
                               : atomicsIn(shared, subject.evidence.values, best->source);
    };
    const Metric about = subject.about                                         ? *subject.about
                         : atomics(false).meet() || atomics(true).requests > 0 ? Metric::atomicTurns
                         : conflicts || isOfBanks(subject) ? Metric::sharedWavefrontsPerRequest
                                                           : Metric::sectorsPerRequest;
    // What it is about, and then always in one order.
    if (about == Metric::divergentBranches) numbers.branches(subject);
    if (about == Metric::sharedWavefrontsPerRequest) numbers.shared();
    if (about == Metric::atomicTurns || about == Metric::sharedWavefrontsPerRequest)
        numbers.atomics(subject);
    if (about == Metric::atomicTurns) numbers.shared();
    if (conflicts) numbers.sharedLines(subject);
    numbers.memory();
    numbers.speed();
    if (about == Metric::atomicTurns || about == Metric::sharedWavefrontsPerRequest)
        return numbers.take();
    numbers.shared();
    numbers.atomics(subject);
    return numbers.take();
}

std::vector<Number> branchNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.branches(subject);
    numbers.quantity(Metric::time);
    return numbers.take();
}

std::vector<Number> reductionNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.branches(subject);
    numbers.quantity(Metric::time);
    numbers.shared();
    numbers.atomics(subject);
    numbers.quantity(Metric::effectiveBandwidth);
    return numbers.take();
}

std::vector<Number> timeNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.quantity(Metric::time);
    numbers.quantity(Metric::launchOverhead);
    if (subject.timing) {
        const Timing& timing = *subject.timing;
        numbers.timed("Fastest", formatNumber(timing.minimumSeconds, Unit::seconds));
        numbers.timed("Slowest", formatNumber(timing.maximumSeconds, Unit::seconds));
        numbers.timed("Middle half apart", formatNumber(timing.spreadPercent, Unit::percent));
    }
    numbers.quantity(Metric::effectiveBandwidth);
    return numbers.take();
}

}  // namespace warplens::figure
