#include "app/window/prediction_job.h"

#include <condition_variable>

#include "kernels/bodies/predict.h"

namespace warplens::window {

Command predictWith(const Predictor& predictor, const Experiment& experiment,
                    std::stop_token stop) {
    try {
        const std::vector<Breach> breaches = validateRun(experiment);
        if (!breaches.empty()) return PredictionFailed{{experiment, toString(breaches)}};
        return PredictionReady{predictor(experiment, std::move(stop))};
    } catch (const std::exception& error) {
        return PredictionFailed{{experiment, error.what()}};
    }
}

/// One thread serves all experiments, so that an edit never waits for the one before to stop.
struct PredictionJob::Shared final {
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<Experiment> next;
    std::stop_source stop;
    std::optional<Command> done;
    bool working = false;
};

PredictionJob::PredictionJob(Predictor predictor, std::function<void()> finished)
    : predictor_(std::move(predictor)),
      finished_(std::move(finished)),
      shared_(std::make_shared<Shared>()) {
    thread_ = std::jthread([this](const std::stop_token& ending) {
        Shared& shared = *shared_;
        std::unique_lock lock(shared.mutex);
        while (shared.changed.wait(lock, ending, [&] { return shared.next.has_value(); })) {
            const Experiment experiment = *std::exchange(shared.next, std::nullopt);
            const std::stop_token stop = shared.stop.get_token();
            shared.working = true;
            lock.unlock();
            Command command = predictWith(predictor_, experiment, stop);
            lock.lock();
            shared.working = false;
            if (stop.stop_requested()) continue;
            shared.done = std::move(command);
            lock.unlock();
            finished_();
            lock.lock();
        }
    });
}

PredictionJob::~PredictionJob() {
    const std::scoped_lock lock(shared_->mutex);
    shared_->stop.request_stop();
}

void PredictionJob::want(const Experiment& experiment) {
    if (wanted_ == experiment) return;
    wanted_ = experiment;
    const std::scoped_lock lock(shared_->mutex);
    shared_->stop.request_stop();
    shared_->stop = std::stop_source();
    shared_->done.reset();
    shared_->next = experiment;
    shared_->changed.notify_one();
}

std::optional<Command> PredictionJob::take() {
    const std::scoped_lock lock(shared_->mutex);
    return std::exchange(shared_->done, std::nullopt);
}

bool PredictionJob::busy() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->working || shared_->next.has_value();
}

}  // namespace warplens::window
