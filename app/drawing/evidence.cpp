#include "app/drawing/evidence.h"

#include <cmath>
#include <cstdio>

#include "core/measurement/measurement.h"
#include "core/scenario/scenario.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::string printed(const char* format, double value) {
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

/// Times a warp parts at the mark of the source, null where nobody says.
const double* divergenceOf(const Evidence& evidence, std::string_view mark) {
    for (const Source source : {Source::predicted, Source::compiled}) {
        const Value* value = evidence.find(Metric::divergentBranches, source, Variant::none, mark);
        if (value != nullptr && value->number() != nullptr) return value->number();
    }
    return nullptr;
}

/// Where the code that was measured was counted, it is told and no other compiler's.
void addMeasured(Evidence& evidence, const std::vector<Value>& measured) {
    if (std::ranges::find(measured, Source::compiled, &Value::source) != measured.end()) {
        std::erase_if(evidence.values,
                      [](const Value& value) { return value.source == Source::compiled; });
    }
    evidence.values.insert(evidence.values.end(), measured.begin(), measured.end());
}

}  // namespace

const Value* Evidence::find(Metric metric, Source source, Variant variant,
                            std::string_view subject) const {
    return findValue(values, metric, source, variant, subject);
}

const Value* Evidence::best(Metric metric, Variant variant, std::string_view subject) const {
    const Value* reason = nullptr;
    for (const Source source :
         {Source::timed, Source::counted, Source::compiled, Source::predicted}) {
        const Value* value = find(metric, source, variant, subject);
        if (value != nullptr && value->number() != nullptr) return value;
        if (reason == nullptr) reason = value;
    }
    return reason;
}

bool Evidence::has(Metric metric, Variant variant, std::string_view subject) const {
    return best(metric, variant, subject) != nullptr;
}

std::string Evidence::sourceText(Source source) const {
    const std::string name(toString(source));
    return recorded && source != Source::predicted ? "recorded · " + name : name;
}

Evidence evidenceOf(const LaunchReport* prediction, const Measurement* measurement, bool recorded) {
    Evidence evidence;
    if (prediction != nullptr) {
        evidence.values = prediction->values;
        evidence.sampled = !prediction->exact;
    }
    if (measurement != nullptr) {
        evidence.recorded = recorded;
        evidence.compiled = measurement->compiledBranches;
        addMeasured(evidence, measurement->values);
    }
    return evidence;
}

Evidence evidenceOf(const LaunchReport& launch, const ProgramMeasurement* measurement,
                    bool recorded) {
    Evidence evidence{.values = launch.values, .recorded = recorded, .sampled = !launch.exact};
    if (measurement != nullptr) {
        addMeasured(evidence, measurement->values);
    }
    return evidence;
}

namespace {

/// Of atomics, in shared memory or in all other.
std::optional<Value> ofAtomicsIn(bool shared, Metric metric, const std::vector<Value>& values,
                                 Source source) {
    const Value* const all = findValue(values, metric, source);
    if (all == nullptr || all->number() == nullptr) return std::nullopt;
    double inShared = 0;
    for (const Value& value : values) {
        if (value.metric != metric || value.source != source || value.subject == "kernel" ||
            value.number() == nullptr)
            continue;
        if (findValue(values, Metric::sharedWavefronts, source, Variant::none, value.subject))
            inShared += *value.number();
    }
    Value result = *all;
    result.content = shared ? inShared : *all->number() - inShared;
    return result;
}

}  // namespace

std::optional<Value> serializedIn(bool shared, const std::vector<Value>& values, Source source) {
    std::optional<Value> turns = ofAtomicsIn(shared, Metric::atomicTurns, values, source);
    const auto requests = ofAtomicsIn(shared, Metric::atomicRequests, values, source);
    if (turns && requests && *turns->number() <= *requests->number()) turns->content = 0.0;
    return turns;
}

std::optional<double> divergenceLeft(const Evidence& evidence) {
    if (evidence.compiled.empty()) return std::nullopt;
    double divergent = 0;
    for (const CompiledBranch& mark : evidence.compiled) {
        if (mark.form != BranchForm::branch) continue;
        const double* number = divergenceOf(evidence, mark.branch);
        if (number == nullptr) return std::nullopt;
        divergent += *number;
    }
    return divergent;
}

std::vector<MarkLine> compiledMarks(const Evidence& evidence) {
    std::vector<MarkLine> lines;
    for (const CompiledBranch& mark : evidence.compiled) {
        const double* divergent = divergenceOf(evidence, mark.branch);
        const bool parts = divergent != nullptr && *divergent > 0;
        MarkLine line{.mark = mark.branch, .words = "", .diverges = false};
        switch (mark.form) {
            case BranchForm::branch:
                line.diverges = parts;
                line.words = parts                  ? "a branch, warps diverge here"
                             : divergent == nullptr ? "a branch, warps can diverge here"
                                                    : "a branch, no warp diverges here";
                break;
            case BranchForm::exit:
                line.words = "threads outside leave by a predicated EXIT, no branch";
                break;
            case BranchForm::predicated:
                line.words = "predicated, no branch in the machine code";
                break;
        }
        if (parts && !line.diverges) {
            line.words += ", so its " + compactCount(*divergent) +
                          (*divergent == 1 ? " divergence is" : " divergences are") +
                          " not counted";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::optional<Conflicts> conflictsOf(const Evidence& evidence) {
    const Value* conflicts = evidence.best(Metric::bankConflicts);
    if (conflicts == nullptr || conflicts->number() == nullptr) return std::nullopt;
    const Value* wavefronts = evidence.find(Metric::sharedWavefronts, conflicts->source,
                                            Variant::none, conflicts->subject);
    if (wavefronts == nullptr || wavefronts->number() == nullptr) return std::nullopt;
    const double fewest = *wavefronts->number() - *conflicts->number();
    if (fewest <= 0) return std::nullopt;
    if (*conflicts->number() == 0) return Conflicts{"no conflicts", false, conflicts->source};
    const double ways = *wavefronts->number() / fewest;
    return Conflicts{printed(ways == std::floor(ways) ? "%.0f" : "%.1f", ways) + "-way conflict",
                     true, conflicts->source};
}

std::string compact(const Value& value) {
    const double* number = value.number();
    if (number == nullptr) return "n/a";
    switch (metricInfo(value.metric).unit) {
        case Unit::one:
            return printed("%.2f", *number);
        case Unit::bytes:
            return printed("%.1f", *number);
        case Unit::count:
        case Unit::requests:
        case Unit::sectors:
        case Unit::lines:
        case Unit::threads:
            return compactCount(*number);
        default:
            return formatNumber(*number, metricInfo(value.metric).unit);
    }
}

std::string compactCount(double value) {
    return value == std::floor(value) ? groupedDigits(static_cast<std::uint64_t>(value))
                                      : printed("%.1f", value);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> unequalWork(const Experiment& a,
                                                                   const Experiment& b) {
    if (kernelOf(a).work.empty() || kernelOf(b).work.empty()) return std::nullopt;
    const auto bytesOf = [](const Experiment& shown) {
        return static_cast<std::uint64_t>(
            kernelOf(shown).algorithmBytes(shown.arguments, shown.launch));
    };
    const std::pair both{bytesOf(a), bytesOf(b)};
    const auto [least, most] = std::minmax({both.first, both.second});
    return least * 2 <= most ? std::optional(both) : std::nullopt;
}

}  // namespace warplens
