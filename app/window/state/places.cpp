#include "app/window/state/places.h"

#include <algorithm>
#include <utility>

#include "app/window/state/app_state.h"
#include "core/text/lines.h"
#include "core/text/utf8.h"

namespace warplens::window {
namespace {

constexpr std::size_t mostPlaces = 12;
constexpr std::size_t longestPlace = 400;  ///< bytes

/// Nothing is known yet of another place's worker.
void startOver(AppState& state) {
    state.places.devices.clear();
    state.places.whereabouts.clear();
    state.places.asking = false;
    state.canMeasure = !placeInUse(state.places).empty();
}

std::string placeTyped(std::string_view text) {
    return asUtf8(trimmed(text), longestPlace);
}

}  // namespace

const std::string& placeInUse(const Places& places) {
    return places.chosen.empty() ? places.here : places.chosen;
}

std::string nameOfHere(const Places& places) {
    if (!places.hereIsNamed) return "this machine";
    return places.here.empty() ? "no worker" : places.here;
}

std::string nameOfPlace(const Places& places) {
    return (places.chosen.empty() ? nameOfHere(places) : places.chosen) +
           (places.device.empty() ? "" : ", GPU " + places.device);
}

void choosePlace(AppState& state, const std::string& typed) {
    if (running(state) != nullptr) return;
    Places& places = state.places;
    const std::string place = placeTyped(typed);
    if (place == places.chosen) return;
    if (!place.empty() && std::ranges::find(places.known, place) == places.known.end()) {
        if (places.known.size() == mostPlaces) places.known.erase(places.known.begin());
        places.known.push_back(place);
    }
    places.chosen = place;
    places.device.clear();
    startOver(state);
}

void forgetPlace(AppState& state, const std::string& place) {
    if (running(state) != nullptr) return;
    std::erase(state.places.known, place);
    if (state.places.chosen != place) return;
    state.places.chosen.clear();
    state.places.device.clear();
    startOver(state);
}

void chooseDevice(AppState& state, const DeviceChoice& device) {
    if (running(state) != nullptr) return;
    state.places.device = placeTyped(device);
}

void askForDevices(AppState& state) {
    if (running(state) != nullptr || placeInUse(state.places).empty()) return;
    ++state.places.asked;
    state.places.asking = true;
}

void takeDevices(AppState& state, std::uint64_t asked, std::vector<DeviceName> devices) {
    if (asked != state.places.asked) return;
    state.places.asking = false;
    state.places.devices = std::move(devices);
}

void takeWhereabouts(AppState& state, const std::string& words) {
    state.places.whereabouts = asUtf8(words, longestPlace);
}

}  // namespace warplens::window
