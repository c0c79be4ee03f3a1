#include "app/window/measuring.h"

#include <type_traits>

namespace warplens::window {

Measuring::Measuring(WorkerClient::Options worker, bool counters)
    : worker_(std::move(worker)), counters_(counters) {}

Commands Measuring::start(const Running& run) {
    number_ = run.number;
    cancelled_ = false;
    try {
        if (!client_) client_.emplace(worker_);
        request_ = client_->measure({run.experiment, counters_, /*schedule=*/true});
        return {};
    } catch (const std::exception& error) {
        return {WorkerSaid{run.number, Failure{FailureKind::failed, error.what()}}};
    }
}

Commands Measuring::step(const AppState& state) {
    Commands commands;
    if (const Running* run = running(state)) {
        if (run->number != number_) {
            commands = start(*run);
        } else if (run->cancelled && !cancelled_ && client_) {
            cancelled_ = true;
            client_->cancel(request_);
        }
    }
    if (!client_) return commands;
    for (const WorkerEvent& event : client_->poll()) {
        if (event.id != request_) continue;
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
