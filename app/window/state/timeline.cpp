#include "app/window/state/timeline.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens::window {
namespace {

/// The first request to memory: what a warp asks of memory is what it is held for. Where the
/// scenario is about divergence, the first branch at which lanes part, or the first there is.
std::size_t firstTelling(const WarpTrace& trace) {
    if (scenarioNamed(trace.place.experiment.scenario).group == 'D') {
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < trace.steps.size(); ++i) {
            const WarpStep& step = trace.steps[i];
            if (step.kind != StepKind::branch) continue;
            if (step.taken != 0 && step.taken != step.active) return i;
            if (!first) first = i;
        }
        if (first) return *first;
    }
    const auto found = std::ranges::find_if(
        trace.steps, [](const WarpStep& step) { return step.kind != StepKind::branch; });
    return found == trace.steps.end() ? 0 : static_cast<std::size_t>(found - trace.steps.begin());
}

}  // namespace

Timeline::Timeline(const AppState& state) : trace_(shownTrace(state)) {
    if (trace_ == nullptr || trace_->steps.empty()) return;
    const auto& [array, step] = std::tie(state.view.array, state.view.step);
    if (array && *array < trace_->byArray.size()) only_ = &trace_->byArray[*array];
    if (size() == 0) return;
    const std::size_t wanted = step ? *step : only_ == nullptr ? firstTelling(*trace_) : 0;
    const std::size_t at =
        only_ == nullptr
            ? wanted
            : static_cast<std::size_t>(std::ranges::lower_bound(*only_, wanted) - only_->begin());
    position_ = std::min(at, size() - 1);
}

std::size_t Timeline::size() const {
    if (trace_ == nullptr) return 0;
    return only_ == nullptr ? trace_->steps.size() : only_->size();
}

std::size_t Timeline::stepAt(std::size_t position) const {
    return only_ == nullptr ? position : only_->at(position);
}

const WarpStep* stepShown(const AppState& state) {
    const Timeline timeline(state);
    return timeline.size() == 0 ? nullptr
                                : &shownTrace(state)->steps[timeline.stepAt(timeline.position())];
}

void showPosition(AppState& state, std::size_t position) {
    const Timeline timeline(state);
    if (timeline.size() == 0) return;
    state.view.step = timeline.stepAt(std::min(position, timeline.size() - 1));
}

void moveOn(AppState& state, std::int64_t steps) {
    const Timeline timeline(state);
    if (timeline.size() == 0) return;
    const auto count = static_cast<std::int64_t>(timeline.size());
    const auto next = static_cast<std::int64_t>(timeline.position()) + steps % count;
    showPosition(state, static_cast<std::size_t>((next + count) % count));
}

void togglePlay(AppState& state) {
    const Timeline timeline(state);
    Playback& playback = state.playback;
    playback.due = 0;
    playback.playing = !playback.playing && timeline.size() > 1;
    if (playback.playing && timeline.position() + 1 == timeline.size()) showPosition(state, 0);
}

void passTime(AppState& state, double seconds) {
    Playback& playback = state.playback;
    // Written so that what is no number passes as no time.
    if (!playback.playing || !(seconds > 0)) return;
    const Timeline timeline(state);
    // While another warp is traced, time stands still.
    if (timeline.size() == 0) return;
    // After a standstill of the whole program steps are not made up for.
    playback.due += std::min(seconds, 1.0) * playback.stepsPerSecond;
    const double steps = std::floor(playback.due);
    playback.due -= steps;
    const std::size_t next = timeline.position() + static_cast<std::size_t>(steps);
    if (next + 1 >= timeline.size()) playback = {false, playback.stepsPerSecond, 0};
    if (steps > 0) showPosition(state, next);
}

std::optional<double> secondsToNextStep(const AppState& state) {
    const Playback& playback = state.playback;
    if (!playback.playing) return std::nullopt;
    return (1 - playback.due) / playback.stepsPerSecond;
}

}  // namespace warplens::window
