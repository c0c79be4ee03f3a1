#include <algorithm>

#include "app/drawing/elements.h"
#include "app/drawing/warp_memory.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/panels.h"
#include "app/window/state/timeline.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::window {
namespace {

/// What is drawn while the steps cannot be: why, and the kernel's own word on its output.
std::string reasonOf(const AppState& state) {
    const ProgramSteps* const steps = shownSteps(state);
    if (steps != nullptr && steps->steps == nullptr) return "not traced: " + steps->failure;
    const WarpTrace* trace = shownTrace(state);
    if (trace == nullptr) return "tracing …";
    return trace->failure.empty() ? "does nothing that is marked" : "not traced: " + trace->failure;
}

/// Where the step shown stands in the kernel's body.
void sourceOfStep(const UiContext& ui, const AppState& state, const Kernel& kernel, ImVec2 at,
                  float width) {
    const WarpStep* const step = stepShown(state);
    if (step == nullptr) return;
    const Look& look = ui.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, look.fonts.small, look.colors.muted, at,
           std::string(kernel.name) + ", line " + std::to_string(step->line));
    ImFont* const font = look.fonts.smallNumber;
    textAt(list, font, look.colors.text, {at.x, at.y + look.fonts.small->FontSize + look.px(5)},
           fitted(font, sourceLine(kernel, step->line), width));
}

}  // namespace

void drawWarpStep(const UiContext& ui, const AppState& state, ImVec2 at, ImVec2 end) {
    const Look& look = ui.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const WarpPlace place = warpInFocus(state);
    const WarpTrace* trace = shownTrace(state);
    const WarpTrace* const latest = state.warpTrace.get();
    // Until the next warp is traced the one before stays, under its own name.
    if (trace == nullptr && latest != nullptr && latest->place.experiment == place.experiment &&
        (latest->place.program != nullptr) == showsProgram(state)) {
        trace = latest;
    }
    std::size_t step = 0;
    WarpTrace output;
    if (const Timeline timeline(state); timeline.size() > 0) {
        step = timeline.stepAt(timeline.position());
    } else if (trace == shownTrace(state)) {
        textAt(list, look.fonts.body, look.colors.muted, at,
               fitted(look.fonts.body,
                      "Warp " + std::to_string(place.warp.value) + ": " + reasonOf(state),
                      end.x - at.x));
        at.y += look.fonts.body->FontSize + look.px(6);
        if (showsProgram(state)) return;
        output = outputOfWarp(place);
        trace = &output;
    }
    if (trace->steps.empty()) return;
    step = std::min(step, trace->steps.size() - 1);
    drawing::Pointed pointed;
    const ImVec2 mouse = ImGui::GetMousePos();
    if (ImGui::IsWindowHovered() && ImGui::IsMousePosValid()) pointed.at = Point{mouse.x, mouse.y};
    if (state.pointed && trace->place == place) {
        pointed.lane =
            laneIndex(threadRankInBlock(*state.pointed, state.view.experiment.launch.block)).value;
    }
    const drawing::WarpMemory picture =
        drawing::prepareWarpMemory(*trace, step, drawArea(look, at, end), pointed);
    paint(list, look.fonts, picture.items);
    ui.markPicture("memory", at, end);
    if (picture.pointed.empty()) return;
    ImGui::BeginTooltip();
    text(look.fonts.small, look.colors.text, picture.pointed);
    ImGui::EndTooltip();
}

namespace {

/// The rule with the thread's numbers, where there is no room for its formulas.
std::string ranksInOneLine(Extents block, Index3 thread) {
    const std::uint32_t rank = threadRankInBlock(thread, block).value;
    const auto times = [](std::uint32_t a, std::uint32_t b) {
        return std::to_string(a) + "·" + std::to_string(b);
    };
    std::string words = toText(thread) + ": rank = " + std::to_string(thread.x);
    if (block.y > 1 || block.z > 1) words += " + " + times(thread.y, block.x);
    if (block.z > 1) words += " + " + times(thread.z, block.x * block.y);
    if (block.y > 1 || block.z > 1) words += " = " + std::to_string(rank);
    return words + ", warp = " + std::to_string(rank) + " / 32 = " + std::to_string(rank / 32) +
           ", lane = " + std::to_string(rank) + " % 32 = " + std::to_string(rank % 32);
}

void chooseTab(const UiContext& ui, const AppState& state, bool source, Commands& commands) {
    const float gap = ui.look.px(4);
    actButton(ui, state, Act::memory, commands, !source);
    ImGui::SameLine(0, gap);
    actButton(ui, state, Act::source, commands, source);
    ImGui::SameLine(0, 3 * gap);
}

}  // namespace

void drawThreadFacts(const UiContext& ui, const AppState& state, Index3 block, Index3 thread) {
    const Look& look = ui.look;
    const Experiment& experiment = state.view.experiment;
    const Extents extents = experiment.launch.block;
    const WarpRank warp = warpRankInBlock(threadRankInBlock(thread, extents));
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = look.fonts.strong->FontSize;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, packed(colorOf(warp)),
                                              look.px(3));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    text(look.fonts.strong, look.colors.text,
         "Thread " + toText(thread) + " of block " + toText(block));
    ImFont* const font = look.fonts.smallNumber;
    text(font, look.colors.text, rankFormula(extents, thread));
    text(font, look.colors.text, warpFormula(extents, thread));
    text(font, look.colors.text, laneFormula(extents, thread));
    if (showsProgram(state)) return ImGui::EndGroup();
    const std::string element = elementName(experiment, block, thread);
    if (element.empty()) {
        text(look.fonts.body, look.colors.warning, "Outside the problem: it has nothing to do.");
    } else {
        text(font, look.colors.accent, "writes " + element);
        if (blockGuard(experiment).wastes(block, thread)) {
            text(look.fonts.body, look.colors.warning,
                 "So does another thread: this one repeats it.");
        }
    }
    ImGui::EndGroup();
}

Commands drawWarpPanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const Index3 thread = threadInFocus(state);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 end{at.x + room.x, at.y + room.y};
    // Where there is no room for both, the thread's numbers are in the pointer's tooltip alone.
    const Kernel& kernel = kernelOf(state.view.experiment);
    // The source of a person's own file stands above.
    const bool own = showsProgram(state);
    const bool source = state.view.below == LowerTab::source && !own;
    float left = at.x;
    if (!source && !own && room.x >= look.px(860)) {
        drawThreadFacts(ui, state, state.view.block, thread);
        const ImVec2 below{at.x, ImGui::GetItemRectMax().y + look.px(16)};
        const float width =
            std::max(look.px(330), std::min(ImGui::GetItemRectSize().x, room.x * 0.4F));
        left += width + look.px(24);
        sourceOfStep(ui, state, kernel, below, width);
    }
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::PushFont(look.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(8), look.px(3)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(4), 0));
    if (!own) chooseTab(ui, state, source, commands);
    drawStepControls(ui, state, end.x, commands);
    float below = ImGui::GetItemRectMax().y + look.px(9);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    if (!source && !own && left == at.x && end.y - below > look.px(170)) {
        ImFont* const font = look.fonts.small;
        textAt(
            *ImGui::GetWindowDrawList(), font, look.colors.muted, {left, below},
            fitted(font, ranksInOneLine(state.view.experiment.launch.block, thread), end.x - left));
        below += font->FontSize + look.px(8);
    }
    if (source) {
        append(commands, drawSource(ui, state, {left, below}, end));
    } else {
        drawWarpStep(ui, state, {left, below}, end);
    }
    return commands;
}

}  // namespace warplens::window
