#include <algorithm>
#include <iterator>

#include "app/window/panels/measured_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/comparison.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
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

/// And whether threads are where the rule has them.
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

/// What a reader must know to read the numbers.
void drawNotes(const UiContext& ui, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        wrapped(ui.fonts.small, ui.colors.muted, note);
    }
}

/// Nothing measured yet: what Measure would do, or which recordings stand in for it.
void invitation(const UiContext& ui) {
    const Colors& c = ui.colors;
    if (ui.state.canMeasure) {
        text(ui.fonts.strong, c.text, "Not measured yet");
        wrapped(ui.fonts.body, c.muted,
                "Measure runs this launch on the GPU, checks its result and the mapping, and reads "
                "time, traffic and branches. It takes a moment and never stalls this window.");
        space(ui, 6);
        if (primaryButton(ui, "  Measure  ##invitation", mayMeasure(ui.state))) ui.issue(Measure{});
    } else {
        text(ui.fonts.strong, c.text, "No GPU to measure on");
        wrapped(ui.fonts.body, c.muted,
                "Predictions work without one. Recordings show what a real GPU measured.");
    }
    wrapped(ui.fonts.small, c.muted,
            recordingsOfScenario(ui.state).empty()
                ? "There is no recording of this scenario."
                : "Recorded launches of this scenario stand at the left, below the launch.");
    space(ui, 16);
}

void predictionLine(const UiContext& ui) {
    const Colors& c = ui.colors;
    ImFont* const font = ui.fonts.small;
    if (const LaunchReport* prediction = shownPrediction(ui.state)) {
        if (prediction->exact) return;
        wrapped(font, c.muted, "Predicted from " + howPredicted(*prediction));
    } else if (const auto* failed = std::get_if<PredictionFailure>(&ui.state.prediction);
               failed != nullptr && failed->experiment == ui.state.view.experiment) {
        wrapped(font, c.muted, "Not predicted: " + failed->reason);
    } else {
        text(font, c.muted, "Predicting …");
    }
}

/// What Measure would do, or how the file's launches are measured elsewhere.
void inviteToMeasure(const UiContext& ui) {
    const Colors& c = ui.colors;
    const ProgramState& program = ui.state.program;
    if (const ProgramResult* former = formerResultOfChosen(program)) {
        wrapped(ui.fonts.body, c.warning,
                "What was measured is of another text of the file, or of other values: " +
                    formatNumber(former->measurement->timing.medianSeconds, Unit::seconds) +
                    " on " + former->measurement->device.name + ".");
        ui.mark("program.former");
        space(ui, 4);
    }
    const Running* const run = running(ui.state);
    if (run != nullptr && run->program) {
        wrapped(ui.fonts.body, c.muted, "Measuring " + run->program->kernel + ": " + run->stage);
    } else if (ui.state.canMeasure) {
        wrapped(ui.fonts.body, c.muted,
                "Not measured yet. Measure gives the GPU what the program gives this launch, "
                "compares the results with the host's, and reads time and traffic, line by line.");
    } else {
        wrapped(ui.fonts.body, c.muted,
                "There is no GPU to measure on here. Where there is one, `warplens measure " +
                    program.path + " --save m.json` measures it; open m.json here.");
    }
}

/// The lines on which the sources differ; a click shows one.
void differingLines(const UiContext& ui, const ProgramState& program,
                    const ProgramMeasurement& measurement) {
    if (measurement.comparedLines == 0) {
        wrapped(ui.fonts.small, ui.colors.muted,
                "Not compared line by line: the trace knows a sample of the blocks.");
        return;
    }
    const std::size_t differ = measurement.differences.size();
    checkLine(ui, differ == 0 ? Check::passed : Check::unknown,
              groupedDigits(measurement.comparedLines) + " numbers compared line by line, " +
                  (differ == 0 ? "all agree" : groupedDigits(differ) + " differ"));
    std::uint32_t before = 0;
    for (const LineDifference& difference : measurement.differences) {
        if (difference.line == before || !sameFile(difference.file, program.path)) continue;
        before = difference.line;
        const std::string mark = "program.differs." + std::to_string(difference.line);
        ImGui::PushFont(ui.fonts.small);
        const std::string label =
            "Line " + std::to_string(difference.line) + ": " + spoken(toString(difference.cause));
        commandButton(ui, label + "##" + mark, mark, ChooseProgramLine{difference.line},
                      difference.words, {.chosen = difference.line == program.line});
        ImGui::PopFont();
    }
}

/// Where the next one is measured.
void place(const UiContext& ui) {
    space(ui, 6);
    text(ui.fonts.small, ui.colors.faint, "Measures on");
    ImGui::SameLine(0, ui.px(8));
    return drawPlacesMenu(ui);
}

