#include <algorithm>
#include <iterator>

#include "app/window/panels/measured_parts.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

void push(std::vector<NumberRow>& rows, std::optional<NumberRow> row) {
    if (row) rows.push_back(std::move(*row));
}

void push(std::vector<NumberRow>& rows, std::vector<NumberRow> more) {
    std::ranges::move(more, std::back_inserter(rows));
}

/// A number of the evidence as a bar whose full length is `full`.
NamedBar barOf(const Value& value, std::string name, double full, Rgb color) {
    NamedBar bar{.name = std::move(name),
                 .share = std::nullopt,
                 .number = "",
                 .color = color,
                 .source = std::string(toString(value.source)),
                 .reason = "",
                 .meaning = std::string(metricInfo(value.metric).meaning)};
    if (const double* number = value.number()) {
        bar.share = full > 0 ? *number / full : 0;
        bar.number = formatValue(value);
    } else {
        bar.reason = formatValue(value);
    }
    return bar;
}

/// What became of each marked branch in the compiled code, in words.
void markLines(const UiContext& ui, const Evidence& evidence) {
    const std::vector<MarkLine> marks = compiledMarks(evidence);
    if (marks.empty()) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(1)));
    ImGui::BeginGroup();
    text(ui.fonts.small, ui.colors.faint, "Compiled form of the named branches");
    for (const MarkLine& line : marks) {
        wrapped(ui.fonts.small, line.diverges ? ui.colors.warning : ui.colors.text,
                line.mark + ": " + line.words);
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ui.mark("compiled");
    tooltip(ui, "Read from the machine code that was measured.");
    advance(ui.px(9));
}

}  // namespace

void drawCoalescing(const UiContext& ui, const Evidence& evidence) {
    if (!evidence.has(Metric::coalescingEfficiency, Variant::none, "kernel")) return;
    heading(ui, "Coalescing");
    shareBar(ui, evidence, "of the sectors' bytes are used", Metric::coalescingEfficiency);
    std::vector<NumberRow> rows;
    push(rows, rowOf(evidence, "Efficiency", Metric::coalescingEfficiency));
    struct Access {
        const char* name;
        const char* each;
        Metric requests;
        Metric sectors;
        Variant variant;
    };
    for (const Access& access : {Access{"Load", " / load", Metric::globalLoadRequests,
                                        Metric::globalLoadSectors, Variant::load},
                                 Access{"Store", " / store", Metric::globalStoreRequests,
                                        Metric::globalStoreSectors, Variant::store}}) {
        const std::string name = access.name;
        auto requests = rowOf(evidence, name + " requests", access.requests);
        // Without requests there are no sectors to speak of.
        const bool none = requests && isZero(*requests);
        push(rows, std::move(requests));
        if (none) continue;
        push(rows, rowOf(evidence, name + " sectors", access.sectors));
        push(rows, rowOf(evidence, std::string("Sectors") + access.each, Metric::sectorsPerRequest,
                         access.variant));
        push(rows, partsOf(evidence, access.each, Metric::sectorsPerRequest, access.variant));
        push(rows, rowOf(evidence, std::string("Bytes") + access.each, Metric::usedBytesPerRequest,
                         access.variant));
    }
    numberTable(ui, evidence, rows);
}

void drawBandwidth(const UiContext& ui, const Evidence& evidence, const Device& device) {
    const Colors& c = ui.colors;
    struct Rate {
        const char* name;
        Metric metric;
        Rgb color;
    };
    const Rgb soft = mixed(c.accent, c.panel, 0.35F);
    const std::array<Rate, 3> rates{{{"Effective", Metric::effectiveBandwidth, c.accent},
                                     {"DRAM", Metric::dramBandwidth, soft},
                                     {"L2", Metric::l2Bandwidth, soft}}};
    double full = std::max(device.copyRate.value_or(0), device.theoreticalPeak.value_or(0));
    for (const Rate& rate : rates) {
        const Value* value = evidence.best(rate.metric);
        if (value != nullptr && value->number() != nullptr) full = std::max(full, *value->number());
    }
    std::vector<NamedBar> bars;
    for (const Rate& rate : rates) {
        const Value* value = evidence.best(rate.metric);
        if (value != nullptr) bars.push_back(barOf(*value, rate.name, full, rate.color));
    }
    const auto ceiling = [&](const char* name, std::optional<double> rate, const char* source,
                             const char* reason, const char* meaning) {
        bars.push_back({name, rate ? std::optional(*rate / full) : std::nullopt,
                        rate ? formatNumber(*rate, Unit::bytesPerSecond) : "", c.faint, source,
                        reason, meaning});
    };
    ceiling("Copy rate", device.copyRate, "timed", "not measured in this run",
            "cudaMemcpy from device to device, bytes read plus bytes written.");
    ceiling("Peak", device.theoreticalPeak, "device", "the device does not state its memory clock",
            "Memory clock times bus width.");
    heading(ui, "Bandwidth", "one scale, to " + formatNumber(full, Unit::bytesPerSecond));
    namedBars(ui, bars);
    const auto utilization = [&](Variant variant, const char* of) -> std::string {
        const Value* value = evidence.best(Metric::bandwidthUtilization, variant);
        return value == nullptr ? "" : formatValue(*value) + (value->number() ? of : "");
    };
    const std::string ofCopy = utilization(Variant::copyRate, " of the copy rate");
    const std::string ofPeak = utilization(Variant::theoreticalPeak, " of the peak");
    if (!ofCopy.empty() || !ofPeak.empty()) {
        wrapped(ui.fonts.small, c.text,
                "Effective: " + ofCopy + (ofCopy.empty() || ofPeak.empty() ? "" : ", ") + ofPeak);
    } else {
        advance(ui.px(6));
    }
    advance(ui.px(3));
    // What has no bar of its own has a row.
    std::vector<NumberRow> rows;
    for (const MetricInfo& metric : allMetrics()) {
        const bool hasBar = metric.metric == Metric::bandwidthUtilization ||
                            std::ranges::find(rates, metric.metric, &Rate::metric) != rates.end();
        if (metric.group == MetricGroup::bandwidth && !hasBar)
            push(rows, rowOf(evidence, std::string(metric.title), metric.metric));
    }
    if (!rows.empty()) numberTable(ui, evidence, rows);
}

