
#include "app/window/panels/panels.h"
#include "app/window/state/timeline.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

constexpr float shortestSlider = 30;  ///< design pixels

/// Whose steps there are to choose from.
struct Choice final {
    std::string name;
    std::optional<std::size_t> array;
    std::string help;
};

std::vector<Choice> choicesOf(const UiContext& ui) {
    std::vector<Choice> choices{{"all", {}, "Every step of the warp, in the program's order"}};
    const StepSubjects subjects = shownSubjects(ui.state);
    for (const std::string& name : subjects.arrayNames()) {
        const bool isShared = choices.size() > subjects.arrays.size();
        choices.push_back({name, choices.size() - 1,
                           isShared ? "The warp's requests to " + name + ", in shared memory"
                                    : "The warp's requests to the array " + name});
    }
    return choices;
}

/// As a list.
float listWidth(const UiContext& ui, const std::vector<Choice>& choices) {
    float widest = 0;
    for (const Choice& choice : choices) {
        widest = std::max(widest, buttonWidth(ui.fonts.small, choice.name));
    }
    return widest + ImGui::GetFrameHeight();
}

/// One of several, side by side or, where they take more than `room`, in a list.
void arrayChooser(const UiContext& ui, float room) {
    const float gap = ui.px(4);
    const std::vector<Choice> choices = choicesOf(ui);
    float width = 0;
    for (const Choice& choice : choices) width += buttonWidth(ui.fonts.small, choice.name) + gap;
    const std::optional<std::size_t> now = ui.state.view.array;
    if (width <= room) {
        for (const Choice& choice : choices) {
            commandButton(ui, choice.name + "##array", "array." + choice.name,
                          ChooseArray{choice.array}, choice.help, {.chosen = choice.array == now});
            ImGui::SameLine(0, gap);
        }
        return;
    }
    ImGui::SetNextItemWidth(listWidth(ui, choices));
    // Until the steps of another launch are there, what is chosen may be more than there is.
    const std::string& shown = choices[now && *now + 1 < choices.size() ? *now + 1 : 0].name;
    const bool open = ImGui::BeginCombo("##array", shown.c_str());
    ui.mark("array");
    if (open) {
        for (const Choice& choice : choices) {
            if (ImGui::Selectable(choice.name.c_str(), choice.array == now)) {
                ui.issue(ChooseArray{choice.array});
            }
            ui.mark("array." + choice.name);
            tooltip(ui, choice.help);
        }
        ImGui::EndCombo();
    }
    ImGui::SameLine(0, gap);
}

std::string stepWords(const Timeline& timeline, bool tracing, const char* of) {
    if (timeline.size() == 0) return tracing ? "…" : "no steps";
    return groupedDigits(timeline.position() + 1) + of + groupedDigits(timeline.size());
}

/// What the time controls are to have at the least: a short slider, and no choice of speed.
float leastTimeControls(const UiContext& ui, const Timeline& timeline) {
    const auto wide = [&](const std::string& words) { return measured(ui.fonts.small, words).x; };
    const std::string most = groupedDigits(std::max<std::size_t>(timeline.size(), 10));
    return wide("Pause") + ui.px(16) + 2 * buttonWidth(ui.fonts.small, "<") +
           ui.px(shortestSlider) + wide(most + " of " + most) + ui.px(8) + 4 * ui.px(4);
}

