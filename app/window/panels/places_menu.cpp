#include "app/window/panels/places_menu.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/text/utf8.h"

namespace warplens::window {
namespace {

constexpr std::size_t longestPlaceLabel = 40;  ///< bytes

void listPlaces(const Pen& pen, const AppState& state, Commands& commands) {
    const Places& places = state.places;
    text(pen.look.fonts.small, pen.look.colors.faint, "WHERE");
    const std::string here = places.hereIsNamed ? places.here : "this machine";
    if (ImGui::RadioButton(here.c_str(), places.chosen.empty())) {
        commands.emplace_back(ChoosePlace{});
    }
    pen.mark("place.here");
    for (std::size_t i = 0; i < places.known.size(); ++i) {
        const std::string& place = places.known[i];
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::RadioButton(place.c_str(), places.chosen == place)) {
            commands.emplace_back(ChoosePlace{place});
        }
        pen.mark("place." + std::to_string(i));
        ImGui::SameLine();
        if (ImGui::SmallButton("forget")) commands.emplace_back(ForgetPlace{place});
        pen.mark("place." + std::to_string(i) + ".forget");
        ImGui::PopID();
    }
}

void typePlace(const Pen& pen, const AppState& state, Commands& commands) {
    std::array<char, 401> buffer{};
    const std::string& typed = state.places.typed;
    std::memcpy(buffer.data(), typed.data(), std::min(typed.size(), buffer.size() - 1));
    ImGui::SetNextItemWidth(pen.look.px(340));
    const bool entered = ImGui::InputTextWithHint(
        "##place", "ssh lab-gpu, or srun -p gpu --gres=gpu:1", buffer.data(), buffer.size(),
        ImGuiInputTextFlags_EnterReturnsTrue);
    pen.mark("place.typed");
    if (typed != buffer.data()) commands.emplace_back(TypePlace{buffer.data()});
    ImGui::SameLine();
    const bool added = plainButton(pen, "Add", buffer[0] != '\0');
    pen.mark("place.add");
    if ((entered || added) && buffer[0] != '\0') {
        commands.emplace_back(ChoosePlace{buffer.data()});
        commands.emplace_back(TypePlace{});
    }
}

void listDevices(const Pen& pen, const AppState& state, Commands& commands) {
    const Places& places = state.places;
    space(pen, 8);
    text(pen.look.fonts.small, pen.look.colors.faint, "GPU THERE");
    if (ImGui::RadioButton("the first", places.device.empty())) {
        commands.emplace_back(ChooseDevice{});
    }
    pen.mark("device.first");
    for (std::size_t number = 0; number < places.devices.size(); ++number) {
        const DeviceName& device = places.devices[number];
        const std::string name = std::to_string(number);
        const std::string label = name + "   " + device.name + "   " + device.uuid;
        if (ImGui::RadioButton(label.c_str(), places.device == name)) {
            commands.emplace_back(ChooseDevice{name});
        }
        pen.mark("device." + name);
    }
    if (plainButton(pen, places.asking ? "Asking" : "Which are there?",
                    !places.asking && state.canMeasure && running(state) == nullptr)) {
        commands.emplace_back(AskForDevices{});
    }
    pen.mark("device.ask");
}

}  // namespace

Commands drawPlacesMenu(const Pen& pen, const AppState& state) {
    Commands commands;
    const std::string label = asUtf8(nameOfPlace(state.places), longestPlaceLabel);
    if (ImGui::SmallButton((label + "##places").c_str())) ImGui::OpenPopup("places");
    pen.mark("places");
    tooltip(pen, running(state) == nullptr
                     ? "Where measurements are made, and on which GPU"
                     : "Measuring here; another place can be chosen afterwards");
    if (ImGui::BeginPopup("places")) {
        listPlaces(pen, state, commands);
        typePlace(pen, state, commands);
        listDevices(pen, state, commands);
        ImGui::EndPopup();
    }
    return commands;
}

}  // namespace warplens::window
