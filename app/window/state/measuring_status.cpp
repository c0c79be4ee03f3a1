#include "app/window/state/measuring_status.h"

#include <algorithm>
#include <utility>

#include "app/window/state/messages.h"
#include "app/window/state/program_measuring.h"
#include "core/text/sanitized.h"

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

}  // namespace

void takeWorkerSaid(AppState& state, const WorkerSaid& said) {
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

}  // namespace warplens::window
