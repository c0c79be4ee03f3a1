#include "app/window/panels/measured_panel.h"

#include <algorithm>
#include <cfloat>
#include <iterator>

#include "app/window/panels/figure_table.h"
#include "app/window/panels/figures.h"
#include "app/window/panels/plots.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// `2026-11-21T09:30:00Z` as `2026-11-21`.
std::string dateOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

/// `2026-11-21T09:30:00Z` as `2026-11-21 09:30 UTC`.
std::string momentOf(const std::string& takenAt) {
    const std::size_t t = takenAt.find('T');
    if (t == std::string::npos || takenAt.size() < t + 6) return takenAt;
    return takenAt.substr(0, t) + " " + takenAt.substr(t + 1, 5) + " UTC";
}

void push(std::vector<FigureRow>& rows, std::optional<FigureRow> row) {
    if (row) rows.push_back(std::move(*row));
}

void push(std::vector<FigureRow>& rows, std::vector<FigureRow> more) {
    std::ranges::move(more, std::back_inserter(rows));
}

void headlines(const Pen& pen, const Evidence& evidence, const Result& result) {
    const Timing& timing = result.measurement.timing;
    const float width = ImGui::GetContentRegionAvail().x;
    headline(pen, formatNumber(timing.medianSeconds, Unit::seconds),
             "timed: median of " + std::to_string(timing.runs) + " runs", width * 0.48F);
    tooltip(pen, "Fastest " + formatNumber(timing.minimumSeconds, Unit::seconds) + ", slowest " +
                     formatNumber(timing.maximumSeconds, Unit::seconds) + ", spread " +
                     formatNumber(timing.spreadPercent, Unit::percent) +
                     " (interquartile range over median).");
    const Value* effective = evidence.best(Metric::effectiveBandwidth);
    if (effective != nullptr && effective->number() != nullptr) {
        headline(pen, formatValue(*effective),
                 std::string(toString(effective->source)) + ": effective bandwidth", width * 0.52F);
        tooltip(pen, metricInfo(Metric::effectiveBandwidth).meaning);
    }
    ImGui::NewLine();
    advance(pen.look.px(6));
}

void coalescing(const Pen& pen, const Evidence& evidence) {
    if (!evidence.has(Metric::coalescingEfficiency, Variant::none, "kernel")) return;
    heading(pen, "Coalescing");
    shareBar(pen, evidence, "of the bytes fetched are used", Metric::coalescingEfficiency);
    std::vector<FigureRow> rows;
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
    }
    figureTable(pen, evidence, rows);
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

void bandwidth(const Pen& pen, const Evidence& evidence, const Result& result) {
    const Colors& c = pen.look.colors;
    const Device& device = result.measurement.device;
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
    heading(pen, "Bandwidth", "one scale, to " + formatNumber(full, Unit::bytesPerSecond));
    namedBars(pen, bars);
    const auto utilization = [&](Variant variant, const char* of) -> std::string {
        const Value* value = evidence.best(Metric::bandwidthUtilization, variant);
        return value == nullptr ? "" : formatValue(*value) + (value->number() ? of : "");
    };
    const std::string ofCopy = utilization(Variant::copyRate, " of the copy rate");
    const std::string ofPeak = utilization(Variant::theoreticalPeak, " of the peak");
    if (!ofCopy.empty() || !ofPeak.empty()) {
        wrapped(pen.look.fonts.small, c.text,
                "Effective: " + ofCopy + (ofCopy.empty() || ofPeak.empty() ? "" : ", ") + ofPeak);
    }
    advance(pen.look.px(3));
}

void divergence(const Pen& pen, const Evidence& evidence) {
    const bool branches = evidence.has(Metric::branchEfficiency, Variant::none, "kernel");
    const Value* active = evidence.best(Metric::laneEfficiency, Variant::active);
    const Value* inEffect = evidence.best(Metric::laneEfficiency, Variant::notPredicatedOff);
    if (!branches && active == nullptr && inEffect == nullptr) return;
    heading(pen, "Divergence");
    shareBar(pen, evidence, "of the branches did not diverge", Metric::branchEfficiency);
    std::vector<NamedBar> bars;
    const Rgb color = pen.look.colors.accent;
    if (active != nullptr) bars.push_back(barOf(*active, "Lanes active", 100, color));
    if (inEffect != nullptr) {
        bars.push_back(barOf(*inEffect, "not predicated off", 100,
                             mixed(color, pen.look.colors.panel, 0.35F)));
    }
    namedBars(pen, bars);
    std::vector<FigureRow> rows;
    push(rows, rowOf(evidence, "Efficiency", Metric::branchEfficiency));
    push(rows, rowOf(evidence, "Branches", Metric::branches));
    push(rows, rowOf(evidence, "Divergent", Metric::divergentBranches));
    push(rows, partsOf(evidence, ": divergent", Metric::divergentBranches));
    if (!rows.empty()) figureTable(pen, evidence, rows);
}