void drawDivergence(const UiContext& ui, const Evidence& evidence) {
    const bool branches = evidence.has(Metric::branchEfficiency, Variant::none, "kernel");
    const Value* active = evidence.best(Metric::laneEfficiency, Variant::active);
    const Value* inEffect = evidence.best(Metric::laneEfficiency, Variant::notPredicatedOff);
    if (!branches && active == nullptr && inEffect == nullptr) return;
    heading(ui, "Divergence");
    shareBar(ui, evidence, "of the branches did not diverge", Metric::branchEfficiency);
    std::vector<NamedBar> bars;
    const Rgb color = ui.colors.accent;
    if (active != nullptr) bars.push_back(barOf(*active, "Lanes active", 100, color));
    if (inEffect != nullptr) {
        bars.push_back(
            barOf(*inEffect, "not predicated off", 100, mixed(color, ui.colors.panel, 0.35F)));
    }
    namedBars(ui, bars);
    std::vector<NumberRow> rows;
    push(rows, rowOf(evidence, "Efficiency", Metric::branchEfficiency));
    push(rows, rowOf(evidence, "Branches", Metric::branches));
    push(rows, rowOf(evidence, "Divergent", Metric::divergentBranches));
    push(rows, partsOf(evidence, ": divergent", Metric::divergentBranches));
    if (!rows.empty()) numberTable(ui, evidence, rows);
    markLines(ui, evidence);
}

void drawSharedMemory(const UiContext& ui, const Evidence& evidence) {
    if (!evidence.has(Metric::sharedWavefronts, Variant::none, "kernel")) return;
    heading(ui, "Shared memory");
    if (const auto conflicts = conflictsOf(evidence)) {
        largeNumber(ui, conflicts->any ? ui.colors.warning : ui.colors.good, conflicts->words,
                    conflicts->any ? "on average" : "between banks", conflicts->source);
        advance(ui.fonts.largeNumber->FontSize + ui.px(5));
        tooltip(ui,
                "Wavefronts in which shared memory serves a request, for each that it needs at "
                "least: lanes that access different words of one bank come one after the other.");
    }
    std::vector<NumberRow> rows;
    push(rows, rowOf(evidence, "Wavefronts", Metric::sharedWavefronts));
    push(rows, partsOf(evidence, "", Metric::sharedWavefronts));
    push(rows, rowOf(evidence, "per request", Metric::sharedWavefrontsPerRequest));
    push(rows, partsOf(evidence, " / request", Metric::sharedWavefrontsPerRequest));
    push(rows, rowOf(evidence, "Bank conflicts", Metric::bankConflicts));
    const Value* any = evidence.best(Metric::bankConflicts);
    if (any != nullptr && any->number() != nullptr && *any->number() != 0) {
        push(rows, partsOf(evidence, ": conflicts", Metric::bankConflicts));
    }
    numberTable(ui, evidence, rows);
}

void drawOccupancy(const UiContext& ui, const Evidence& evidence) {
    heading(ui, "Occupancy and checks");
    std::vector<NamedBar> bars;
    const Rgb color = mixed(ui.colors.accent, ui.colors.panel, 0.35F);
    for (const auto& [name, metric] : {std::pair{"Theoretical", Metric::theoreticalOccupancy},
                                       std::pair{"Achieved", Metric::achievedOccupancy}}) {
        const Value* value = evidence.best(metric);
        if (value != nullptr) bars.push_back(barOf(*value, name, 100, color));
    }
    namedBars(ui, bars);
    advance(ui.px(4));
    if (const Value* mismatches = evidence.best(Metric::mappingMismatches)) {
        const double* number = mismatches->number();
        checkLine(ui,
                  number == nullptr ? Check::unknown
                  : *number == 0    ? Check::passed
                                    : Check::broken,
                  number == nullptr ? "Mapping not read back: " + formatValue(*mismatches)
                  : *number == 0    ? "Every thread's lane and warp on the GPU are as drawn"
                                    : formatValue(*mismatches) + " differ from the rule");
    }
}

void drawNotes(const UiContext& ui, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        wrapped(ui.fonts.small, ui.colors.muted, note);
    }
}

}  // namespace warplens::window
