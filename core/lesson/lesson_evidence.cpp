#include "core/lesson/lesson_evidence.h"

#include <algorithm>
#include <cmath>

#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/lesson/resolved_lesson.h"
#include "core/occupancy/occupancy.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using Operands = std::vector<std::string>;

std::uint32_t numberOf(const std::string& text) {
    return wholeNumber<std::uint32_t>(text).value_or(0);
}

/// Elements along the axes; the grid's own threads where the grid is the problem.
Extents workOf(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const auto [grid, block, bytes] = experiment.launch;
    if (!kernel.work.empty()) return kernel.work(experiment.arguments);
    return {grid.x * block.x, grid.y * block.y, grid.z * block.z};
}

Evaluation byRule(double value, Unit unit = Unit::count) {
    return FoundNumber{value, unit, {"by rule"}, {}, false};
}
Evaluation byRule(std::uint64_t value, Unit unit = Unit::count) {
    return byRule(static_cast<double>(value), unit);
}

Evaluation threadFact(const Experiment& experiment, const Operands& operands) {
    const Index3 thread{numberOf(operands[0]), numberOf(operands[1]), numberOf(operands[2])};
    const Extents block = experiment.launch.block;
    if (thread.x >= block.x || thread.y >= block.y || thread.z >= block.z) {
        return Unavailable{"the block has no such thread"};
    }
    const ThreadRank rank = threadRankInBlock(thread, block);
    if (operands[3] == "warp") return byRule(std::uint64_t{warpRankInBlock(rank).value});
    if (operands[3] == "lane") return byRule(std::uint64_t{laneIndex(rank).value});
    return byRule(std::uint64_t{rank.value});
}

Evaluation elementFact(const Experiment& experiment, const Operands& operands) {
    const Kernel& kernel = kernelOf(experiment);
    const Index3 block{numberOf(operands[0]), numberOf(operands[1]), 0};
    const Index3 thread{numberOf(operands[2]), numberOf(operands[3]), 0};
    const auto [grid, extents, sharedBytes] = experiment.launch;
    if (block.x >= grid.x || block.y >= grid.y || thread.x >= extents.x || thread.y >= extents.y) {
        return Unavailable{"the launch has no such thread"};
    }
    const auto element = kernel.element(experiment.arguments, experiment.launch, block, thread);
    if (!element) return Unavailable{"that thread writes nothing"};
    if (operands[4] == "element") return byRule(*element);
    const auto output = std::ranges::find(kernel.arrays, ArrayRole::output, &KernelArray::role);
    if (output == kernel.arrays.end() || output->columns.empty()) {
        return Unavailable{"the output is no matrix"};
    }
    const std::uint64_t columns = output->columns(experiment.arguments);
    return byRule(operands[4] == "row" ? *element / columns : *element % columns);
}

Evaluation smFact(const Experiment& experiment, const Operands& operands) {
    const SmLimits& limits = smLimitsNamed(operands[0]);
    // By threads and blocks alone, as in a first exercise.
    const Occupancy occupancy = occupancyOf(limits, {.threads = experiment.launch.block.count()});
    if (operands[1] == "blocks") return byRule(std::uint64_t{occupancy.residentBlocks});
    if (operands[1] == "warps") return byRule(std::uint64_t{occupancy.residentWarps()});
    if (operands[1] == "slots") return byRule(std::uint64_t{occupancy.warpSlots});
    if (operands[1] == "threads") {
        return byRule(occupancy.residentBlocks * experiment.launch.block.count());
    }
    if (occupancy.residentBlocks == 0) return Unavailable{"no SM holds such a block"};
    return byRule(occupancy.multiprocessorsFor(experiment.launch.grid.count()));
}

Evaluation casesFact(const Experiment& experiment, const std::string& which) {
    const BlockGuard guard = guardOf(workOf(experiment), experiment.launch.block);
    for (const BlockCaseCount& count : countBlockCases(guard, experiment.launch.grid)) {
        std::string name = nameOf(count.which);
        std::ranges::replace(name, ' ', '_');
        if (name == which) return byRule(count.blocks);
    }
    return byRule(std::uint64_t{0});
}

/// Marks a number as one of this measurement.
FoundNumber measuredBy(FoundNumber number, const LaunchEvidence& launch) {
    number.device = takenOn(*launch.measured);
    number.recorded = launch.recorded;
    return number;
}

Evaluation deviceFact(const LaunchEvidence& launch, const std::string& what) {
    if (!launch.measured) return Unavailable{"not measured"};
    const Device& device = launch.measured->device;
    const auto found = [&](double value, Unit unit) {
        return measuredBy({value, unit, {"device"}, {}, false}, launch);
    };
    if (what == "sms") return found(device.multiprocessors, Unit::count);
    if (what == "l2_bytes") return found(static_cast<double>(device.l2Bytes), Unit::bytes);
    const std::optional<double> rate = what == "peak" ? device.theoreticalPeak : device.copyRate;
    if (!rate) return Unavailable{"the device's rate is not known"};
    return found(*rate, Unit::bytesPerSecond);
}

