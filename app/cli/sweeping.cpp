#include "app/cli/sweeping.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/drawing/plot_sweep.h"
#include "core/measurement/measurement.h"
#include "core/sweep/share.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

/// Throws PredictionStopped.
PointPrediction predicted(const Experiment& experiment, std::stop_token stop) {
    try {
        return toPoint(predict(experiment, {.stop = std::move(stop)}));
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

/// `point 3 of 64, stride = 3: timing`.
std::string stageOf(const Sweep& sweep, std::size_t point, const std::string& stage) {
    return "point " + std::to_string(point + 1) + " of " + std::to_string(sweep.points.size()) +
           ", " + placeOn(sweep.plan.axis, sweep.points[point].experiment) + ": " + stage;
}

constexpr std::size_t mostProblemsTold = 5;

/// Traces the points of which nothing is predicted yet on a thread of its own, in order, while they
/// are measured elsewhere. Ends what it is at when it goes: predictPoints does the rest.
class PredictionsAhead final {
  public:
    explicit PredictionsAhead(const Sweep& sweep) {
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
    /// What was predicted since the last call, into the points of the sweep it was made of; true
    /// where there was something.
    bool takeInto(Sweep& sweep) {
        std::vector<std::pair<std::size_t, PointPrediction>> made;
        {
            const std::lock_guard lock(mutex_);
            made.swap(made_);
        }
        for (auto& [index, prediction] : made)
            sweep.points[index].predicted = std::move(prediction);
        return !made.empty();
    }

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::size_t, PointPrediction>> made_;
    std::jthread thread_;
};

/// Measures a sweep with one worker or several, each with a point of its own at a time.
class SweepMeasuring final {
  public:
    SweepMeasuring(Sweep& sweep, const WorkerOptions& options)
        : sweep_(sweep), options_(options), share_(start(sharedOptions(options))) {}

    SweepEnd run(const std::function<void()>& kept) {
        PredictionsAhead ahead(sweep_);
        handOut();
        while (!share_.isOver(sweep_)) {
            bool changed = listen();
            changed |= ahead.takeInto(sweep_);
            // No worker waits while the file is written.
            handOut();
            if (changed && kept) kept();
            if (InterruptNoted::happened()) cancel();
        }
        line_.clear();
        for (const Worker& worker : workers_) tellBanner(*worker.client);
        sayHowItEnded();
        return std::move(end_);
    }

  private:
    struct Worker final {
        std::unique_ptr<WorkerClient> client;
        std::uint64_t request = 0;  ///< 0 for none
        std::size_t point = 0;
    };

    std::vector<std::string> start(const std::vector<WorkerClient::Options>& all) {
        std::vector<std::string> names;
        for (const WorkerClient::Options& one : all) {
            workers_.push_back({std::make_unique<WorkerClient>(one)});
            names.push_back(nameOf(one));
        }
        // Which of several is told where their place does not tell them apart.
        for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i) {
            names[i] = "worker " + std::to_string(i + 1) + " (" + names[i] + ")";
        }
        return names;
    }

    void handOut() {
        for (std::size_t i = 0; i < workers_.size() && !cancelled_; ++i) {
            if (workers_[i].request != 0) continue;
            const auto point = share_.next(sweep_, i);
            if (!point) continue;
            workers_[i].point = *point;
            workers_[i].request =
                workers_[i].client->measure({.experiment = sweep_.points[*point].experiment,
                                             .counters = !options_.noCounters,
                                             .timing = options_.timing});
            show(i, 0, "starting");
        }
    }

    /// True where the sweep has changed.
    bool listen() {
        // Only one can be waited for; the others are looked at in between.
        const auto patience = workers_.size() == 1 ? 100ms : 2ms;
        bool changed = false;
        bool heard = false;
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            if (workers_[i].request == 0) continue;
            const auto first = workers_[i].client->wait(heard ? 0ms : patience);
            if (!first) continue;
            heard = true;
            changed |= take(i, *first);
            for (WorkerEvent& event : workers_[i].client->poll()) changed |= take(i, event);
        }
        return changed;
    }

    bool take(std::size_t worker, const WorkerEvent& event) {
        if (event.id != workers_[worker].request) return false;
        if (const auto* progress = std::get_if<Progress>(&event.body)) {
            show(worker, progress->fraction, progress->stage);
            return false;
        }
        workers_[worker].request = 0;
        if (const auto* measurement = std::get_if<Measurement>(&event.body)) {
            return share_.take(sweep_, worker, *measurement);
        }
        const auto* failure = std::get_if<Failure>(&event.body);
        return failure != nullptr && share_.take(sweep_, worker, *failure);
    }

    void cancel() {
        if (std::exchange(cancelled_, true)) return;
        share_.stop();
        for (const Worker& worker : workers_) {
            if (worker.request != 0) worker.client->cancel(worker.request);
        }
    }

    void show(std::size_t worker, double fraction, const std::string& stage) {
        const auto total = static_cast<double>(sweep_.points.size());
        const std::size_t known = sweep_.measuredCount() + sweep_.failedCount();
        line_.show((static_cast<double>(known) + fraction) / total,
                   stageOf(sweep_, workers_[worker].point, stage));
    }

    void sayHowItEnded() {
        const bool open = sweep_.nextToMeasure().has_value();
        const bool several = workers_.size() > 1;
        if (several) {
            for (const std::string& problem : share_.problems()) end_.problems.push_back(problem);
        }
        if (open && (cancelled_ || InterruptNoted::happened())) {
            end(exitCodeForSignal(InterruptNoted::signal()),
                "cancelled: " + std::to_string(sweep_.measuredCount()) + " of " +
                    std::to_string(sweep_.points.size()) + " points measured");
        } else if (open && share_.impossible() && share_.workersLeft() == 0) {
            end(ExitCode::impossible, share_.impossible()->message);
        } else if (open) {
            const bool unfit = !several && !share_.incompatibility().empty();
            end(ExitCode::failed, unfit     ? share_.incompatibility()
                                  : several ? "given up: no worker is left"
                                            : "given up: two workers in a row were lost");
        }
        tellFailures();
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
    std::vector<Worker> workers_;
    SweepShare share_;
    ProgressLine line_{"starting the worker"};
    SweepEnd end_;
    bool cancelled_ = false;
};

using Row = std::vector<std::string>;

/// `5`, or `16,16` of a block.
std::string valueOf(const Axis& axis, const Experiment& experiment) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&axis)) {
        return std::to_string(valueOn(*argument, experiment));
    }
    return toString(experiment.launch.block);
}

