#include "app/cli/predicting.h"

#include <chrono>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

/// Throws PredictionStopped.
PointPrediction predicted(const Experiment& experiment, std::stop_token stop) {
    try {
        PredictOptions options;
        options.stop = std::move(stop);
        return toPoint(predict(experiment, options));
    } catch (const PredictionStopped&) {
        throw;
    } catch (const std::exception& error) {
        return NotPredicted{error.what()};
    }
}

/// A stop of what runs on this thread, asked for by Ctrl-C.
class StopOnInterrupt final {
  public:
    StopOnInterrupt()
        : watcher_([this](const std::stop_token& ending) {
              while (!ending.stop_requested()) {
                  if (InterruptNoted::happened()) stop_.request_stop();
                  std::this_thread::sleep_for(20ms);
              }
          }) {}
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  private:
    std::stop_source stop_;
    std::jthread watcher_;
};

}  // namespace

std::string stageOf(const Sweep& sweep, std::size_t point, const std::string& stage) {
    return "point " + std::to_string(point + 1) + " of " + std::to_string(sweep.points.size()) +
           ", " + placeOn(sweep.plan.axis, sweep.points[point].experiment) + ": " + stage;
}

bool predictPoints(Sweep& sweep, const std::function<void()>& kept) {
    const StopOnInterrupt stop;
    ProgressLine line("predicting");
    while (const auto index = sweep.nextToPredict()) {
        SweepPoint& point = sweep.points[*index];
        line.show(static_cast<double>(*index) / static_cast<double>(sweep.points.size()),
                  stageOf(sweep, *index, "predicting"));
        try {
            point.predicted = predicted(point.experiment, stop.token());
        } catch (const PredictionStopped&) {
            return false;
        }
        if (kept) kept();
        if (InterruptNoted::happened()) return false;
    }
    return true;
}

PredictionsAhead::PredictionsAhead(const Sweep& sweep) {
    std::vector<std::pair<std::size_t, Experiment>> open;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        if (std::holds_alternative<std::monostate>(point.predicted)) {
            open.emplace_back(i, point.experiment);
        }
    }
    thread_ = std::jthread([this, open = std::move(open)](const std::stop_token& stop) {
        for (const auto& [index, experiment] : open) {
            try {
                PointPrediction made = predicted(experiment, stop);
                const std::lock_guard lock(mutex_);
                made_.emplace_back(index, std::move(made));
            } catch (const PredictionStopped&) {
                return;
            }
            if (stop.stop_requested()) return;
        }
    });
}

bool PredictionsAhead::takeInto(Sweep& sweep) {
    std::vector<std::pair<std::size_t, PointPrediction>> made;
    {
        const std::lock_guard lock(mutex_);
        made.swap(made_);
    }
    for (auto& [index, prediction] : made) sweep.points[index].predicted = std::move(prediction);
    return !made.empty();
}

}  // namespace warplens
