#include "app/cli/measuring.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>

#include "app/cli/exit_code.h"
#include "app/worker/worker_client.h"
#include "kernels/bodies/predict.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives the first Ctrl-C only sets `interrupted`.
class InterruptNoted final {
  public:
    InterruptNoted() {
        interrupted = 0;
        struct sigaction noted {};
        noted.sa_handler = [](int) { interrupted = 1; };
        noted.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(SIGINT, &noted, &before_);
    }
    InterruptNoted(const InterruptNoted&) = delete;
    InterruptNoted& operator=(const InterruptNoted&) = delete;
    ~InterruptNoted() { ::sigaction(SIGINT, &before_, nullptr); }

  private:
    struct sigaction before_ {};
};

/// One line on the terminal, written over again; nothing where standard error is no terminal.
class ProgressLine final {
  public:
    void show(const Progress& progress) {
        if (!terminal_) return;
        std::fprintf(stderr, "\r\033[K%3d %%  %s", static_cast<int>(progress.fraction * 100),
                     progress.stage.c_str());
        shown_ = true;
    }
    ProgressLine() = default;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }

  private:
    bool terminal_ = ::isatty(STDERR_FILENO) == 1;
    bool shown_ = false;
};

ExitCode exitCodeFor(FailureKind kind) {
    switch (kind) {
        case FailureKind::invalid:
            return ExitCode::invalid;
        case FailureKind::impossible:
            return ExitCode::impossible;
        case FailureKind::wrongResult:
        case FailureKind::cancelled:
        case FailureKind::failed:
            break;
    }
    return ExitCode::failed;
}

constexpr const char* noWorker =
    "cannot measure here: this build has no warplens-measure. It needs the CUDA Toolkit 13 to be "
    "built and an NVIDIA GPU to run; --worker can name one elsewhere, as in "
    "--worker 'ssh lab-gpu warplens-measure'";

}  // namespace

Measurement measureNow(const Experiment& experiment, const WorkerOptions& options) {
    const std::string command = workerCommand(options);
    if (command.empty()) throw CommandFailed(ExitCode::impossible, noWorker);
    const std::chrono::duration<double> deadline(options.deadlineSeconds);
    WorkerClient worker(
        {.command = command,
         .deadline = std::chrono::duration_cast<std::chrono::milliseconds>(deadline)});
    const InterruptNoted noted;
    ProgressLine line;
    const bool schedule = options.schedule || scenarioNamed(experiment.scenario).group == 'F';
    const std::uint64_t request = worker.measure({experiment, !options.noCounters, schedule});
    for (bool cancelled = false;;) {
        std::optional<WorkerEvent> event = worker.wait(100ms);
        if (interrupted != 0 && !cancelled) {
            cancelled = true;
            worker.cancel(request);
        }
        if (!event) continue;
        if (auto* measurement = std::get_if<Measurement>(&event->body)) {
            return std::move(*measurement);
        }
        if (const auto* failure = std::get_if<Failure>(&event->body)) {
            throw CommandFailed(exitCodeFor(failure->kind), failure->message);
        }
        if (const auto* progress = std::get_if<Progress>(&event->body)) line.show(*progress);
    }
}

void addPredictions(Measurement& measurement) {
    Prediction prediction;
    try {
        prediction = predict(measurement.experiment);
    } catch (const TraceFault& fault) {
        measurement.notes.push_back(std::string("not predicted: ") + fault.what());
        return;
    }
    const std::vector<Value>& values = measurement.values;
    for (Value& predicted : prediction.values) {
        if (!findValue(values, predicted.metric, predicted.source, predicted.variant,
                       predicted.subject)) {
            measurement.values.push_back(std::move(predicted));
        }
    }
}

}  // namespace warplens
