#include "app/cli/options.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/declare.h"
#include "app/cli/exit_code.h"
#include "app/cli/timing_options.h"
#include "app/worker/worker_client.h"

namespace warplens {
namespace {

constexpr NumberLimits deadlines{.least = 0.1, .most = 86400, .unit = "seconds", .whole = false};

constexpr NumberLimits workerCounts{.least = 1, .most = 64};
constexpr const char* deviceHelp =
    "which of the GPUs there: its number from 0, or its UUID or the beginning of it "
    "(`warplens doctor` lists them); left out, the first";

void addMeasuringFlags(CLI::App& parser, WorkerOptions& options) {
    parser.add_flag("--no-counters", options.noCounters,
                    "leave the hardware counters alone, others may be using them");
    addNumber(parser, "--deadline", options.deadlineSeconds, deadlines,
              "when a measurement is given up; waiting for others or in a queue is not counted")
        ->default_str("120");
    addTimingOptions(parser, options.timing);
}

}  // namespace

void addWorkerOption(CLI::App& parser, WorkerOptions& options) {
    parser
        .add_option_function<std::string>(
            "--worker", [&options](const std::string& text) { options.places = {text}; },
            "where to measure, as in 'ssh lab-gpu' or 'srun -p gpu --gres=gpu:1', or a shell "
            "command that runs warplens-measure; left out, the one beside this program")
        ->type_name(value::command);
    addText(parser, "--device", options.device, value::device, deviceHelp);
}

void addMeasuringOptions(CLI::App& parser, WorkerOptions& options) {
    addWorkerOption(parser, options);
    addMeasuringFlags(parser, options);
}

void addSharedMeasuringOptions(CLI::App& parser, WorkerOptions& options) {
    parser
        .add_option("--worker", options.places,
                    "where to measure, as in 'ssh lab-gpu' or 'srun -p gpu --gres=gpu:1', or a "
                    "shell command that runs warplens-measure; may be repeated, they share the "
                    "points; left out, the one beside this program")
        ->type_name(value::command)
        ->allow_extra_args(false);
    addNumber(parser, "--workers", options.count, workerCounts,
              "how many at each of these places; with srun, a job each")
        ->default_str("1");
    parser
        .add_option("--device", options.devices,
                    std::string(deviceHelp) + "; may be repeated, a worker for each")
        ->type_name(value::device)
        ->allow_extra_args(false);
    addMeasuringFlags(parser, options);
}

std::chrono::milliseconds WorkerOptions::deadline() const {
    const std::chrono::duration<double> seconds(deadlineSeconds.value_or(120));
    return std::chrono::duration_cast<std::chrono::milliseconds>(seconds);
}

void addScheduleOption(CLI::App& parser, WorkerOptions& options) {
    parser.add_flag(
        "--schedule", options.schedule,
        "also record which SM ran which block, and when; scenarios of group F always do");
}

void refuseMeasuringOptions(const CLI::App& parser, const std::string& only,
                            std::vector<LimitViolation>& violations) {
    refuseIdle(parser,
               {"--worker", "--workers", "--device", "--no-counters", "--deadline", "--schedule",
                "--cache", "--runs"},
               only, violations);
}

std::string workerCommand(const WorkerOptions& options) {
    return options.places.empty() ? defaultWorkerCommand() : options.places.front();
}

void addRecordingsOption(CLI::App& parser, std::optional<std::string>& directory) {
    addText(parser, "--recordings", directory, value::folder,
            "recordings to offer beside the built-in ones");
}

RecordingLibrary libraryFrom(const std::optional<std::string>& directory) {
    if (!directory) return builtInRecordings();
    std::error_code error;
    const std::filesystem::directory_iterator readable(*directory, error);
    if (error) {
        throw InvalidRequest({{"--recordings", "'" + *directory + "'",
                               "a folder that can be read (" + error.message() + ")"}});
    }
    return recordingsWith(*directory);
}

void addJsonFlag(CLI::App& parser, bool& json) {
    parser.add_flag("--json", json, "print one JSON object");
}

}  // namespace warplens
