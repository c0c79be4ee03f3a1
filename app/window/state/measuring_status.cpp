#include "app/window/state/measuring_status.h"

#include "app/window/state/editing.h"
#include "core/text/encoding.h"

namespace warplens::window {
namespace {

constexpr std::size_t resultsKept = 64;
constexpr std::size_t longestStage = 100;  ///< bytes

void keep(AppState& state, const Measurement& measurement) {
    std::erase_if(state.results, [&](const Result& result) {
        return result.measurement->experiment == measurement.experiment;
    });
    state.results.push_back({measurement, false});
    if (state.results.size() > resultsKept) state.results.erase(state.results.begin());
}

std::string describe(const Failure& failure) {
    if (failure.kind == FailureKind::cancelled) return "Measurement cancelled.";
    std::string text = "Not measured: " + failure.message;
    if (!text.empty() && text.back() != '.') text += '.';
    if (failure.kind == FailureKind::failed) text += " The next Measure starts a fresh worker.";
    return text;
}

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

void perform(AppState& state, const WorkerSaid& said) {
    auto* run = std::get_if<Running>(&state.measuring);
    if (run == nullptr || run->number != said.number) return;
    if (const auto* program = std::get_if<ProgramMeasurement>(&said.event)) {
        if (!run->program) return;
        keepMeasured(state, *run->program, *program);
        state.measuring = Idle{};
        return;
    }
    if (const auto* progress = std::get_if<Progress>(&said.event)) {
        run->stage = sanitized(progress->stage, longestStage);
        // Written so that what is no number reads as nothing done.
        run->fraction = progress->fraction > 0 ? std::min(progress->fraction, 1.0) : 0;
    } else if (const auto* measurement = std::get_if<Measurement>(&said.event)) {
        if (state.sweep.measuring) return takeMeasured(state, *measurement);
        keep(state, *measurement);
        state.measuring = Idle{};
    } else if (const auto* failure = std::get_if<Failure>(&said.event)) {
        if (state.sweep.measuring) return takeFailure(state, *failure);
        const bool cancelled = failure->kind == FailureKind::cancelled;
        report(state, cancelled ? MessageKind::note : MessageKind::error, describe(*failure));
        state.measuring = cancelled ? MeasuringStatus(Idle{}) : Failed{*failure};
    }
}

void keepMeasured(AppState& state, const ProgramSubject& subject,
                  const ProgramMeasurement& measurement) {
    if (subject.path != state.program.path) return;
    keep(state.program, {.digest = subject.digest,
                         .launch = subject.launch,
                         .measurement = std::make_shared<const ProgramMeasurement>(measurement)});
    chooseDifference(state.program);
    const bool isOfNow = state.program.now && state.program.now->digest == subject.digest;
    if (!isOfNow) {
        report(state, MessageKind::note,
               subject.kernel + " was measured as the file was before it was saved.");
    }
    const auto differs = std::ranges::find_if(measurement.checks, [](const ArrayCheck& check) {
        return check.different != 0 && !check.reordered;
    });
    if (differs == measurement.checks.end()) return;
    report(state, MessageKind::warning,
           subject.kernel +
               " computes something else on the GPU than on the host: " + inWords(*differs) + '.');
}

void giveUpProgram(AppState& state) {
    auto* const run = std::get_if<Running>(&state.measuring);
    if (run != nullptr && run->program) run->cancelled = true;
}

void openKept(AppState& state, const std::string& path) {
    state.program.asking = false;
    if (state.program.isOpen()) {
        state.program.kept = path;
        return;
    }
    report(state, MessageKind::error,
           path + ": a measurement is shown beside its .cu file; open that first.");
}

void perform(AppState& state, const MeasurementRead& read) {
    if (read.path != state.program.kept) return;
    state.program.kept.clear();
    std::string problem = read.problem;
    if (problem.empty() && read.program) problem = takeKept(state.program, *read.program);
    chooseDifference(state.program);
    if (problem.empty()) return;
    report(state, MessageKind::error, "Not opened: " + read.path + ": " + problem + '.');
}

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

void perform(AppState& state, const ChoosePlace& command) {
    if (running(state) != nullptr) return;
    Places& places = state.places;
    const std::string place = placeTyped(command.place);
    if (place == places.chosen) return;
    if (!place.empty() && std::ranges::find(places.known, place) == places.known.end()) {
        if (places.known.size() == mostPlaces) places.known.erase(places.known.begin());
        places.known.push_back(place);
    }
    places.chosen = place;
    places.device.clear();
    startOver(state);
}

void perform(AppState& state, const ForgetPlace& command) {
    if (running(state) != nullptr) return;
    std::erase(state.places.known, command.place);
    if (state.places.chosen != command.place) return;
    state.places.chosen.clear();
    state.places.device.clear();
    startOver(state);
}

void perform(AppState& state, const ChooseDevice& command) {
    if (running(state) != nullptr) return;
    state.places.device = placeTyped(command.device);
}

void perform(AppState& state, const AskForDevices& /*command*/) {
    if (running(state) != nullptr || placeInUse(state.places).empty()) return;
    ++state.places.asked;
    state.places.asking = true;
}

void perform(AppState& state, const DevicesListed& listed) {
    if (listed.asked != state.places.asked) return;
    state.places.asking = false;
    state.places.devices = listed.devices;
}

void perform(AppState& state, const WhereaboutsSaid& said) {
    state.places.whereabouts = asUtf8(said.words, longestPlace);
}

}  // namespace warplens::window
