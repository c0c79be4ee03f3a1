#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/recordings/library.h"
#include "core/measurement/timing.h"
#include "core/scenario/scenario.h"
#include "core/sweep/axis.h"
#include "kernels/library/prepared_launch.h"

namespace CLI {

class App;
class Option;

}  // namespace CLI

/// Options that several commands share: how each is declared and what its text means.

namespace warplens {

/// A launch of a scenario, as typed.
struct ExperimentOptions final {
    std::string scenario;
    std::optional<std::string> grid;
    std::optional<std::string> block;
    std::vector<std::string> set;
    std::optional<std::uint32_t> arrayOffset;
};

/// SCENARIO, --grid, --block and --set.
CLI::Option* addExperimentOptions(CLI::App& parser, ExperimentOptions& options);

/// --array-offset, for the commands to which the addresses of arrays matter.
void addArrayOffsetOption(CLI::App& parser, ExperimentOptions& options);

/// The extents that are typed; nothing, with what is wrong added to `violations`, where they cannot
/// be read.
[[nodiscard]] std::optional<Extents> extentsFrom(const char* name,
                                                 const std::optional<std::string>& text,
                                                 std::vector<LimitViolation>& violations);

/// What is typed after --over. Throws InvalidRequest.
[[nodiscard]] Axis axisFrom(const std::string& text);

/// Adds a violation where the block has no such warp.
void requireWarp(const std::optional<std::uint32_t>& warp, Extents block,
                 std::vector<LimitViolation>& violations);

/// A lesson's id stands for the launch that it is about, what is typed beside it being set over
/// that. Throws InvalidRequest with everything that is wrong, what was typed and what it means.
[[nodiscard]] Experiment experimentFrom(const ExperimentOptions& options);

/// As `experimentFrom`, and the kernel can be run at this size.
[[nodiscard]] Experiment runnableExperimentFrom(const ExperimentOptions& options);

/// Where and how to measure.
struct WorkerOptions final {
    std::vector<std::string> places;     ///< as `--worker` names them; none: this machine
    std::optional<std::size_t> count{};  ///< workers at each place; left out: one
    std::string device{};                ///< which of the devices there; empty: the first
    std::vector<std::string> devices{};  ///< of a sweep: a worker for each; none: the first
    bool noCounters = false;
    bool schedule = false;  ///< beyond the scenarios that are about it
    std::optional<double> deadlineSeconds;
    [[nodiscard]] std::chrono::milliseconds deadline() const;
    TimingRequest timing{};
};

/// --worker and --device.
void addWorkerOption(CLI::App& parser, WorkerOptions& options);

/// --worker, --device, --no-counters, --deadline and how to time (timing_options.h).
void addMeasuringOptions(CLI::App& parser, WorkerOptions& options);

/// --schedule, for the commands that show it of one measurement.
void addScheduleOption(CLI::App& parser, WorkerOptions& options);

/// The same for a sweep: --worker and --device may be repeated, and --workers.
void addSharedMeasuringOptions(CLI::App& parser, WorkerOptions& options);

/// Adds a violation for each option about measuring that was given: each is of use `only` then.
void refuseMeasuringOptions(const CLI::App& parser, const std::string& only,
                            std::vector<LimitViolation>& violations);

/// The place given, or the worker that belongs to this program; empty when there is none.
[[nodiscard]] std::string workerCommand(const WorkerOptions& options);

/// --recordings.
void addRecordingsOption(CLI::App& parser, std::optional<std::string>& directory);

/// Throws InvalidRequest when `directory` is not a directory that can be read.
[[nodiscard]] RecordingLibrary libraryFrom(const std::optional<std::string>& directory);

/// What a block of the experiment asks of an SM: as a recording of its kernel tells, else what the
/// compiler makes of it for `capability`, as in `9.0`; where that is empty none is asked.
[[nodiscard]] StatedDemand demandFrom(const RecordingLibrary& library, const Experiment& experiment,
                                      const std::string& capability);

/// --json, as every command has it.
void addJsonFlag(CLI::App& parser, bool& json);

/// --cache and --runs, as every command that measures has them, straight into the request.
void addTimingOptions(CLI::App& parser, TimingRequest& timing);

}  // namespace warplens
