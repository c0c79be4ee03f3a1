#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measurement/worker_protocol.h"

/// Where the window measures: on this machine, or at places that a person has typed.
namespace warplens::window {

struct AppState;

struct Places final {
    /// Runs the worker on this machine, or is what the command line named; empty: there is none.
    std::string here;
    bool hereIsNamed = false;        ///< by the command line
    std::vector<std::string> known;  ///< other places, as typed, oldest first; kept in the settings
    std::string typed;               ///< and not taken over yet
    std::string chosen;              ///< one of them; empty: `here`
    DeviceChoice device;             ///< which of the GPUs there; empty: the first
    std::vector<DeviceName> devices;  ///< all there, once they were asked for
    std::uint64_t asked = 0;          ///< number of the last question for them
    bool asking = false;
    std::string
        whereabouts;  ///< of the worker, `on gpu07, job 4711`; empty here and before it runs
    friend bool operator==(const Places&, const Places&) = default;
};

/// What the worker is started with; empty where nothing can be measured.
[[nodiscard]] const std::string& placeInUse(const Places& places);
/// Where it measures unless another place is chosen: `this machine`, or as the command line has it.
[[nodiscard]] std::string nameOfHere(const Places& places);
/// `this machine`, `ssh lab-gpu`, with the GPU where one is chosen: `ssh lab-gpu, GPU 1`.
[[nodiscard]] std::string nameOfPlace(const Places& places);

/// Measures at this place from now on, which is kept among the known; not while something runs.
void choosePlace(AppState& state, const std::string& typed);
void forgetPlace(AppState& state, const std::string& place);
void chooseDevice(AppState& state, const DeviceChoice& device);
/// Asks the worker for the GPUs there are, which starts it.
void askForDevices(AppState& state);
void takeDevices(AppState& state, std::uint64_t asked, std::vector<DeviceName> devices);
void takeWhereabouts(AppState& state, const std::string& words);

}  // namespace warplens::window
