#include "app/window/panels/places_menu.h"

#include "app/window/panels/imgui_compat.h"
#include "core/text/utf8.h"

namespace warplens::window {
namespace {

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
