#include <cfloat>

#include "app/window/panels/panels.h"
#include "app/window/state/comparison.h"
#include "app/window/state/editing.h"
#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::window {

namespace {

/// One line of facts: what, and its number at the right edge.
void fact(const UiContext& ui, std::string_view what, std::string_view number, Rgb color,
          std::string_view explanation = {}) {
    const auto [list, at, width] = penHere();
    const float height = ui.fonts.number->FontSize + ui.px(5);
    textAt(list, ui.fonts.body, ui.colors.muted, at, what);
    textAt(list, ui.fonts.number, color, {at.x + width, at.y + ui.px(1)}, number, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Dummy({width, height});
    ImGui::PopStyleVar();
    tooltip(ui, explanation);
}

std::string share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return "  " + formatNumber(percent, Unit::percent);
}

/// The block's number for `metric`, as text; `otherwise` where it has none.
std::string predicted(const LaunchReport& block, Metric metric, Variant variant,
                      std::string_view otherwise) {
    const Value* value = findValue(block.values, metric, Source::predicted, variant);
    if (value == nullptr || value->number() == nullptr) return std::string(otherwise);
    return formatNumber(*value->number(), metricInfo(metric).unit);
}

/// What follows from the launch drawn: warps, idle lanes, threads against elements.
void drawConsequences(const UiContext& ui) {
    const Colors& c = ui.colors;
    const Launch& launch = ui.state.view.experiment.launch;
    const bool stale = !isDrawable(ui.state.edit);
    const Rgb ink = stale ? c.muted : c.text;
    heading(ui, stale ? "What the last launch gave" : "What that gives");
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    const std::uint32_t idle = idleLaneCount(launch.block);
    fact(ui, "Threads per block", groupedDigits(launch.block.count()), ink);
    fact(ui, "Warps per block", std::to_string(warps), ink, "threads / 32, rounded up");
    fact(ui, "Idle lanes per block",
         std::to_string(idle) + (idle != 0 ? share(idle, std::uint64_t{warps} * 32) : ""),
         idle != 0 ? (stale ? c.muted : c.warning) : ink,
         "Lanes of the last warp that hold no thread: they run and do nothing.");
    fact(ui, "Blocks", groupedDigits(launch.grid.count()), ink);
    fact(ui, "Threads launched", groupedCount(launch.threadCount()), ink);
    const Kernel& kernel = kernelOf(ui.state.view.experiment);
    if (kernel.work.empty()) return;
    const ProblemShare part = shareOf(kernel, ui.state.view.experiment.arguments, launch);
    const Rgb warning = stale ? c.muted : c.warning;
    fact(ui, "with an element", groupedDigits(part.inside), ink);
    if (part.times > 1) {
        fact(ui, "threads per element", groupedDigits(part.times), warning,
             "Threads that differ only in what the kernel does not look at do the same element.");
    }
    fact(ui, "outside the problem",
         groupedDigits(part.outside) +
             (part.outside != 0 ? share(part.outside, launch.threadCount()) : ""),
         part.outside != 0 ? warning : ink);
    if (part.missed != 0) {
        fact(ui, "Elements missed", groupedDigits(part.missed), c.bad,
             "No thread reaches these elements: the grid is too small for the problem.");
    }
    space(ui, 4);
    const auto [list, at, width] = penHere();
    bar(*ImGui::GetWindowDrawList(), ui.look, at, {width, ui.px(6)},
        static_cast<float>(static_cast<double>(part.inside / part.times) /
                           static_cast<double>(std::max<std::uint64_t>(1, launch.threadCount()))),
        c.accent);
    ImGui::Dummy({width, ui.px(8)});
}

/// What the shown block's warps will ask of memory and where they part.
void drawBlockCosts(const UiContext& ui) {
    const LaunchReport* const block = shownBlockPrediction(ui.state);
    std::string aside;
    if (block != nullptr) {
        const TracedBlock& part = *block->block;
        aside = block->exact ? "all " + std::to_string(part.warps) + " warps"
                             : std::to_string(part.warpsTraced) + " of " +
                                   std::to_string(part.warps) + " warps";
        if (part.warps == 1) aside = "its warp";
    }
    space(ui, 12);
    heading(ui, "This block, predicted", aside);
    tooltip(ui, "Traced at once after every edit; of large blocks as many warps as a frame allows");
    const auto line = [&](std::string_view what, Metric metric, Variant variant,
                          std::string_view otherwise) {
        fact(ui, what, block == nullptr ? "..." : predicted(*block, metric, variant, otherwise),
             isDrawable(ui.state.edit) ? ui.colors.text : ui.colors.muted);
    };
    line("Sectors per load", Metric::sectorsPerRequest, Variant::load, "no loads");
    line("Sectors per store", Metric::sectorsPerRequest, Variant::store, "no stores");
    line("Fetched bytes used", Metric::coalescingEfficiency, Variant::none, "no accesses");
    line("Divergent branches", Metric::divergentBranches, Variant::none, "no branches");
    if (!kernelOf(ui.state.view.experiment).shared.empty()) {
        line("Bank conflicts", Metric::bankConflicts, Variant::none, "no requests");
    }
    if (block != nullptr &&
        findValue(block->values, Metric::atomicTurns, Source::predicted) != nullptr) {
        const Rgb ink = isDrawable(ui.state.edit) ? ui.colors.text : ui.colors.muted;
        for (const bool shared : {false, true}) {
            const AtomicsIn all = atomicsIn(shared, block->values, Source::predicted);
            if (all.requests == 0) continue;
            fact(ui, shared ? "Atomics in shared memory" : "Atomics in global memory",
                 compactCount(all.requests), ink);
            if (all.meet()) fact(ui, "Turns of these", compactCount(all.turns), ink);
        }
    }
}

constexpr std::array<Extents, 12> presets{{{32, 1, 1},
                                           {64, 1, 1},
                                           {128, 1, 1},
                                           {256, 1, 1},
                                           {1024, 1, 1},
                                           {32, 8, 1},
                                           {8, 32, 1},
                                           {16, 16, 1},
                                           {32, 32, 1},
                                           {5, 7, 3},
                                           {4, 2, 8},
                                           {2, 2, 2}}};

void presetButtons(const UiContext& ui, Extents block) {
    ImGui::PushFont(ui.fonts.smallNumber);
    const float gap = ui.px(5);
    constexpr int perRow = 4;
    const float width = (ImGui::GetContentRegionAvail().x - (perRow - 1) * gap) / perRow;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(2), ui.px(4)));
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const Extents preset = presets.at(i);
        if (i % perRow != 0) ImGui::SameLine(0, gap);
        if (plainButton(ui, timesText(preset).c_str(), true, preset == block, {width, 0})) {
            ui.issue(SetBlock{preset});
            ui.issue(FinishEdit{});
        }
        ui.mark("preset." + toString(preset));
    }
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
}