void stepSlider(const UiContext& ui, const Timeline& timeline, bool several, float width) {
    int number = static_cast<int>(timeline.position()) + 1;
    ImGui::SetNextItemWidth(width);
    ImGui::BeginDisabled(!several);
    // Of one step alone the grab would be all of it.
    if (timeline.size() < 2) ImGui::PushStyleColor(ImGuiCol_SliderGrab, 0);
    if (ImGui::SliderInt("##step", &number, 1, std::max(1, static_cast<int>(timeline.size())), "",
                         ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
        ui.issue(ChooseStep{static_cast<std::uint64_t>(number - 1)});
    }
    if (timeline.size() < 2) ImGui::PopStyleColor();
    ImGui::EndDisabled();
    ui.mark("step");
    const WarpTrace* const trace = shownTrace(ui.state);
    if (trace != nullptr && trace->total > trace->steps.size()) {
        tooltip(ui, "The first " + groupedDigits(trace->steps.size()) + " of " +
                        groupedDigits(trace->total) + " steps are kept");
    }
}

/// Play, one step back, where in time, one step on, how fast.
void timeControls(const UiContext& ui, float right) {
    const float gap = ui.px(4);
    const Timeline timeline(ui.state);
    // While the next warp is traced the controls stay as they are.
    const bool tracing = shownTrace(ui.state) == nullptr;
    const bool several = timeline.size() > 1 || tracing;
    const bool playing = ui.state.playback.playing;
    if (plainButton(ui, playing ? "Pause##play" : "Play##play", several, playing,
                    {measured(ui.fonts.small, "Pause").x + ui.px(16), 0})) {
        ui.issue(TogglePlay{});
    }
    ui.mark("play");
    actTooltip(ui, Act::play);
    ImGui::SameLine(0, gap);
    commandButton(ui, "<##step", "step.before", MoveStep{-1}, "", {.enabled = several});
    actTooltip(ui, Act::stepBefore);
    ImGui::SameLine(0, gap);
    const float button = ImGui::GetItemRectSize().x + gap;
    const std::string speed = formatNumber(ui.state.playback.stepsPerSecond, Unit::count) + "/s";
    const float speedWidth = measured(ui.fonts.small, "16/s").x + ui.px(16);
    float room = right - ImGui::GetCursorScreenPos().x - button;
    // Beside the slider, not on it: its grab is as wide as a step.
    const std::string most = groupedDigits(std::max<std::size_t>(timeline.size(), 10));
    const float full = measured(ui.fonts.small, "step " + most + " of " + most).x + ui.px(12);
    const float brief = measured(ui.fonts.small, most + " of " + most).x + ui.px(8);
    const float slider = ui.px(shortestSlider);
    const bool choosesSpeed = room - speedWidth - gap >= brief + slider;
    if (choosesSpeed) room -= speedWidth + gap;
    const bool fits = room >= full + 2 * slider;
    const bool slides = room >= brief + slider;
    const float briefest = measured(ui.fonts.small, most + "/" + most).x + ui.px(8);
    // In a narrow panel the buttons stay, the number goes.
    const float wide = fits ? full : slides ? brief : room >= briefest ? briefest : 0;
    const std::string words = stepWords(timeline, tracing, slides ? " of " : "/");
    if (slides) stepSlider(ui, timeline, several, room - wide);
    ImGui::SameLine(0, slides ? 0 : gap);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (wide > 0) {
        textAt(*ImGui::GetWindowDrawList(), ui.fonts.small, ui.colors.text,
               {corner.x + wide / 2, corner.y + ImGui::GetStyle().FramePadding.y},
               (fits && timeline.size() > 0 ? "step " : "") + words, 0.5F);
    }
    ImGui::Dummy({wide, 0});
    ImGui::SameLine(0, gap);
    commandButton(ui, ">##step", "step.after", MoveStep{1}, "", {.enabled = several});
    actTooltip(ui, Act::stepAfter);
    if (!choosesSpeed) return;
    ImGui::SameLine(0, gap);
    if (plainButton(ui, (speed + "##speed").c_str(), true, false, {speedWidth, 0})) {
        const double now = ui.state.playback.stepsPerSecond;
        ui.issue(SetPlaySpeed{now >= 16 ? 1 : 4 * now});
    }
    ui.mark("speed");
    tooltip(ui, "Steps a second while playing: 1, 4 or 16");
}

}  // namespace

void drawStepControls(const UiContext& ui, float left, float right) {
    const float least = leastTimeControls(ui, Timeline(ui.state));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (at.x > left && right - at.x < least + listWidth(ui, choicesOf(ui)) + ui.px(4)) {
        ImGui::SetCursorScreenPos({left, at.y + ImGui::GetFrameHeight() + ui.px(4)});
    }
    arrayChooser(ui, right - ImGui::GetCursorScreenPos().x - least);
    timeControls(ui, right);
}

}  // namespace warplens::window
