#include "app/window/panels/panels.h"
#include "app/window/state/measuring_status.h"
#include "core/measurement/measurement.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

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

void listPlaces(const UiContext& ui) {
    const Places& places = ui.state.places;
    text(ui.fonts.small, ui.colors.faint, "WHERE");
    if (ImGui::RadioButton(nameOfHere(places).c_str(), places.chosen.empty())) {
        ui.issue(ChoosePlace{});
    }
    ui.mark("place.here");
    for (std::size_t i = 0; i < places.known.size(); ++i) {
        const std::string& place = places.known[i];
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::RadioButton(place.c_str(), places.chosen == place)) ui.issue(ChoosePlace{place});
        ui.mark("place." + std::to_string(i));
        ImGui::SameLine();
        if (ImGui::SmallButton("forget")) ui.issue(ForgetPlace{place});
        ui.mark("place." + std::to_string(i) + ".forget");
        ImGui::PopID();
    }
}

void typePlace(const UiContext& ui) {
    std::string typed = ui.state.places.typed;
    ImGui::SetNextItemWidth(ui.px(340));
    const bool entered =
        ImGui::InputTextWithHint("##place", "ssh lab-gpu, or srun -p gpu --gres=gpu:1", &typed,
                                 ImGuiInputTextFlags_EnterReturnsTrue);
    ui.mark("place.typed");
    if (typed != ui.state.places.typed) ui.issue(TypePlace{typed});
    ImGui::SameLine();
    const bool added = plainButton(ui, "Add", !typed.empty());
    ui.mark("place.add");
    if ((entered || added) && !typed.empty()) {
        ui.issue(ChoosePlace{typed});
        ui.issue(TypePlace{});
    }
}

void listDevices(const UiContext& ui) {
    const Places& places = ui.state.places;
    space(ui, 8);
    text(ui.fonts.small, ui.colors.faint, "GPU THERE");
    if (ImGui::RadioButton("the first", places.device.empty())) ui.issue(ChooseDevice{});
    ui.mark("device.first");
    for (std::size_t number = 0; number < places.devices.size(); ++number) {
        const DeviceName& device = places.devices[number];
        const std::string name = std::to_string(number);
        const std::string label = name + "   " + device.name + "   " + device.uuid;
        if (ImGui::RadioButton(label.c_str(), places.device == name)) ui.issue(ChooseDevice{name});
        ui.mark("device." + name);
    }
    commandButton(
        ui, places.asking ? "Asking" : "Which are there?", "device.ask", AskForDevices{}, "",
        {.enabled = !places.asking && ui.state.canMeasure && running(ui.state) == nullptr});
}

}  // namespace

void drawStatusBar(const UiContext& ui, bool narrow) {
    const Colors& c = ui.colors;
    std::string left = workerWords(ui.state);
    if (const LaunchReport* prediction = shownPrediction(ui.state)) {
        left += "   ·   Predicted, " + howPredicted(*prediction) + ", in " +
                formatNumber(prediction->seconds, Unit::seconds);
    }
    if (!ui.state.places.whereabouts.empty()) left = ui.state.places.whereabouts + "   ·   " + left;
    drawPlacesMenu(ui);
    ImGui::SameLine(0, ui.px(14));
    const auto [list, at, width] = penHere();
    const std::string right =
        narrow ? std::string("The measured numbers need a wider window, or Ctrl+-")
               : "F1 keys   ·   Ctrl+K finds   ·   Warplens " + version();
    const float room = width - measured(ui.fonts.small, right).x - ui.px(24);
    if (room > 0) textAt(list, ui.fonts.small, c.muted, at, fitted(ui.fonts.small, left, room));
    textAt(list, ui.fonts.small, narrow ? c.muted : c.faint, {at.x + width, at.y}, right, 1);
}

void drawPlacesMenu(const UiContext& ui) {
    const std::string label = asUtf8(nameOfPlace(ui.state.places), longestPlaceLabel);
    if (ImGui::SmallButton((label + "##places").c_str())) ImGui::OpenPopup("places");
    ui.mark("places");
    tooltip(ui, running(ui.state) == nullptr
                    ? "Where measurements are made, and on which GPU"
                    : "Measuring here; another place can be chosen afterwards");
    if (ImGui::BeginPopup("places")) {
        listPlaces(ui);
        typePlace(ui);
        listDevices(ui);
        ImGui::EndPopup();
    }
}

}  // namespace warplens::window