void problemSize(const NumberFields& fields, const AppState& state) {
    const UiContext& ui = fields.ui;
    const Kernel& kernel = kernelOf(state);
    if (kernel.sizes.empty()) return;
    heading(ui, "Problem size");
    for (const KernelSize& parameter : kernel.sizes) {
        const std::string name(parameter.name);
        const float left = ImGui::GetCursorPosX();
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::AlignTextToFramePadding();
        text(ui.fonts.number, ui.colors.text, name);
        tooltip(ui, std::string(parameter.meaning) + ": " +
                        groupedDigits(static_cast<std::uint64_t>(parameter.minimum)) + " to " +
                        groupedDigits(static_cast<std::uint64_t>(parameter.maximum)));
        ImGui::SameLine(left + width * 0.32F, 0);
        fields.number(name, state.edit.experiment.arguments.at(name), parameter.maximum,
                      width * 0.68F);
    }
    space(ui, 12);
}

void brokenLimits(const UiContext& ui, const std::vector<LimitViolation>& violations) {
    if (violations.empty()) return;
    const Colors& c = ui.colors;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(mixed(c.panel, c.bad, 0.14F)));
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = ui.fonts.body->FontSize;
    float height = 2 * ui.px(12) + line * 1.4F;
    const float wrap = width - 2 * ui.px(14);
    for (const LimitViolation& violation : violations) {
        const std::string words = toString(violation);
        height += ImGui::GetStyle().ItemSpacing.y + heightInLines(ui.fonts.body, words, wrap);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(14), ui.px(12)));
    ImGui::BeginChild("violations", {width, height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
    text(ui.fonts.strong, c.bad, refusalOf(ui.state.edit));
    for (const LimitViolation& violation : violations)
        wrapped(ui.fonts.body, c.text, toString(violation));
    ImGui::EndChild();
    ui.mark("violations");
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    space(ui, 12);
}

/// The launches of this scenario that were measured somewhere, one click each.
void recordedLaunches(const UiContext& ui) {
    const auto recordings = recordingsOfScenario(ui.state);
    if (recordings.empty()) return;
    space(ui, 12);
    heading(ui, "Recorded launches");
    const std::vector<std::string> labels = labelsOf(recordings);
    const float gap = ui.px(6);
    const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(4)));
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const Measurement& m = recordings[i]->measurement;
        const float width = buttonWidth(ui.fonts.small, labels[i]);
        if (i != 0 && ImGui::GetItemRectMax().x + gap + width <= edge) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        ImGui::PushFont(ui.fonts.small);
        commandButton(
            ui, labels[i], "recording." + std::to_string(i), Show{.experiment = m.experiment},
            toLaunchSyntax(m.experiment.launch) + "  " + sizesOf(m.experiment) + "\n" + takenOn(m),
            {.chosen = m.experiment == ui.state.view.experiment});
        ImGui::PopFont();
        ImGui::PopID();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace

