#include "app/window/measuring.h"

#include <type_traits>

namespace warplens::window {

Measuring::Measuring(WorkerClient::Options worker, bool counters)
    : worker_(std::move(worker)), counters_(counters) {}

void Measuring::moveTo(const Places& places) {
    const bool same = placeInUse(places) == worker_.command && places.device == worker_.device;
    if (same || placeInUse(places).empty()) return;
    worker_.command = placeInUse(places);
    worker_.device = places.device;
    if (client_) leaving_.emplace_back([leaving = std::shared_ptr(std::move(client_))] {});
}

void Measuring::askForDevices(const Places& places) {
    if (!places.asking || places.asked == asked_) return;
    asked_ = places.asked;
    if (!client_) client_ = std::make_unique<WorkerClient>(worker_);
    question_ = client_->describe();
}

Commands Measuring::start(const Running& run, bool schedule, const TimingRequest& timing) {
    number_ = run.number;
    cancelled_ = false;
    try {
        if (!client_) client_ = std::make_unique<WorkerClient>(worker_);
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
    const Running* const run = running(state);
    if (run == nullptr || run->number != number_) {
        moveTo(state.places);
        askForDevices(state.places);
    }
    if (run != nullptr) {
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
        if (event.id == question_ && !std::holds_alternative<Progress>(event.body)) {
            const auto* said = std::get_if<Description>(&event.body);
            commands.emplace_back(
                DevicesListed{asked_, said != nullptr ? said->devices : std::vector<DeviceName>{}});
            if (const auto* failure = std::get_if<Failure>(&event.body)) {
                commands.emplace_back(Report{MessageKind::warning, failure->message});
            }
        }
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
                // What the window never asks for, and what says nothing of a measurement.
                constexpr bool other = std::is_same_v<Body, Description> ||
                                       std::is_same_v<Body, Hello> ||
                                       std::is_same_v<Body, ProgramMeasurement>;
                if constexpr (!other) {
                    commands.emplace_back(WorkerSaid{number_, body});
                }
            },
            event.body);
    }
    if (client_->whereabouts() != whereabouts_) {
        whereabouts_ = client_->whereabouts();
        commands.emplace_back(WhereaboutsSaid{whereabouts_});
    }
    return commands;
}

}  // namespace warplens::window
