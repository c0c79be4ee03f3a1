#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/window/state/app_state.h"
#include "core/measurement/worker_protocol.h"

/// Commands about measuring, predicting and sweeps.
namespace warplens::window {

/// What the timed runs of the next measurement find in the L2.
struct SetCache final {
    CacheBefore cache = CacheBefore::warm;
};
struct Measure final {};
struct CancelMeasure final {};
/// What the worker said about measurement `number`; ignored when that one is no longer awaited.
struct WorkerSaid final {
    std::uint64_t number = 0;
    std::variant<Progress, Measurement, ProgramMeasurement, Failure> event;
};
/// Where to measure from now on, `ssh lab-gpu`; empty: this machine.
struct ChoosePlace final {
    std::string place{};
};
struct ForgetPlace final {
    std::string place;
};
/// What stands in the field for a new place.
struct TypePlace final {
    std::string text{};
};
/// Which of the place's GPUs; empty: the first.
struct ChooseDevice final {
    DeviceChoice device{};
};
/// Asks the place for the GPUs it has, and what it said.
struct AskForDevices final {};
struct DevicesListed final {
    std::uint64_t asked = 0;
    std::vector<DeviceName> devices{};
};
/// Where the worker runs, `on gpu07, job 4711`.
struct WhereaboutsSaid final {
    std::string words;
};
/// Measures the points of the shown sweep that are missing; CancelMeasure ends it.
struct MeasureSweep final {};
/// Shows the launch of one of the shown sweep's points.
struct ShowSweepPoint final {
    std::size_t point = 0;
};
/// Plots a quantity, by its id, in the first place or the second.
struct ChooseQuantity final {
    std::size_t place = 0;
    std::string id;
};
/// Sweeps that travel with the program were read, and the one of the session before.
struct SweepsRead final {
    std::shared_ptr<const RecordingLibrary> recordings;
    std::optional<Sweep> last{};
    std::string problem{};  ///< why the latter could not be read, a sentence; empty where it could
};
struct Pin final {
    PinSlot slot = PinSlot::a;
};
struct ClearPins final {};

struct PredictionReady final {
    LaunchReport prediction;
};
/// What compiled code comes to in the launch; none where it cannot be run.
struct CompiledPredicted final {
    std::optional<LaunchReport> compiled;
};
struct PredictionFailed final {
    PredictionFailure failure;
};

/// The shown block's prediction; none where it cannot be traced, which PredictionFailed explains.
struct BlockPredicted final {
    std::optional<LaunchReport> prediction;
};

}  // namespace warplens::window
