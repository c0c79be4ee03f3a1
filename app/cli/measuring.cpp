#include "app/cli/measuring.h"

#include "app/cli/output.h"
#include "app/cli/progress.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr const char* noWorker =
    "cannot measure here: this build has no warplens-measure. It needs the CUDA Toolkit 13 to be "
    "built and an NVIDIA GPU to run; --worker can name one elsewhere, as in "
    "--worker 'ssh lab-gpu warplens-measure'";

constexpr const char* namedNone =
    "cannot measure here: --worker is empty; it is the shell command of a worker, as in "
    "--worker 'ssh lab-gpu warplens-measure'";

/// Waits for the result of what `ask` asks.
template <class Result, class Ask>
Result resultOf(WorkerClient& worker, Ask ask) {
    const InterruptNoted noted;
    ProgressLine line("starting the worker");
    const std::uint64_t request = ask();
    for (bool cancelled = false;;) {
        std::optional<WorkerEvent> event = worker.wait(100ms);
        if (InterruptNoted::happened() && !cancelled) {
            cancelled = true;
            worker.cancel(request);
        }
        if (!event) continue;
        if (auto* result = std::get_if<Result>(&event->body)) {
            line.clear();
            tellBanner(worker);
            return std::move(*result);
        }
        if (const auto* failure = std::get_if<Failure>(&event->body)) {
            line.clear();
            if (failure->kind == FailureKind::cancelled) endIfInterrupted(failure->message);
            throw CommandFailed(exitCodeFor(failure->kind), failure->message);
        }
        if (const auto* progress = std::get_if<Progress>(&event->body)) {
            line.show(progress->fraction, progress->stage);
        }
    }
}

}  // namespace

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

WorkerClient::Options clientOptions(const WorkerOptions& options) {
    const std::string command = workerCommand(options);
    if (command.empty()) {
        throw CommandFailed(ExitCode::impossible, options.places.empty() ? noWorker : namedNone);
    }
    return {.command = command, .deadline = options.deadline(), .device = options.device};
}

std::vector<WorkerClient::Options> sharedOptions(const WorkerOptions& options) {
    std::vector<std::string> places = options.places;
    if (places.empty()) places = {workerCommand(options)};
    std::vector<std::string> devices = options.devices;
    if (devices.empty()) devices = {options.device};
    std::vector<WorkerClient::Options> all;
    for (const std::string& place : places) {
        for (const std::string& device : devices) {
            WorkerOptions one = options;
            one.places = options.places.empty() ? options.places : std::vector{place};
            one.device = device;
            all.insert(all.end(), options.count.value_or(1), clientOptions(one));
        }
    }
    return all;
}

std::string nameOf(const WorkerClient::Options& options) {
    return (options.command == defaultWorkerCommand() ? "this machine" : options.command) +
           (options.device.empty() ? "" : ", device " + options.device);
}

Measurement measureNow(const Experiment& experiment, const WorkerOptions& options) {
    WorkerClient worker(clientOptions(options));
    const bool schedule = options.schedule || scenarioNamed(experiment.scenario).group == 'F';
    return resultOf<Measurement>(worker, [&] {
        return worker.measure({.experiment = experiment,
                               .counters = !options.noCounters,
                               .schedule = schedule,
                               .timing = options.timing});
    });
}

std::string capabilityOf(WorkerClient& worker) {
    const auto said = resultOf<Description>(worker, [&] { return worker.describe(true); });
    if (said.devices.empty()) throw CommandFailed(ExitCode::impossible, said.deviceReason);
    return said.devices.front().computeCapability;
}

ProgramMeasurement measureNow(WorkerClient& worker, MeasureProgramRequest request) {
    return resultOf<ProgramMeasurement>(worker,
                                        [&] { return worker.measureProgram(std::move(request)); });
}

void tellBanner(const WorkerClient& worker) {
    if (worker.banner().empty()) return;
    complain("skipped what came before the worker spoke: '" + worker.banner() + "'");
}

LaunchReport predictShowing(const Experiment& experiment, PredictOptions how) {
    ProgressLine line("tracing");
    how.progress = [&](double fraction) { line.show(fraction); };
    return predict(experiment, how);
}

void addPredictions(Measurement& measurement) {
    LaunchReport prediction;
    try {
        prediction = predictShowing(measurement.experiment);
    } catch (const TraceFault& fault) {
        measurement.notes.push_back(std::string("not predicted: ") + fault.what());
        return;
    }
    if (!prediction.exact) measurement.notes.push_back("predicted, " + howPredicted(prediction));
    const std::vector<Value>& values = measurement.values;
    for (Value& predicted : prediction.values) {
        if (!findValue(values, predicted.metric, predicted.source, predicted.variant,
                       predicted.subject)) {
            measurement.values.push_back(std::move(predicted));
        }
    }
}

}  // namespace warplens