void drawLaunchPanel(const UiContext& ui, TypedText& typed) {
    const AppState& state = ui.state;
    const Colors& c = ui.colors;
    const std::vector<LimitViolation> violations = violationsOf(state);
    const Launch& launch = state.edit.experiment.launch;

    heading(ui, "Launch");
    const float gap = ui.px(14);
    const float column = (ImGui::GetContentRegionAvail().x - gap) / 2;
    const ImVec2 fields = ImGui::GetCursorScreenPos();
    const NumberFields input{ui, typed, state.edit, violations, ui.commands};
    input.extents("block", launch.block, column);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({fields.x + column + gap, fields.y});
    input.extents("grid", launch.grid, column);
    ImGui::SetCursorScreenPos(below);
    presetButtons(ui, launch.block);
    if (!kernelOf(state).work.empty()) {
        bool covers = state.edit.gridCovers;
        if (ImGui::Checkbox("Grid covers the problem", &covers)) ui.issue(SetGridCovers{covers});
        ui.mark("grid.covers");
        tooltip(ui, "The grid is the ceiling division of the problem by the block. G");
    }
    space(ui, 6);

    const auto [list, at, width] = penHere();
    const float padding = ui.px(10);
    const std::string kernel(kernelOf(state).name);
    const std::string syntax = toLaunchSyntax(writtenLaunch(state));
    ImFont* const font = ui.fonts.smallNumber;
    const float syntaxHeight =
        font->CalcTextSizeA(font->FontSize, FLT_MAX, width - 2 * padding, syntax.c_str()).y;
    const float height = font->FontSize * 1.3F + syntaxHeight + 2 * padding;
    list.AddRectFilled(at, {at.x + width, at.y + height}, packed(c.raised), ui.px(6));
    textAt(list, font, c.muted, {at.x + padding, at.y + padding}, kernel);
    list.AddText(font, font->FontSize, {at.x + padding, at.y + padding + font->FontSize * 1.3F},
                 packed(state.edit.unread.empty() ? c.text : c.muted), syntax.c_str(), nullptr,
                 width - 2 * padding);
    if (ImGui::InvisibleButton("copy launch", {width, height})) {
        ImGui::SetClipboardText((kernel + syntax).c_str());
    }
    ui.mark("launch.syntax");
    tooltip(ui, "Click to copy");
    space(ui, 12);

    brokenLimits(ui, violations);
    problemSize(input, state);
    drawConsequences(ui);
    drawBlockCosts(ui);
    recordedLaunches(ui);
}

}  // namespace warplens::window
