#include "app/window/measuring.h"

#include <type_traits>

namespace warplens::window {

Measuring::Measuring(WorkerClient::Options worker, bool counters)
    : worker_(std::move(worker)), counters_(counters) {}

Commands Measuring::start(const Running& run, bool schedule, const TimingRequest& timing) {
    number_ = run.number;
    cancelled_ = false;
    try {
        if (!client_) client_.emplace(worker_);
        request_ = client_->measure({.experiment = run.experiment,
                                     .counters = counters_,
                                     .schedule = schedule,
                                     .timing = timing});
        return {};
    } catch (const std::exception& error) {
        return {WorkerSaid{run.number, Failure{FailureKind::failed, error.what()}}};
    }
}

Commands Measuring::step(const AppState& state) {
    Commands commands;
    if (const Running* run = running(state)) {
        if (run->number != number_) {
            // Which SM ran which block is no number of a sweep, and large.
            commands = start(*run, /*schedule=*/!state.sweep.measuring, state.timing);
        } else if (run->cancelled && !cancelled_ && client_) {
            cancelled_ = true;
            client_->cancel(request_);
        }
    }
    if (!client_) return commands;
    for (const WorkerEvent& event : client_->poll()) {
        if (event.id != request_) continue;
        if (!bannerTold_ && !client_->banner().empty()) {
            bannerTold_ = true;
            commands.emplace_back(
                Report{MessageKind::note,
                       "Skipped what came before the worker spoke: '" + client_->banner() + "'"});
        }
        std::visit(
            [&](const auto& body) {
                using Body = std::decay_t<decltype(body)>;
                if constexpr (!std::is_same_v<Body, Description> && !std::is_same_v<Body, Hello>) {
                    commands.emplace_back(WorkerSaid{number_, body});
                }
            },
            event.body);
    }
    return commands;
}

}  // namespace warplens::window
