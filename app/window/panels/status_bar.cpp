#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/panels.h"
#include "app/window/state/measuring_status.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "core/text/utf8.h"

namespace warplens::window {
namespace {

/// What is known of the worker: whether it can measure shows when it does.
std::string workerWords(const AppState& state) {
    if (const Running* run = running(state)) return "Measuring: " + run->stage;
    if (!state.canMeasure) return "No GPU to measure on: predictions and recordings";
    if (std::holds_alternative<Failed>(state.measuring)) return "The last measurement failed";
    const std::size_t count = state.results.size();
    if (count == 0) return "No worker yet: Measure starts it";
    return std::to_string(count) + (count == 1 ? " launch measured" : " launches measured");
}

constexpr std::size_t longestPlaceLabel = 40;  ///< bytes

void listPlaces(const UiContext& ui, const AppState& state, Commands& commands) {
    const Places& places = state.places;
    text(ui.look.fonts.small, ui.look.colors.faint, "WHERE");
    if (ImGui::RadioButton(nameOfHere(places).c_str(), places.chosen.empty())) {
        commands.emplace_back(ChoosePlace{});
    }
    ui.mark("place.here");
    for (std::size_t i = 0; i < places.known.size(); ++i) {
        const std::string& place = places.known[i];
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::RadioButton(place.c_str(), places.chosen == place)) {
            commands.emplace_back(ChoosePlace{place});
        }
        ui.mark("place." + std::to_string(i));
        ImGui::SameLine();
        if (ImGui::SmallButton("forget")) commands.emplace_back(ForgetPlace{place});
        ui.mark("place." + std::to_string(i) + ".forget");
        ImGui::PopID();
    }
}

void typePlace(const UiContext& ui, const AppState& state, Commands& commands) {
    std::string typed = state.places.typed;
    ImGui::SetNextItemWidth(ui.look.px(340));
    const bool entered =
        ImGui::InputTextWithHint("##place", "ssh lab-gpu, or srun -p gpu --gres=gpu:1", &typed,
                                 ImGuiInputTextFlags_EnterReturnsTrue);
    ui.mark("place.typed");
    if (typed != state.places.typed) commands.emplace_back(TypePlace{typed});
    ImGui::SameLine();
    const bool added = plainButton(ui, "Add", !typed.empty());
    ui.mark("place.add");
    if ((entered || added) && !typed.empty()) {
        commands.emplace_back(ChoosePlace{typed});
        commands.emplace_back(TypePlace{});
    }
}

void listDevices(const UiContext& ui, const AppState& state, Commands& commands) {
    const Places& places = state.places;
    space(ui, 8);
    text(ui.look.fonts.small, ui.look.colors.faint, "GPU THERE");
    if (ImGui::RadioButton("the first", places.device.empty())) {
        commands.emplace_back(ChooseDevice{});
    }
    ui.mark("device.first");
    for (std::size_t number = 0; number < places.devices.size(); ++number) {
        const DeviceName& device = places.devices[number];
        const std::string name = std::to_string(number);
        const std::string label = name + "   " + device.name + "   " + device.uuid;
        if (ImGui::RadioButton(label.c_str(), places.device == name)) {
            commands.emplace_back(ChooseDevice{name});
        }
        ui.mark("device." + name);
    }
    if (plainButton(ui, places.asking ? "Asking" : "Which are there?",
                    !places.asking && state.canMeasure && running(state) == nullptr)) {
        commands.emplace_back(AskForDevices{});
    }
    ui.mark("device.ask");
}

}  // namespace

Commands drawStatusBar(const UiContext& ui, const AppState& state, bool narrow) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    std::string left = workerWords(state);
    if (const LaunchReport* prediction = shownPrediction(state)) {
        left += "   ·   Predicted, " + howPredicted(*prediction) + ", in " +
                formatNumber(prediction->seconds, Unit::seconds);
    }
    if (!state.places.whereabouts.empty()) left = state.places.whereabouts + "   ·   " + left;
    Commands commands = drawPlacesMenu(ui, state);
    ImGui::SameLine(0, look.px(14));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string right =
        narrow ? std::string("The measured numbers need a wider window, or Ctrl+-")
               : "F1 keys   ·   Ctrl+K finds   ·   Warplens " + version();
    const float room = width - measured(look.fonts.small, right).x - look.px(24);
    if (room > 0) textAt(list, look.fonts.small, c.muted, at, fitted(look.fonts.small, left, room));
    textAt(list, look.fonts.small, narrow ? c.muted : c.faint, {at.x + width, at.y}, right, 1);
    return commands;
}

Commands drawPlacesMenu(const UiContext& ui, const AppState& state) {
    Commands commands;
    const std::string label = asUtf8(nameOfPlace(state.places), longestPlaceLabel);
    if (ImGui::SmallButton((label + "##places").c_str())) ImGui::OpenPopup("places");
    ui.mark("places");
    tooltip(ui, running(state) == nullptr
                    ? "Where measurements are made, and on which GPU"
                    : "Measuring here; another place can be chosen afterwards");
    if (ImGui::BeginPopup("places")) {
        listPlaces(ui, state, commands);
        typePlace(ui, state, commands);
        listDevices(ui, state, commands);
        ImGui::EndPopup();
    }
    return commands;
}

}  // namespace warplens::window