Evaluation compiledFact(const LaunchEvidence& launch, const std::string& what) {
    if (!launch.measured) return Unavailable{"not measured"};
    const std::optional<KernelResources>& resources = launch.measured->resources;
    if (!resources) return Unavailable{"recorded without the kernel's resources"};
    const double value = what == "registers" ? resources->registersPerThread
                         : what == "local_bytes"
                             ? static_cast<double>(resources->localBytesPerThread)
                             : static_cast<double>(resources->staticSharedBytes +
                                                   launch.experiment.launch.dynamicSharedBytes);
    return measuredBy({value, Unit::count, {"compiler"}, {}, false}, launch);
}

/// Values that the lanes load from global memory: what they ask for over a value's size.
Evaluation laneLoads(const LaunchEvidence& launch) {
    const Kernel& kernel = kernelOf(launch.experiment);
    double loads = 0;
    for (const KernelArray& array : kernel.arrays) {
        if (array.role != ArrayRole::input) continue;
        const auto number = [&](Metric metric) {
            const Value* value =
                findValue(launch.predicted, metric, Source::predicted, Variant::none, array.name);
            return value == nullptr ? nullptr : value->number();
        };
        const double* sectors = number(Metric::globalLoadSectors);
        const double* bytes = number(Metric::requestedBytesPerSector);
        if (sectors == nullptr || bytes == nullptr) return Unavailable{"not predicted"};
        loads += *sectors * *bytes / static_cast<double>(byteCount(array.type));
    }
    return FoundNumber{loads, Unit::count, {"predicted"}, {}, false};
}

Evaluation factOf(const FactQuantity& fact, const LaunchEvidence& launch) {
    const Experiment& experiment = launch.experiment;
    const auto [grid, block, sharedBytes] = experiment.launch;
    const std::string& name = fact.name;
    const auto along = [&](Extents extents) {
        const std::string& axis = fact.operands[0];
        return byRule(std::uint64_t{axis == "x" ? extents.x : axis == "y" ? extents.y : extents.z});
    };
    if (name == "blocks") return byRule(grid.count());
    if (name == "threads") return byRule(experiment.launch.threadCount(), Unit::threads);
    if (name == "threads_per_block") return byRule(block.count(), Unit::threads);
    if (name == "warps_per_block") return byRule(std::uint64_t{warpCountPerBlock(block)});
    if (name == "idle_lanes") return byRule(std::uint64_t{idleLaneCount(block)});
    if (name == "last_warp_lanes")
        return byRule(std::uint64_t{lanesPerWarp - idleLaneCount(block)});
    if (name == "elements") return byRule(workOf(experiment).count());
    if (name == "spare_threads") {
        const Kernel& kernel = kernelOf(experiment);
        if (kernel.work.empty()) return byRule(std::uint64_t{0}, Unit::threads);
        return byRule(shareOf(kernel, experiment.arguments, experiment.launch).outside,
                      Unit::threads);
    }
    if (name == "grid") return along(grid);
    if (name == "block") return along(block);
    if (name == "blocks_that_lie") return casesFact(experiment, fact.operands[0]);
    if (name == "thread") return threadFact(experiment, fact.operands);
    if (name == "writes") return elementFact(experiment, fact.operands);
    if (name == "sm") return smFact(experiment, fact.operands);
    if (name == "lane_loads") return laneLoads(launch);
    if (name == "compiled") return compiledFact(launch, fact.operands[0]);
    if (name == "device") return deviceFact(launch, fact.operands[0]);
    if (name == "working_set") {
        const Kernel& kernel = kernelOf(experiment);
        return byRule(arrayBytes(kernel, experiment.arguments, experiment.launch), Unit::bytes);
    }
    if (!experiment.arguments.contains(fact.operands[0])) {
        std::vector<std::string_view> names;
        for (const auto& [known, value] : experiment.arguments.entries()) names.push_back(known);
        return Unavailable{"the kernel has no " + fact.operands[0] +
                           didYouMean(fact.operands[0], names)};
    }
    return byRule(static_cast<double>(experiment.arguments.at(fact.operands[0])));
}