void results(const UiContext& ui, const ProgramMeasurement& measurement) {
    for (const ArrayCheck& check : measurement.checks) {
        const bool differs = check.different != 0 && !check.reordered;
        checkLine(ui, differs ? Check::broken : Check::passed, inWords(check));
    }
    if (!measurement.linesReason.empty()) {
        wrapped(ui.fonts.small, ui.colors.muted, "Not counted by line: " + measurement.linesReason);
    }
    drawNotes(ui, measurement.notes);
}

struct Tab final {
    RightTab tab;
    Act act;
};
constexpr std::array tabs{Tab{RightTab::measured, Act::measured}, Tab{RightTab::sweep, Act::sweep},
                          Tab{RightTab::roof, Act::roof}};

/// Predicted beside measured numbers in three groups, then time, occupancy and checks; every number
/// with its source, every missing one with its reason.
void drawMeasuredPanel(const UiContext& ui) {
    const std::optional<Result> result = shownResult(ui.state);
    std::optional<Origin> origin;
    if (result) {
        const Measurement& m = *result->measurement;
        origin.emplace(Origin{m.device, m.timing, m.takenAt, m.version, result->recorded});
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Always in sight, unless the numbers would not be.
    const float source = origin ? originHeight(ui, *origin, room.x) : 0;
    const bool below = source > 0 && source < room.y / 3;
    beginPanel("numbers", {0, std::max(1.0F, below ? room.y - source : room.y)},
               ImGuiWindowFlags_NoBackground);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(4)));
    if (const auto compared = comparedNow(ui.state)) {
        const auto& [a, b] = *compared;
        // Of both it is said below.
        const auto name = [&, alike = a.recorded && b.recorded](const Result& one) {
            ImFont* const font = ui.fonts.small;
            return fitted(font, alike ? shortName(one.measurement->experiment) : shortName(one),
                          ImGui::GetContentRegionAvail().x - measured(font, "B  ").x - 1);
        };
        comparisonTable(ui, name(a), name(b), compare(a, b));
        ui.mark("compared");
    }
    if (origin) drawRecordedTag(ui, *origin);
    if (!result) invitation(ui);
    const Evidence evidence = evidenceOf(shownPrediction(ui.state), result);
    if (result) {
        drawHeadlines(ui, evidence, origin->timing);
        drawRunTimes(ui, evidence, origin->timing);
    }
    drawCoalescing(ui, evidence);
    if (result) drawBandwidth(ui, evidence, origin->device);
    if (!kernelOf(ui.state.view.experiment).shared.empty()) {
        drawSharedMemory(ui, evidence);
    }
    drawDivergence(ui, evidence);
    predictionLine(ui);
    advance(ui.px(6));
    if (result) {
        drawOccupancy(ui, evidence);
        const ResultCheck& check = result->measurement->check;
        checkLine(ui, check.largestError <= check.tolerance ? Check::passed : Check::broken,
                  "Result equals the host's: " + groupedDigits(check.checked) + " of " +
                      groupedDigits(check.elements) + " values compared");
        drawNotes(ui, result->measurement->notes);
    }
    if (result && !below) drawOrigin(ui, *origin);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (below) drawOrigin(ui, *origin);
}

}  // namespace

void drawProgramMeasured(const UiContext& ui) {
    const ProgramState& program = ui.state.program;
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return;
    heading(ui, "The launch, measured", shortKernelName(launch->kernel));
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) {
        inviteToMeasure(ui);
        return place(ui);
    }
    const ProgramMeasurement& m = *result->measurement;
    const Origin origin{m.device, m.timing, m.takenAt, m.version, result->recorded};
    const Evidence evidence = evidenceOf(*launch, &m, result->recorded);
    drawRecordedTag(ui, origin);
    drawHeadlines(ui, evidence, m.timing);
    drawRunTimes(ui, evidence, m.timing);
    differingLines(ui, program, m);
    advance(ui.px(4));
    drawCoalescing(ui, evidence);
    drawBandwidth(ui, evidence, m.device);
    const Value* const wavefronts = evidence.best(Metric::sharedWavefronts);
    if (wavefronts != nullptr && wavefronts->number() != nullptr && *wavefronts->number() != 0) {
        drawSharedMemory(ui, evidence);
    }
    drawDivergence(ui, evidence);
    drawOccupancy(ui, evidence);
    results(ui, m);
    ui.mark("program.measured");
    drawOrigin(ui, origin);
    space(ui, 6);
    actButton(ui, Act::saveMeasured);
    place(ui);
}

void drawRightColumn(const UiContext& ui, TypedText& typed) {
    for (const Tab& tab : tabs) {
        if (&tab != tabs.data()) ImGui::SameLine(0, ui.px(4));
        actButton(ui, tab.act, ui.state.view.tab == tab.tab);
    }
    space(ui, 8);
    ui.state.view.tab == RightTab::sweep  ? drawSweepPanel(ui, typed)
    : ui.state.view.tab == RightTab::roof ? drawRoofPanel(ui)
                                          : drawMeasuredPanel(ui);
}

}  // namespace warplens::window
