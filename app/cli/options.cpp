#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "app/worker/worker_client.h"
#include "core/launch/mapping.h"

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

/// Reads `n=512` into `arguments`.
void readSetting(const std::string& text, Arguments& arguments,
                 std::vector<LimitViolation>& violations) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        violations.push_back({"--set", "'" + text + "'", "name=value as in n=512"});
        return;
    }
    const std::string name = text.substr(0, equals);
    const std::string number = text.substr(equals + 1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc::result_out_of_range) {
        violations.push_back(
            {name, "'" + number + "'", "a whole number of at most " + std::to_string(INT64_MAX)});
    } else if (error != std::errc{} || end != number.data() + number.size()) {
        violations.push_back({name, "'" + number + "'", "a whole number as in " + name + "=512"});
    } else if (arguments.contains(name)) {
        violations.push_back({"--set", "'" + text + "'", "each problem size once"});
    } else {
        arguments.set(name, value);
    }
}

/// A lesson's id stands for the launch that it is about: what is typed beside it is set over that.
Arguments settingsOf(const Experiment& launch, const Arguments& typed) {
    Arguments settings = launch.arguments;
    for (const auto& [name, value] : typed.entries()) settings.set(name, value);
    return settings;
}

/// What is typed, set over the launch of the lesson.
void setOver(const Experiment& launch, ExperimentRequest& request) {
    const bool sameProblem = !request.block && request.set.entries().empty();
    request.scenario = launch.scenario;
    request.set = settingsOf(launch, request.set);
    if (!request.grid && (sameProblem || coveringGrid(launch) != launch.launch.grid)) {
        request.grid = launch.launch.grid;
    }
    if (!request.block) request.block = launch.launch.block;
    if (request.arrayOffset == 0) request.arrayOffset = launch.arrayOffset;
}

constexpr std::array<std::string_view, 2> caches{"warm", "cold"};
constexpr NumberLimits runLimits{.least = fewestTimedRuns, .most = mostTimedRuns};

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
    addText(parser, "--worker", options.places, value::command,
            "where to measure, as in 'ssh lab-gpu' or 'srun -p gpu --gres=gpu:1', or a "
            "shell command that runs warplens-measure; may be repeated, they share the "
            "points; left out, the one beside this program");
    addNumber(parser, "--workers", options.count, workerCounts,
              "how many at each of these places; with srun, a job each")
        ->default_str("1");
    addText(parser, "--device", options.devices, value::device,
            std::string(deviceHelp) + "; may be repeated, a worker for each");
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

StatedDemand demandFrom(const RecordingLibrary& library, const Experiment& experiment,
                        const std::string& capability) {
    const Measurement* const told = tellingResources(experiment, measurementsIn(library));
    StatedDemand demand = demandOf(experiment, told);
    if (told == nullptr && !capability.empty()) {
        const Kernel& kernel = kernelOf(experiment);
        demand.take(compileHere(
            compileRequestFor(kernel, kernel.instance(experiment.arguments), capability)));
    }
    return demand;
}

void addJsonFlag(CLI::App& parser, bool& json) {
    parser.add_flag("--json", json, "print one JSON object");
}

CLI::Option* addExperimentOptions(CLI::App& parser, ExperimentOptions& options) {
    CLI::Option* scenario =
        addText(parser, "SCENARIO", options.scenario, value::scenario,
                "which one, `warplens list` shows them; or a lesson, for the launch it is about");
    addText(
        parser, "--grid", options.grid, value::extents,
        "blocks along x, y and z, as in 32,32 or 32x32; up to 2147483647,65535,65535; left out, "
        "as many as cover the problem; of a .cu file the program's, with --block as many as have "
        "as "
        "many threads");
    addText(
        parser, "--block", options.block, value::extents,
        "threads of a block along x, y and z, as in 16,16 or 16x16; up to 1024,1024,64 and 1024 "
        "in all; left out, the scenario's own");
    addText(parser, "--set", options.set, value::setting,
            "a problem size, a whole number, as in n=512; `warplens list --json` gives the "
            "names and limits; may be repeated");
    return scenario;
}

void addArrayOffsetOption(CLI::App& parser, ExperimentOptions& options) {
    addNumber(parser, "--array-offset", options.arrayOffset,
              {.least = 0, .most = mostArrayOffset, .unit = "elements"},
              "by how much the arrays start after a multiple of 256 bytes");
}

std::optional<Extents> extentsFrom(const char* name, const std::optional<std::string>& text,
                                   std::vector<LimitViolation>& violations) {
    if (!text) return std::nullopt;
    auto parsed = parseExtents(name, *text);
    if (const Extents* extents = std::get_if<Extents>(&parsed)) return *extents;
    violations.push_back(std::get<LimitViolation>(std::move(parsed)));
    return std::nullopt;
}

Axis axisFrom(const std::string& text) {
    auto axis = parseAxis("--over", text);
    if (auto* violation = std::get_if<LimitViolation>(&axis)) {
        throw InvalidRequest({std::move(*violation)});
    }
    return std::get<Axis>(std::move(axis));
}

void requireWarp(const std::optional<std::uint32_t>& warp, Extents block,
                 std::vector<LimitViolation>& violations) {
    const std::uint32_t count = warpCountPerBlock(block);
    if (!warp || *warp < count) return;
    violations.push_back({"--warp", std::to_string(*warp),
                          "at most " + std::to_string(count - 1) + ", the block's last"});
}

Experiment experimentFrom(const ExperimentOptions& options) {
    std::vector<LimitViolation> violations;
    ExperimentRequest request{.scenario = options.scenario, .grid = {}, .block = {}, .set = {}};
    request.grid = extentsFrom("grid", options.grid, violations);
    request.block = extentsFrom("block", options.block, violations);
    for (const std::string& setting : options.set) readSetting(setting, request.set, violations);
    request.arrayOffset = options.arrayOffset.value_or(0);
    const Lesson* const lesson =
        findScenario(options.scenario) == nullptr ? findLesson(options.scenario) : nullptr;
    if (lesson != nullptr) setOver(lesson->here(), request);
    Experiment experiment;
    collect(violations, [&] { experiment = complete(request); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiment;
}

Experiment runnableExperimentFrom(const ExperimentOptions& options) {
    Experiment experiment = experimentFrom(options);
    std::vector<LimitViolation> violations = validateRun(experiment);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiment;
}

void addTimingOptions(CLI::App& parser, TimingRequest& timing) {
    parser
        .add_option_function<std::string>(
            "--cache",
            [&timing](const std::string& text) {
                const auto cache = fromString<CacheBefore>(text);
                if (!cache)
                    throw InvalidRequest({{"--cache", "'" + text + "'", "one of warm cold"}});
                timing.cache = *cache;
            },
            "what a timed run finds in the L2: what the run before left, or other data, read "
            "between the runs and outside of their time")
        ->type_name(choiceOf(caches))
        ->default_str("warm");
    addNumber(parser, "--runs", timing.runs, runLimits,
              "timed runs; left out, 200, fewer of a kernel that takes over 0.1 ms");
}

}  // namespace warplens
