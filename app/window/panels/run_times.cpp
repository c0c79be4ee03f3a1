#include "app/window/panels/run_times.h"

#include "app/drawing/run_times.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/plots.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

/// The bars in the left half. Leaves the cursor at their right.
void drawBars(const UiContext& ui, const Timing& timing, float width, float height) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height});
    ui.mark("times.histogram");
    const Quartiles quartiles = *quartilesOf(timing);
    const std::vector<std::string> times = drawing::timesApart(
        {timing.minimumSeconds, timing.maximumSeconds, quartiles.lower, quartiles.upper});
    tooltip(ui, "How long each of the " + std::to_string(timing.runs) + " runs took, " +
                    std::string(inWords(timing.from)) + ". Fastest " + times[0] + ", slowest " +
                    times[1] + "; half of them from " + times[2] + " to " + times[3] + ".");
    paint(*ImGui::GetWindowDrawList(), look.fonts,
          drawing::prepareRunTimes(timing, drawArea(look, at, {at.x + width, at.y + height})));
    ImGui::SameLine(0, 0);
}

/// `+ 0.90 µs for each launch  timed`, or why that is not known.
void launchLine(const UiContext& ui, const Evidence& evidence, float width) {
    const Value* const overhead = evidence.best(Metric::launchOverhead);
    if (overhead == nullptr) return;
    const Look& look = ui.look;
    const std::string meaning(metricInfo(Metric::launchOverhead).meaning);
    if (overhead->number() != nullptr) {
        text(look.fonts.small, look.colors.text,
             fitted(look.fonts.small, "+ " + formatValue(*overhead) + " launch overhead", width));
        ui.mark("times.overhead");
        tooltip(ui, meaning);
    } else {
        text(look.fonts.small, look.colors.faint,
             fitted(look.fonts.small, "launch overhead n/a", width));
        tooltip(ui, formatValue(*overhead) + ". " + meaning);
    }
}

std::string stateLine(const Timing& timing) {
    const std::string cache = "L2 " + std::string(toString(timing.cache));
    switch (timing.clockState) {
        case ClockState::free:
            return cache + " · clock free";
        case ClockState::limited:
            return cache + " · clock held back";
        case ClockState::locked:
            return cache + " · clock locked";
        case ClockState::unknown:
            break;
    }
    return cache;
}

void cacheChoice(const UiContext& ui, const AppState& state, Commands& commands) {
    const Look& look = ui.look;
    ImGui::PushFont(look.fonts.small);
    const auto choice = [&](const char* label, CacheBefore cache, const char* mark,
                            const char* help) {
        if (plainButton(ui, label, true, state.timing.cache == cache)) {
            commands.emplace_back(SetCache{cache});
        }
        ui.mark(mark);
        tooltip(ui, help);
    };
    choice("warm L2", CacheBefore::warm, "times.warm",
           "Measure with what the run before left in the L2");
    ImGui::SameLine(0, look.px(4));
    choice("cold L2", CacheBefore::cold, "times.cold",
           "Measure with other data in the L2, read between the runs and outside of their time");
    ImGui::PopFont();
}

}  // namespace

void drawRunTimes(const UiContext& ui, const AppState& state, const Evidence& evidence,
                  const Timing& timing, Commands& commands) {
    const Look& look = ui.look;
    const float width = ImGui::GetContentRegionAvail().x;
    if (!timing.runNanoseconds.empty()) {
        drawBars(ui, timing, width * 0.46F, 4.6F * look.fonts.small->FontSize);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width * 0.02F);
    }
    const float right = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, look.px(2)));
    ImGui::BeginGroup();
    launchLine(ui, evidence, right);
    text(look.fonts.small, look.colors.muted, fitted(look.fonts.small, stateLine(timing), right));
    ui.mark("times.state");
    tooltip(ui, "Caches " + timing.cacheState + ". Clocks: " + timing.clocks + ".");
    if (state.canMeasure) cacheChoice(ui, state, commands);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    if (const auto noise = noiseOf(timing)) {
        wrapped(look.fonts.small, look.colors.warning, *noise);
        ui.mark("times.noise");
    }
    advance(look.px(6));
}

}  // namespace warplens::window
