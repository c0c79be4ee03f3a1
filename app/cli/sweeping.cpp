#include "app/cli/sweeping.h"

#include <memory>
#include <optional>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/measuring.h"
#include "app/cli/predicting.h"
#include "app/cli/progress_line.h"
#include "core/sweep/share.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mostProblemsTold = 5;

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

}  // namespace

SweepEnd measurePoints(Sweep& sweep, const WorkerOptions& options,
                       const std::function<void()>& kept) {
    return SweepMeasuring(sweep, options).run(kept);
}

}  // namespace warplens
