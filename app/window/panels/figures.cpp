#include "app/window/panels/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/text/format.h"

namespace warplens::window {
namespace {

std::string printed(const char* format, double value) {
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

std::string compactCount(double value) {
    if (std::abs(value) < 9'999'999) {
        return value == std::floor(value) ? groupedDigits(static_cast<std::uint64_t>(value))
                                          : printed("%.1f", value);
    }
    if (std::abs(value) < 1e9) return printed("%.2f M", value / 1e6);
    return printed("%.2f G", value / 1e9);
}

std::string ratioText(double ratio, const char* more, const char* less) {
    if (!std::isfinite(ratio) || ratio <= 0) return "";
    if (ratio > 0.995 && ratio < 1.005) return "same";
    const double factor = ratio > 1 ? ratio : 1 / ratio;
    return printed(factor >= 100  ? "%.0f×"
                   : factor >= 10 ? "%.1f×"
                                  : "%.2f×",
                   factor) +
           " " + (ratio > 1 ? more : less);
}

}  // namespace

const Value* Evidence::find(Metric metric, Source source, Variant variant,
                            std::string_view subject) const {
    return findValue(values, metric, source, variant, subject);
}

const Value* Evidence::best(Metric metric, Variant variant, std::string_view subject) const {
    const Value* reason = nullptr;
    for (const Source source :
         {Source::timed, Source::counted, Source::probed, Source::predicted}) {
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

Evidence evidenceOf(const Prediction* prediction, const std::optional<Result>& result) {
    Evidence evidence;
    if (prediction != nullptr) evidence.values = prediction->values;
    if (result) {
        evidence.recorded = result->recorded;
        const auto& measured = result->measurement.values;
        evidence.values.insert(evidence.values.end(), measured.begin(), measured.end());
    }
    return evidence;
}

std::optional<FigureRow> rowOf(const Evidence& evidence, std::string name, Metric metric,
                               Variant variant, std::string_view subject) {
    FigureRow row;
    row.name = std::move(name);
    row.meaning = metricInfo(metric).meaning;
    row.cells = {evidence.find(metric, Source::predicted, variant, subject),
                 evidence.find(metric, Source::probed, variant, subject),
                 evidence.find(metric, Source::counted, variant, subject)};
    if (std::ranges::all_of(row.cells, [](const Value* cell) { return cell == nullptr; })) {
        return std::nullopt;
    }
    if (metric == Metric::sectorsPerRequest) {
        const Variant ideal = variant == Variant::load ? Variant::loadIdeal : Variant::storeIdeal;
        const Value* fewest = evidence.best(metric, ideal, subject);
        if (fewest != nullptr && fewest->number() != nullptr) {
            row.ideal = printed("%.2f", *fewest->number());
        }
    }
    return row;
}

std::vector<std::string> subjectsOf(const Evidence& evidence, Metric metric) {
    std::vector<std::string> subjects;
    for (const Value& value : evidence.values) {
        if (value.metric == metric && value.subject != "kernel" &&
            std::ranges::find(subjects, value.subject) == subjects.end()) {
            subjects.push_back(value.subject);
        }
    }
    return subjects;
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
        case Unit::threads:
            return compactCount(*number);
        default:
            return formatNumber(*number, metricInfo(value.metric).unit);
    }
}

std::vector<std::string> reasonsIn(const Evidence& evidence, const std::vector<FigureRow>& rows) {
    std::vector<std::string> reasons;
    for (const FigureRow& row : rows) {
        for (const Value* cell : row.cells) {
            if (cell == nullptr || cell->number() != nullptr) continue;
            const std::string reason = evidence.sourceText(cell->source) + ": " +
                                       std::get<Unavailable>(cell->content).reason;
            if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
        }
    }
    return reasons;
}

std::vector<Comparison> compare(const Result& a, const Result& b) {
    struct Wanted {
        Metric metric;
        Variant variant;
        const char* name;
        int better;  ///< +1 more is better, -1 less is
    };
    constexpr std::array<Wanted, 8> wanted{{
        {Metric::time, Variant::none, "Time", -1},
        {Metric::effectiveBandwidth, Variant::none, "Effective bandwidth", 1},
        {Metric::coalescingEfficiency, Variant::none, "Coalescing efficiency", 1},
        {Metric::sectorsPerRequest, Variant::load, "Sectors per load", -1},
        {Metric::sectorsPerRequest, Variant::store, "Sectors per store", -1},
        {Metric::branchEfficiency, Variant::none, "Branch efficiency", 1},
        {Metric::laneEfficiency, Variant::active, "Lane efficiency", 1},
        {Metric::achievedOccupancy, Variant::none, "Achieved occupancy", 1},
    }};
    const Evidence left = evidenceOf(nullptr, a);
    const Evidence right = evidenceOf(nullptr, b);
    std::vector<Comparison> lines;
    for (const Wanted& want : wanted) {
        const Value* va = left.best(want.metric, want.variant);
        const Value* vb = right.best(want.metric, want.variant);
        if (va == nullptr && vb == nullptr) continue;
        Comparison line{want.name, va == nullptr ? "–" : compact(*va),
                        vb == nullptr ? "–" : compact(*vb), "", 0};
        const double* na = va == nullptr ? nullptr : va->number();
        const double* nb = vb == nullptr ? nullptr : vb->number();
        if (na != nullptr && nb != nullptr && *na > 0) {
            const double ratio = *nb / *na;
            line.ratio = want.metric == Metric::time ? ratioText(ratio, "slower", "faster")
                                                     : ratioText(ratio, "more", "less");
            if (line.ratio != "same" && !line.ratio.empty()) {
                line.verdict = (ratio > 1 ? 1 : -1) * want.better;
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string shortName(const Experiment& experiment) {
    std::string name = experiment.scenario + "  " + toString(experiment.launch.block);
    const std::string arguments = toString(experiment.arguments);
    return arguments.empty() ? name : name + "  " + arguments;
}

}  // namespace warplens::window
