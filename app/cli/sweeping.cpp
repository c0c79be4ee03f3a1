#include "app/cli/sweeping.h"

#include <optional>
#include <thread>

#include "app/cli/interrupt.h"
#include "app/cli/measuring.h"
#include "app/cli/progress_line.h"
#include "kernels/bodies/predict.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

/// Lane accesses up to which a point is traced whole: a fraction of a second for each.
constexpr std::uint64_t tracedForPoint = 20'000'000;

constexpr std::size_t mostProblemsTold = 5;

std::string stageOf(const Sweep& sweep, std::size_t point, const std::string& stage) {
    return "point " + std::to_string(point + 1) + " of " + std::to_string(sweep.points.size()) +
           ", " + placeOn(sweep.plan.axis, sweep.points[point].experiment) + ": " + stage;
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

class SweepMeasuring final {
  public:
    SweepMeasuring(Sweep& sweep, const WorkerOptions& options)
        : sweep_(sweep), options_(options), worker_(clientOptions(options)) {}

    SweepEnd run(const std::function<void()>& kept) {
        while (const auto point = sweep_.nextToMeasure()) {
            const bool goesOn = measure(*point);
            if (kept) kept();
            if (!goesOn || end_.code != ExitCode::done) break;
        }
        line_.clear();
        tellBanner(worker_);
        tellFailures();
        return std::move(end_);
    }

  private:
    /// False when the sweep is over.
    bool measure(std::size_t index) {
        SweepPoint& point = sweep_.points[index];
        const std::uint64_t request = worker_.measure({.experiment = point.experiment,
                                                       .counters = !options_.noCounters,
                                                       .timing = options_.timing});
        const auto total = static_cast<double>(sweep_.points.size());
        line_.show(static_cast<double>(index) / total, stageOf(sweep_, index, "starting"));
        for (bool cancelled = false;;) {
            std::optional<WorkerEvent> event = worker_.wait(100ms);
            if (InterruptNoted::happened() && !cancelled) {
                cancelled = true;
                worker_.cancel(request);
            }
            if (!event) continue;
            if (const auto* progress = std::get_if<Progress>(&event->body)) {
                line_.show((static_cast<double>(index) + progress->fraction) / total,
                           stageOf(sweep_, index, progress->stage));
            } else if (auto* measurement = std::get_if<Measurement>(&event->body)) {
                return take(point, std::move(*measurement)) && !cancelled;
            } else if (const auto* failure = std::get_if<Failure>(&event->body)) {
                return note(index, *failure);
            }
        }
    }

    bool take(SweepPoint& point, Measurement measurement) {
        if (const std::string reason = misfit(sweep_, measurement); !reason.empty()) {
            end(ExitCode::failed, reason);
            return false;
        }
        point.measured = std::move(measurement);
        if (InterruptNoted::happened() && sweep_.nextToMeasure()) endCancelled();
        return true;
    }

    bool note(std::size_t index, const Failure& failure) {
        if (noteFailure(sweep_, index, failure) == AfterFailure::goOn) return true;
        if (failure.kind == FailureKind::cancelled) {
            endCancelled();
        } else if (failure.kind == FailureKind::impossible) {
            end(ExitCode::impossible, failure.message);
        } else {
            end(ExitCode::failed, "given up: two workers in a row were lost");
        }
        return false;
    }

    void endCancelled() {
        end(exitCodeForSignal(InterruptNoted::signal()),
            "cancelled: " + std::to_string(sweep_.measuredCount()) + " of " +
                std::to_string(sweep_.points.size()) + " points measured");
    }

    void end(ExitCode code, std::string problem) {
        end_.code = code;
        end_.problems.push_back(std::move(problem));
    }

    void tellFailures() {
        const std::size_t failed = sweep_.failedCount();
        if (failed == 0) return;
        if (end_.code == ExitCode::done) end_.code = ExitCode::failed;
        std::size_t told = 0;
        for (const SweepPoint& point : sweep_.points) {
            const auto* failure = std::get_if<Failure>(&point.measured);
            if (failure == nullptr || told++ >= mostProblemsTold) continue;
            end_.problems.push_back("not measured: " + placeOn(sweep_.plan.axis, point.experiment) +
                                    ": " + failure->message);
        }
        if (failed > mostProblemsTold) {
            end_.problems.push_back("and " + std::to_string(failed - mostProblemsTold) +
                                    " more points that failed");
        }
    }

    Sweep& sweep_;
    const WorkerOptions& options_;
    WorkerClient worker_;
    ProgressLine line_{"starting the worker"};
    SweepEnd end_;
};

}  // namespace

bool predictPoints(Sweep& sweep, const std::function<void()>& kept) {
    const StopOnInterrupt stop;
    ProgressLine line("predicting");
    while (const auto index = sweep.nextToPredict()) {
        SweepPoint& point = sweep.points[*index];
        line.show(static_cast<double>(*index) / static_cast<double>(sweep.points.size()),
                  stageOf(sweep, *index, "predicting"));
        try {
            point.predicted = toPoint(predict(
                point.experiment,
                {.exactUpTo = tracedForPoint, .threads = 0, .stop = stop.token(), .progress = {}}));
        } catch (const PredictionStopped&) {
            return false;
        } catch (const std::exception& error) {
            point.predicted = NotPredicted{error.what()};
        }
        if (kept) kept();
        if (InterruptNoted::happened()) return false;
    }
    return true;
}

SweepEnd measurePoints(Sweep& sweep, const WorkerOptions& options,
                       const std::function<void()>& kept) {
    return SweepMeasuring(sweep, options).run(kept);
}

}  // namespace warplens
