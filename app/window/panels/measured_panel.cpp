#include "app/window/panels/measured_panel.h"

#include <algorithm>
#include <cmath>

#include "app/window/panels/figures.h"
#include "app/window/panels/plots.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// `2026-11-21T09:30:00Z` as `2026-11-21`.
std::string dateOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

void push(std::vector<FigureRow>& rows, std::optional<FigureRow> row) {
    if (row) rows.push_back(std::move(*row));
}

void coalescing(const Pen& pen, const Evidence& evidence) {
    if (!evidence.has(Metric::coalescingEfficiency, Variant::none, "kernel")) return;
    heading(pen, "Coalescing");
    shareBar(pen, evidence, "bytes fetched that are used", Metric::coalescingEfficiency);
    std::vector<FigureRow> rows;
    push(rows, rowOf(evidence, "Efficiency", Metric::coalescingEfficiency));
    push(rows, rowOf(evidence, "Sectors / load", Metric::sectorsPerRequest, Variant::load));
    push(rows, rowOf(evidence, "Sectors / store", Metric::sectorsPerRequest, Variant::store));
    push(rows, rowOf(evidence, "Load requests", Metric::globalLoadRequests));
    push(rows, rowOf(evidence, "Load sectors", Metric::globalLoadSectors));
    push(rows, rowOf(evidence, "Store requests", Metric::globalStoreRequests));
    push(rows, rowOf(evidence, "Store sectors", Metric::globalStoreSectors));
    for (const std::string& array : subjectsOf(evidence, Metric::sectorsPerRequest)) {
        push(rows, rowOf(evidence, "  " + array + ": / load", Metric::sectorsPerRequest,
                         Variant::load, array));
        push(rows, rowOf(evidence, "  " + array + ": / store", Metric::sectorsPerRequest,
                         Variant::store, array));
    }
    figureTable(pen, evidence, rows);
}

void bandwidth(const Pen& pen, const Evidence& evidence, const Result& result) {
    heading(pen, "Bandwidth", "one scale");
    const Colors& c = pen.look.colors;
    const Device& device = result.measurement.device;
    std::vector<RateBar> bars;
    const auto add = [&](const char* name, Metric metric, Rgb color) {
        const Value* value = evidence.best(metric);
        if (value == nullptr) return;
        if (const double* number = value->number()) {
            bars.push_back({name, *number, color, evidence.sourceText(value->source), {}});
        } else {
            bars.push_back({name, std::nullopt, color, "",
                            evidence.sourceText(value->source) + ": " +
                                std::get<Unavailable>(value->content).reason});
        }
    };
    add("Effective", Metric::effectiveBandwidth, c.accent);
    add("DRAM", Metric::dramBandwidth, mixed(c.accent, c.panel, 0.35F));
    add("L2", Metric::l2Bandwidth, mixed(c.accent, c.panel, 0.35F));
    bars.push_back({"Copy rate", device.copyRate, c.faint, "timed", "not measured in this run"});
    bars.push_back({"Peak", device.theoreticalPeak, c.faint, "device",
                    "the device does not state its memory clock"});
    rateBars(pen, bars);
    const auto utilization = [&](Variant variant, const char* of) -> std::string {
        const Value* value = evidence.best(Metric::bandwidthUtilization, variant);
        return value == nullptr ? "" : formatValue(*value) + (value->number() ? of : "");
    };
    const std::string ofCopy = utilization(Variant::copyRate, " of the copy rate");
    const std::string ofPeak = utilization(Variant::theoreticalPeak, " of the theoretical peak");
    if (!ofCopy.empty() || !ofPeak.empty()) {
        wrapped(pen.look.fonts.small, c.text,
                "Effective: " + ofCopy + (ofCopy.empty() || ofPeak.empty() ? "" : ", ") + ofPeak);
    }
    space(pen, 10);
}

