
#include "app/drawing/elements.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
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
void sourceOfStep(const UiContext& ui, const Kernel& kernel, ImVec2 at, float width) {
    const WarpStep* const step = stepShown(ui.state);
    if (step == nullptr) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, ui.fonts.small, ui.colors.muted, at,
           std::string(kernel.name) + ", line " + std::to_string(step->line));
    ImFont* const font = ui.fonts.smallNumber;
    textAt(list, font, ui.colors.text, {at.x, at.y + ui.fonts.small->FontSize + ui.px(5)},
           fitted(font, sourceLine(kernel, step->line), width));
}

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

void chooseTab(const UiContext& ui, bool source) {
    const float gap = ui.px(4);
    actButton(ui, Act::memory, !source);
    ImGui::SameLine(0, gap);
    actButton(ui, Act::source, source);
    ImGui::SameLine(0, 3 * gap);
}

}  // namespace

void drawWarpStep(const UiContext& ui, ImVec2 at, ImVec2 end) {
    const AppState& state = ui.state;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (const std::uint32_t line = lineWithoutStep(state); line != 0) {
        textInLines(&list, ui.fonts.body, ui.colors.muted, at,
                    "Line " + std::to_string(line) + " has no step in block " +
                        toText(state.view.block) +
                        ". Steps are accesses to memory and branches of its warps.",
                    end.x - at.x);
        ui.markPicture("memory", at, end);
        return;
    }
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
        textAt(list, ui.fonts.body, ui.colors.muted, at,
               fitted(ui.fonts.body,
                      "Warp " + std::to_string(place.warp.value) + ": " + reasonOf(state),
                      end.x - at.x));
        at.y += ui.fonts.body->FontSize + ui.px(6);
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
        drawing::prepareWarpMemory(*trace, step, drawArea(ui.look, at, end), pointed);
    paint(list, ui.fonts, picture.items);
    ui.markPicture("memory", at, end);
    if (picture.pointed.empty()) return;
    ImGui::BeginTooltip();
    text(ui.fonts.small, ui.colors.text, picture.pointed);
    ImGui::EndTooltip();
}

void drawThreadFacts(const UiContext& ui, Index3 block, Index3 thread) {
    const Experiment& experiment = ui.state.view.experiment;
    const Extents extents = experiment.launch.block;
    const WarpRank warp = warpRankInBlock(threadRankInBlock(thread, extents));
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ui.fonts.strong->FontSize;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, packed(colorOf(warp)),
                                              ui.px(3));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    text(ui.fonts.strong, ui.colors.text,
         "Thread " + toText(thread) + " of block " + toText(block));
    ImFont* const font = ui.fonts.smallNumber;
    text(font, ui.colors.text, rankFormula(extents, thread));
    text(font, ui.colors.text, warpFormula(extents, thread));
    text(font, ui.colors.text, laneFormula(extents, thread));
    if (showsProgram(ui.state)) return ImGui::EndGroup();
    const std::string element = elementName(experiment, block, thread);
    if (element.empty()) {
        text(ui.fonts.body, ui.colors.warning, "Outside the problem: it has nothing to do.");
    } else {
        text(font, ui.colors.accent, "writes " + element);
        if (blockGuard(experiment).wastes(block, thread)) {
            text(ui.fonts.body, ui.colors.warning, "So does another thread: this one repeats it.");
        }
    }
    ImGui::EndGroup();
}

void drawWarpPanel(const UiContext& ui) {
    const Index3 thread = threadInFocus(ui.state);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 end{at.x + room.x, at.y + room.y};
    // Where there is no room for both, the thread's numbers are in the pointer's tooltip alone.
    const Kernel& kernel = kernelOf(ui.state.view.experiment);
    // The source of a person's own file stands above.
    const bool own = showsProgram(ui.state);
    const bool source = ui.state.view.below == LowerTab::source && !own;
    float left = at.x;
    if (!source && !own && room.x >= ui.px(860)) {
        drawThreadFacts(ui, ui.state.view.block, thread);
        const ImVec2 below{at.x, ImGui::GetItemRectMax().y + ui.px(16)};
        const float width =
            std::max(ui.px(330), std::min(ImGui::GetItemRectSize().x, room.x * 0.4F));
        left += width + ui.px(24);
        sourceOfStep(ui, kernel, below, width);
    }
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::PushFont(ui.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(3)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(4), 0));
    if (!own) chooseTab(ui, source);
    drawStepControls(ui, left, end.x);
    float below = ImGui::GetItemRectMax().y + ui.px(9);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    if (!source && !own && left == at.x && end.y - below > ui.px(170)) {
        ImFont* const font = ui.fonts.small;
        textAt(*ImGui::GetWindowDrawList(), font, ui.colors.muted, {left, below},
               fitted(font, ranksInOneLine(ui.state.view.experiment.launch.block, thread),
                      end.x - left));
        below += font->FontSize + ui.px(8);
    }
    if (source) {
        drawSource(ui, {left, below}, end);
    } else {
        drawWarpStep(ui, {left, below}, end);
    }
}

}  // namespace warplens::window
