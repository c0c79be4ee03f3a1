#include "app/figure/numbers.h"

#include <algorithm>

#include "core/launch/coverage.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

class Collector final {
  public:
    explicit Collector(const Evidence& evidence) : evidence_(evidence) {}

    void quantity(std::string name, Metric metric, Variant variant = Variant::none,
                  std::string_view subject = "kernel") {
        Number number{.name = std::move(name), .lines = {}};
        for (const Source source :
             {Source::predicted, Source::probed, Source::counted, Source::timed}) {
            const Value* value = evidence_.find(metric, source, variant, subject);
            if (value == nullptr || value->number() == nullptr) continue;
            add(number, compact(*value), source);
        }
        if (!number.lines.empty()) numbers_.push_back(std::move(number));
    }

    /// Sectors per request, with the fewest that hold the bytes asked for.
    void sectors(std::string name, Variant variant, Variant ideal,
                 std::string_view subject = "kernel") {
        const std::size_t before = numbers_.size();
        quantity(std::move(name), Metric::sectorsPerRequest, variant, subject);
        if (numbers_.size() == before) return;
        const Value* fewest = evidence_.best(Metric::sectorsPerRequest, ideal, subject);
        if (fewest != nullptr && fewest->number() != nullptr) {
            numbers_.back().remark = "at best " + compact(*fewest);
        }
    }

    /// What follows from the launch alone, by rule.
    void byRule(std::string name, std::string value) {
        numbers_.push_back(
            {.name = std::move(name),
             .lines = {{std::move(value), std::string(toString(Source::predicted))}}});
    }

    /// What the timed runs told beside their median.
    void timed(std::string name, std::string value) {
        numbers_.push_back({.name = std::move(name),
                            .lines = {{std::move(value), std::string(toString(Source::timed))}}});
    }

    void memory() {
        sectors("Sectors per load request", Variant::load, Variant::loadIdeal);
        sectors("Sectors per store request", Variant::store, Variant::storeIdeal);
        quantity("Coalescing efficiency", Metric::coalescingEfficiency);
    }
    void speed() {
        quantity("Time", Metric::time);
        quantity("Effective bandwidth", Metric::effectiveBandwidth);
        quantity("Of the device's copy rate", Metric::bandwidthUtilization, Variant::copyRate);
    }
    void shared() {
        const Value* value = evidence_.best(Metric::sharedWavefronts);
        if (value == nullptr || value->number() == nullptr || *value->number() == 0) return;
        quantity("Wavefronts per shared request", Metric::sharedWavefrontsPerRequest);
    }
    void atomics() {
        if (evidence_.best(Metric::atomicTurns) == nullptr) return;
        quantity("Atomic requests", Metric::atomicRequests);
        quantity("Atomic turns", Metric::atomicTurns);
    }
    void branches() {
        quantity("Divergent branches", Metric::divergentBranches);
        quantity("Branch efficiency", Metric::branchEfficiency);
        quantity("Lanes active", Metric::laneEfficiency, Variant::active);
    }

    [[nodiscard]] std::vector<Number> take() { return std::move(numbers_); }

  private:
    static void add(Number& number, std::string value, Source source) {
        const std::string name(toString(source));
        const auto same = std::ranges::find(number.lines, value, &Number::Line::value);
        if (same == number.lines.end()) {
            number.lines.push_back({std::move(value), name});
        } else {
            same->sources += ", " + name;
        }
    }

    const Evidence& evidence_;
    std::vector<Number> numbers_;
};

}  // namespace

std::vector<Number> threadNumbers(const Subject& subject) {
    const Extents block = subject.experiment.launch.block;
    Collector numbers(subject.evidence);
    numbers.byRule("Threads of the block", groupedDigits(block.count()));
    numbers.byRule("Warps of the block", std::to_string(warpCountPerBlock(block)));
    if (idleLaneCount(block) > 0) {
        numbers.byRule("Lanes without a thread",
                       std::to_string(idleLaneCount(block)) + " of " +
                           groupedDigits(std::uint64_t{warpCountPerBlock(block)} * lanesPerWarp));
    }
    numbers.quantity("Threads the GPU maps otherwise", Metric::mappingMismatches);
    if (scenarioNamed(subject.experiment.scenario).group != 'A') {
        numbers.shared();
        numbers.atomics();
        numbers.memory();
        numbers.speed();
    }
    numbers.quantity("Lanes active", Metric::laneEfficiency, Variant::active);
    numbers.quantity("Theoretical occupancy", Metric::theoreticalOccupancy);
    return numbers.take();
}

std::vector<Number> coverageNumbers(const Subject& subject) {
    const Kernel& kernel = kernelOf(subject.experiment);
    Collector numbers(subject.evidence);
    if (!kernel.work.empty()) {
        const Coverage coverage =
            coverageOf(subject.experiment.launch, kernel.work(subject.experiment.arguments));
        numbers.byRule("Threads launched", groupedDigits(coverage.launched));
        numbers.byRule("Threads without an element", groupedDigits(coverage.wasted()));
        if (coverage.missed > 0) {
            numbers.byRule("Elements without a thread", groupedDigits(coverage.missed));
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
    numbers.memory();
    numbers.speed();
    numbers.shared();
    numbers.atomics();
    return numbers.take();
}

std::vector<Number> branchNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.branches();
    numbers.quantity("Time", Metric::time);
    numbers.memory();
    return numbers.take();
}

std::vector<Number> reductionNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.branches();
    numbers.quantity("Time", Metric::time);
    numbers.shared();
    numbers.atomics();
    numbers.quantity("Effective bandwidth", Metric::effectiveBandwidth);
    return numbers.take();
}

std::vector<Number> timeNumbers(const Subject& subject) {
    Collector numbers(subject.evidence);
    numbers.quantity("Time", Metric::time);
    numbers.quantity("Launch overhead", Metric::launchOverhead);
    if (subject.timing) {
        const Timing& timing = *subject.timing;
        numbers.timed("Fastest", formatNumber(timing.minimumSeconds, Unit::seconds));
        numbers.timed("Slowest", formatNumber(timing.maximumSeconds, Unit::seconds));
        numbers.timed("Middle half apart", formatNumber(timing.spreadPercent, Unit::percent));
    }
    numbers.quantity("Effective bandwidth", Metric::effectiveBandwidth);
    return numbers.take();
}

}  // namespace warplens::figure