void divergence(const Pen& pen, const Evidence& evidence) {
    if (!evidence.has(Metric::branchEfficiency, Variant::none, "kernel") &&
        !evidence.has(Metric::laneEfficiency, Variant::active, "kernel")) {
        return;
    }
    heading(pen, "Divergence");
    shareBar(pen, evidence, "branches that did not diverge", Metric::branchEfficiency);
    std::vector<FigureRow> rows;
    push(rows, rowOf(evidence, "Branch efficiency", Metric::branchEfficiency));
    push(rows, rowOf(evidence, "Branches", Metric::branches));
    push(rows, rowOf(evidence, "Divergent", Metric::divergentBranches));
    push(rows, rowOf(evidence, "Lanes active", Metric::laneEfficiency, Variant::active));
    push(rows,
         rowOf(evidence, "Lanes in effect", Metric::laneEfficiency, Variant::notPredicatedOff));
    for (const std::string& branch : subjectsOf(evidence, Metric::divergentBranches)) {
        push(rows, rowOf(evidence, "  " + branch + ": divergent", Metric::divergentBranches,
                         Variant::none, branch));
    }
    figureTable(pen, evidence, rows);
}

void timeAndChecks(const Pen& pen, const Evidence& evidence, const Result& result) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    const Measurement& m = result.measurement;
    heading(pen, "Time", evidence.sourceText(Source::timed));
    text(look.fonts.largeNumber, c.text, formatNumber(m.timing.medianSeconds, Unit::seconds));
    ImGui::SameLine(0, look.px(12));
    // On the large number's baseline.
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look.px(8));
    text(look.fonts.small, c.muted,
         "median of " + std::to_string(m.timing.runs) + " runs, fastest " +
             formatNumber(m.timing.minimumSeconds, Unit::seconds) + ", spread " +
             formatNumber(m.timing.spreadPercent, Unit::percent));
    space(pen, 8);

    heading(pen, "Occupancy and checks");
    for (const auto& [name, metric] :
         {std::pair{"Theoretical occupancy", Metric::theoreticalOccupancy},
          std::pair{"Achieved occupancy", Metric::achievedOccupancy}}) {
        const Value* value = evidence.best(metric);
        if (value != nullptr) sourcedLine(pen, evidence, name, *value);
    }
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
    space(pen, 12);
}

void sourceLine(const Pen& pen, const Result& result) {
    const Measurement& m = result.measurement;
    const Colors& c = pen.look.colors;
    for (const std::string& note : m.notes) wrapped(pen.look.fonts.small, c.muted, note);
    std::string line = m.device.name + ", compute capability " + m.device.computeCapability +
                       ", CUDA " + m.device.cuda + ". " + std::to_string(m.timing.runs) +
                       " runs, spread " + formatNumber(m.timing.spreadPercent, Unit::percent) +
                       ". " + m.takenAt + ", Warplens " + m.version + ".";
    wrapped(pen.look.fonts.small, c.faint, line);
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
    const auto recordings = recordingsOfScenario(state);
    if (!recordings.empty()) {
        space(pen, 6);
        text(look.fonts.small, c.muted, "Recorded launches of this scenario");
        int index = 0;
        for (const Recording* recording : recordings) {
            const Measurement& m = recording->measurement;
            const std::string arguments = toString(m.experiment.arguments);
            const std::string label = "block " + toString(m.experiment.launch.block) +
                                      (arguments.empty() ? "" : "   " + arguments);
            ImGui::PushID(index++);
            ImGui::PushFont(look.fonts.smallNumber);
            if (plainButton(pen, label.c_str(), true, false,
                            {ImGui::GetContentRegionAvail().x, 0})) {
                commands.emplace_back(SetExperiment{m.experiment});
            }
            pen.mark("recording." + std::to_string(index - 1));
            ImGui::PopFont();
            tooltip(pen, m.device.name + ", " + dateOf(m.takenAt));
            ImGui::PopID();
        }
    } else if (!state.canMeasure) {
        wrapped(look.fonts.body, c.muted, "There is no recording of this scenario.");
    }
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
    if (state.pinnedA && state.pinnedB) {
        comparisonTable(pen, *state.pinnedA, *state.pinnedB);
    }
    if (result && result->recorded) {
        tag(pen,
            "Recorded on " + result->measurement.device.name + ", " +
                dateOf(result->measurement.takenAt),
            c.warning);
        pen.mark("recorded");
        space(pen, 8);
    }
    if (!result) invitation(pen, state, commands);
    const Evidence evidence = evidenceOf(shownPrediction(state), result);
    coalescing(pen, evidence);
    if (result) bandwidth(pen, evidence, *result);
    divergence(pen, evidence);
    predictionLine(pen, state);
    if (result) {
        timeAndChecks(pen, evidence, *result);
        sourceLine(pen, *result);
    }
    return commands;
}

}  // namespace warplens::window