std::string tableOf(const Sweep& sweep, const Quantity& quantity) {
    const std::vector<Series> all = seriesOf(sweep, quantity);
    std::vector<Row> rows{{nameOf(sweep.plan.axis)}};
    for (const Series& series : all) rows.front().push_back(nameOf(series));
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        Row row{valueOf(sweep.plan.axis, sweep.points[i].experiment)};
        for (const Series& series : all) {
            const auto reading = std::ranges::find(series.readings, i, &Series::Reading::point);
            row.push_back(reading == series.readings.end()
                              ? "-"
                              : formatNumber(reading->number, quantity.unit()));
        }
        rows.push_back(std::move(row));
    }
    return std::string(quantity.title) + '\n' + toTable(rows, "  ");
}

}  // namespace

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

SweepEnd measurePoints(Sweep& sweep, const WorkerOptions& options,
                       const std::function<void()>& kept) {
    return SweepMeasuring(sweep, options).run(kept);
}

std::string reportOf(const Sweep& sweep, const std::vector<Quantity>& quantities, bool recorded) {
    std::string text = sweep.plan.base.scenario + "  over " + toString(sweep.plan.axis) + "  (" +
                       std::to_string(sweep.points.size()) + " points)\n";
    for (const Quantity& quantity : quantities) text += '\n' + tableOf(sweep, quantity);
    return text + '\n' + joined(drawing::provenanceOf(sweep, recorded, quantities), "\n") + '\n';
}

}  // namespace warplens