Evaluation valueOf(const ValueQuantity& asked, const LaunchEvidence& launch,
                   std::optional<Source> source) {
    const Source from = asked.source.value_or(source.value_or(Source::predicted));
    const bool predicted = from == Source::predicted;
    if (!predicted && !launch.measured) return Unavailable{"not measured"};
    const std::vector<Value>& values = predicted ? launch.predicted : launch.measured->values;
    const Value* value = findValue(values, asked.metric, from, asked.variant, asked.subject);
    if (value == nullptr) {
        // What else may be named behind the metric.
        std::string others;
        for (const Value& other : values) {
            if (other.metric != asked.metric || other.source != from) continue;
            std::string words(other.variant == Variant::none ? "" : toString(other.variant));
            if (other.subject != "kernel") addWords(words, " ", other.subject);
            addWords(others, ", ", words.empty() ? "nothing more" : "'" + words + "'");
        }
        std::string words(asked.variant == Variant::none ? "" : toString(asked.variant));
        if (asked.subject != "kernel") addWords(words, " ", asked.subject);
        const std::string what =
            std::string(metricInfo(asked.metric).title) + " " + std::string(toString(from));
        if (others.empty()) return Unavailable{"no " + what};
        return Unavailable{(words.empty() ? "no " + what + " as such"
                                          : "'" + words + "' is not known of " + what) +
                           ": it stands with " + others};
    }
    const double* number = value->number();
    if (number == nullptr) return std::get<Unavailable>(value->content);
    FoundNumber found{
        *number, metricInfo(asked.metric).unit, {std::string(toString(from))}, {}, false};
    return predicted ? found : measuredBy(std::move(found), launch);
}

FoundNumber joined(FoundNumber a, char sign, const FoundNumber& b) {
    const Unit left = a.unit;
    const bool bare = b.sources.empty();
    switch (sign) {
        case '+':
            a.value += b.value;
            break;
        case '-':
            a.value -= b.value;
            break;
        case '*':
            a.value *= b.value;
            if (a.sources.empty()) a.unit = b.unit;
            break;
        default:
            a.value /= b.value;
    }
    // Products and quotients of two quantities are plain numbers.
    if ((sign == '*' || sign == '/') && !bare && !a.sources.empty()) a.unit = Unit::one;
    if ((sign == '+' || sign == '-') && left != b.unit && !bare) a.unit = Unit::one;
    for (const std::string& source : b.sources) {
        if (std::ranges::find(a.sources, source) == a.sources.end()) a.sources.push_back(source);
    }
    if (a.device.empty()) a.device = b.device;
    a.recorded = a.recorded || b.recorded;
    return a;
}

}  // namespace

Evaluation evaluate(const Expression& expression, const LessonEvidence& evidence,
                    std::optional<Source> source) {
    std::vector<FoundNumber> stack;
    for (const Expression::Part& part : expression.parts()) {
        if (const double* number = std::get_if<double>(&part)) {
            stack.push_back({*number, Unit::one, {}, {}, false});
        } else if (const char* sign = std::get_if<char>(&part)) {
            const FoundNumber right = stack.back();
            stack.pop_back();
            if (*sign == '/' && right.value == 0) return Unavailable{"divided by nothing"};
            stack.back() = joined(stack.back(), *sign, right);
        } else {
            const LessonQuantity& quantity = std::get<LessonQuantity>(part);
            const auto launch = evidence.find(quantity.launch);
            if (launch == evidence.end()) return Unavailable{"no launch " + quantity.launch};
            Evaluation finding =
                std::holds_alternative<ValueQuantity>(quantity.what)
                    ? valueOf(std::get<ValueQuantity>(quantity.what), launch->second, source)
                    : factOf(std::get<FactQuantity>(quantity.what), launch->second);
            if (std::holds_alternative<Unavailable>(finding)) return finding;
            stack.push_back(std::get<FoundNumber>(std::move(finding)));
        }
    }
    return stack.back();
}

namespace {

bool compares(double left, GoalSign sign, double right) {
    constexpr double slack = 1e-9;
    switch (sign) {
        case GoalSign::atMost:
            return left <= right + slack;
        case GoalSign::atLeast:
            return left >= right - slack;
        case GoalSign::equal:
            break;
    }
    return left >= right - slack && left <= right + slack;
}

}  // namespace

std::vector<GoalStanding> standingOf(const LessonGoal& goal, const LessonEvidence& evidence) {
    std::vector<GoalStanding> standing;
    for (const GoalCheck& check : goal.checks) {
        GoalStanding one{.say = check.say, .now = {}};
        const Evaluation left = evaluate(check.left, evidence);
        const Evaluation right = evaluate(check.right, evidence);
        const auto* a = std::get_if<FoundNumber>(&left);
        const auto* b = std::get_if<FoundNumber>(&right);
        if (a != nullptr && b != nullptr) {
            one.known = true;
            one.holds = compares(a->value, check.sign, b->value);
            const bool whole = a->unit == Unit::one && a->value == std::floor(a->value);
            one.now = formatFound(*a, whole ? 0 : -1);
        } else {
            one.now = std::get<Unavailable>(a == nullptr ? left : right).reason;
        }
        standing.push_back(std::move(one));
    }
    return standing;
}

bool isReached(const std::vector<GoalStanding>& standing) {
    return !standing.empty() &&
           std::ranges::all_of(standing, [](const GoalStanding& one) { return one.holds; });
}

}  // namespace warplens