void occupancyAndChecks(const Pen& pen, const Evidence& evidence, const Result& result) {
    const Measurement& m = result.measurement;
    heading(pen, "Occupancy and checks");
    std::vector<NamedBar> bars;
    const Rgb color = mixed(pen.look.colors.accent, pen.look.colors.panel, 0.35F);
    for (const auto& [name, metric] : {std::pair{"Theoretical", Metric::theoreticalOccupancy},
                                       std::pair{"Achieved", Metric::achievedOccupancy}}) {
        const Value* value = evidence.best(metric);
        if (value != nullptr) bars.push_back(barOf(*value, name, 100, color));
    }
    namedBars(pen, bars);
    advance(pen.look.px(4));
    if (const Value* mismatches = evidence.best(Metric::mappingMismatches)) {
        const double* number = mismatches->number();
        checkLine(pen,
                  number == nullptr ? Check::unknown
                  : *number == 0    ? Check::passed
                                    : Check::broken,
                  number == nullptr ? "Mapping not read back: " + formatValue(*mismatches)
                  : *number == 0    ? "Every thread's lane and warp on the GPU are as drawn"
                                    : formatValue(*mismatches) + " differ from the rule");
    }
    checkLine(pen, m.check.largestError <= m.check.tolerance ? Check::passed : Check::broken,
              "Result equals the host's: " + groupedDigits(m.check.checked) + " of " +
                  groupedDigits(m.check.elements) + " values compared");
    for (const std::string& note : m.notes) {
        wrapped(pen.look.fonts.small, pen.look.colors.muted, note);
    }
}

/// The two lines that say where the measured numbers come from.
std::array<std::string, 2> sourceLines(const Result& result) {
    const Measurement& m = result.measurement;
    return {(result.recorded ? "Recorded: " : "Measured: ") + m.device.name +
                ", compute capability " + m.device.computeCapability + ", CUDA " + m.device.cuda,
            std::to_string(m.timing.runs) + " runs, spread " +
                formatNumber(m.timing.spreadPercent, Unit::percent) + "  ·  " +
                momentOf(m.takenAt) + "  ·  Warplens " + m.version};
}

float sourceHeight(const Pen& pen, const Result& result, float width) {
    ImFont* const font = pen.look.fonts.small;
    float height = pen.look.px(12);
    for (const std::string& line : sourceLines(result)) {
        height +=
            font->CalcTextSizeA(font->FontSize, FLT_MAX, width, line.c_str()).y + pen.look.px(2);
    }
    return height;
}

void sourceLine(const Pen& pen, const Result& result) {
    const Look& look = pen.look;
    const Measurement& m = result.measurement;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + width, at.y + look.snap(1)},
                                              packed(look.colors.border));
    advance(look.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(2)));
    ImGui::BeginGroup();
    for (const std::string& line : sourceLines(result)) {
        wrapped(look.fonts.small, look.colors.muted, line);
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    pen.mark("source");
    tooltip(pen, "Driver for CUDA " + m.device.driver + ". Caches " + m.timing.cacheState +
                     ". Clocks: " + m.timing.clocks + ".");
}

/// Nothing measured yet: what Measure would do, or which recordings stand in for it.
void invitation(const Pen& pen, const AppState& state, Commands& commands) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    if (state.canMeasure) {
        text(look.fonts.strong, c.text, "Not measured yet");
        wrapped(look.fonts.body, c.muted,
                "Measure runs this launch on the GPU, checks its result and the mapping, and reads "
                "time, traffic and branches. It takes a moment and never stalls this window.");
        space(pen, 6);
        if (primaryButton(pen, "  Measure  ##invitation", mayMeasure(state))) {
            commands.emplace_back(Measure{});
        }
    } else {
        text(look.fonts.strong, c.text, "No GPU to measure on");
        wrapped(look.fonts.body, c.muted,
                "Predictions work without one. Recordings show what a real GPU measured.");
    }
    wrapped(look.fonts.small, c.muted,
            recordingsOfScenario(state).empty()
                ? "There is no recording of this scenario."
                : "Recorded launches of this scenario stand at the left, below the launch.");
    space(pen, 16);
}

void predictionLine(const Pen& pen, const AppState& state) {
    const Colors& c = pen.look.colors;
    ImFont* const font = pen.look.fonts.small;
    if (const Prediction* prediction = shownPrediction(state)) {
        if (prediction->exact) return;
        wrapped(font, c.muted,
                "Predicted from " + groupedDigits(prediction->blocksTraced) + " of " +
                    groupedDigits(prediction->blocks) + " blocks: " + prediction->sample);
    } else if (const auto* failed = std::get_if<PredictionFailure>(&state.prediction);
               failed != nullptr && failed->experiment == state.shown) {
        wrapped(font, c.muted, "Not predicted: " + failed->reason);
    } else {
        text(font, c.muted, "Predicting …");
    }
}

}  // namespace

Commands drawMeasuredPanel(const Pen& pen, const AppState& state) {
    Commands commands;
    const Colors& c = pen.look.colors;
    const std::optional<Result> result = shownResult(state);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float footer = result ? sourceHeight(pen, *result, room.x) : 0;
    ImGui::BeginChild("figures", {0, std::max(1.0F, room.y - footer)}, false,
                      ImGuiWindowFlags_NoBackground);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, pen.look.px(4)));
    if (state.pinnedA && state.pinnedB) {
        comparisonTable(pen, *state.pinnedA, *state.pinnedB);
    }
    if (result && result->recorded) {
        tag(pen,
            "Recorded on " + result->measurement.device.name + ", " +
                dateOf(result->measurement.takenAt) + ": every measured number",
            c.warning);
        pen.mark("recorded");
        advance(pen.look.px(2));
    }
    if (!result) invitation(pen, state, commands);
    const Evidence evidence = evidenceOf(shownPrediction(state), result);
    if (result) headlines(pen, evidence, *result);
    coalescing(pen, evidence);
    if (result) bandwidth(pen, evidence, *result);
    divergence(pen, evidence);
    predictionLine(pen, state);
    if (result) occupancyAndChecks(pen, evidence, *result);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (result) sourceLine(pen, *result);
    return commands;
}

}  // namespace warplens::window
