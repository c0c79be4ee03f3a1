#include <memory>

#include "app/cli/kept_measurement.h"
#include "app/cli/occupancy_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/subcommand.h"
#include "app/cli/value_report.h"
#include "app/figure/subject.h"
#include "app/worker/worker_client.h"
#include "kernels/programs/measure_request.h"

namespace warplens {
namespace {

constexpr Extents assumedBlock{256};

struct OccupancyOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    std::string measured;  ///< of the program
    std::optional<std::string> recordings;
    std::optional<std::uint32_t> registers;
    std::optional<std::uint64_t> shared;
    std::optional<std::uint32_t> carveout;
    std::optional<std::string> capability;
    TableOptions table;
    bool json = false;
};

/// Whether it is of use what a kernel is compiled to.
bool asksCompiler(const OccupancyOptions& options) {
    return !options.registers || !options.shared;
}

std::string capabilityFor(const OccupancyOptions& options) {
    return options.capability.value_or(toString(assumedCapability));
}

/// Of a launch of a person's program: what it was compiled to where it was measured, else what
/// the compiler of this machine makes of it, or its trace tells.
OccupancyQuestion questionOfProgram(const OccupancyOptions& options) {
    const TraceRequest request = traceRequestFrom(options.experiment, options.program);
    const auto kept = measuredFrom(options.measured, request);
    const TracedProgram traced = tracedShowing(request);
    const ProgramTrace& trace = traced.trace;
    const ProgramLaunch& launch = launchSpokenOf(trace);
    const ProgramMeasurement* const measured = measurementIn(kept.get(), launch);
    const figure::Subject subject = figure::subjectOf(
        launch, trace.program, measured == nullptr ? stepsOf(request, launch) : nullptr, measured);
    const std::string compiled = measured == nullptr
                                     ? std::string()
                                     : "as compiled for " + measured->device.computeCapability +
                                           ", measured on " + measured->device.name;
    StatedDemand demand{.block = subject.demand.value(),
                        .registersFrom = compiled.empty() ? "assumed" : compiled,
                        .sharedFrom = compiled.empty() ? "what the traced block uses" : compiled};
    if (measured == nullptr && asksCompiler(options)) {
        demand.take(compileHere(compileRequestFor(request, traced.hasMain, sourcesOf(request),
                                                  launch.instance, capabilityFor(options))));
    }
    return {.title = launch.kernel + ' ' + toLaunchSyntax(launch.launch),
            .block = launch.launch.block,
            .demand = std::move(demand),
            .gridBlocks = launch.launch.grid.count()};
}

/// A block of no kernel: threads alone.
OccupancyQuestion questionAbout(Extents block) {
    return {.title = "",
            .block = block,
            .demand = {.block = {.threads = block.count(), .registersPerThread = assumedRegisters},
                       .registersFrom = "assumed",
                       .sharedFrom = "none asked for"}};
}

OccupancyQuestion questionFrom(const OccupancyOptions& options, const LaunchLimits& limits,
                               std::vector<LimitViolation> violations) {
    if (isProgramPath(options.experiment.scenario)) {
        if (!violations.empty()) throw InvalidRequest(std::move(violations));
        return questionOfProgram(options);
    }
    if (!options.experiment.scenario.empty()) {
        const Experiment experiment = runnableExperimentFrom(options.experiment);
        const RecordingLibrary library = libraryFrom(options.recordings);
        std::vector<const Measurement*> measurements;
        for (const Recording& recording : library.recordings) {
            measurements.push_back(&recording.measurement);
        }
        const Measurement* const told = tellingResources(experiment, measurements);
        StatedDemand demand = demandOf(experiment, told);
        if (told == nullptr && asksCompiler(options)) {
            const Kernel& kernel = kernelOf(experiment);
            demand.take(compileHere(compileRequestFor(kernel, kernel.instance(experiment.arguments),
                                                      capabilityFor(options))));
        }
        return {.title = titleOf(experiment),
                .block = experiment.launch.block,
                .demand = std::move(demand),
                .gridBlocks = experiment.launch.grid.count()};
    }
    Extents block = assumedBlock;
    if (const auto typed = extentsFrom("block", options.experiment.block, violations)) {
        block = *typed;
        for (LimitViolation& violation : validate({.grid = {}, .block = block}, limits)) {
            violations.push_back(std::move(violation));
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return questionAbout(block);
}

void applyTo(BlockDemand& block, StatedDemand& stated, const OccupancyOptions& options,
             const SmLimits* limits) {
    std::vector<LimitViolation> violations;
    if (options.registers) {
        block.registersPerThread = *options.registers;
        stated.registersFrom = "as asked";
        stated.unknown.clear();
    }
    if (options.shared) {
        block.staticSharedBytes = 0;
        block.dynamicSharedBytes = *options.shared;
        stated.sharedFrom = "as asked";
    }
    if (options.carveout) {
        block.carveoutPercent = *options.carveout;
        if (limits != nullptr && limits->sharedSizes.empty()) {
            violations.push_back(
                {"carveout", std::to_string(*options.carveout),
                 "only from compute capability 7.0 on, not on " + toString(limits->capability)});
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

ExitCode run(const OccupancyOptions& options, std::vector<LimitViolation> idle) {
    const SmLimits* const limits =
        options.capability ? &smLimitsNamed(*options.capability) : nullptr;
    OccupancyQuestion question = questionFrom(
        options, limits != nullptr ? launchLimitsOf(*limits) : LaunchLimits{}, std::move(idle));
    applyTo(question.demand.block, question.demand, options, limits);
    if (limits != nullptr) {
        std::vector<LimitViolation> refusals = refusalsOf(*limits, question.demand.block);
        if (!refusals.empty()) throw InvalidRequest(std::move(refusals));
    }
    const std::span<const SmLimits> asked =
        limits != nullptr ? std::span(limits, 1) : allSmLimits();
    if (options.json) {
        printJson(question, asked);
    } else if (options.table.asked()) {
        printTable(rowsOf(question, asked), options.table.csv);
    } else {
        print(limits != nullptr ? reportOf(question, *limits) : tableOf(question, asked));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addOccupancyCommand(CLI::App& program) {
    const auto options = std::make_shared<OccupancyOptions>();
    CLI::App* parser = program.add_subcommand(
        "occupancy", "how many blocks an SM holds at once, and what keeps it from more");
    addExperimentOptions(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    addMeasuredOption(*parser, options->measured);
    addNumber(*parser, "--registers", options->registers, {.least = 0, .most = 65536},
              "registers of each thread; left out, as recorded of the scenario, or as NVRTC "
              "compiles it, or else 32 is assumed");
    addNumber(*parser, "--shared", options->shared,
              {.least = 0, .most = UINT32_MAX, .unit = "bytes"},
              "shared memory of each block, static and dynamic together; left out, the scenario's");
    addNumber(*parser, "--carveout", options->carveout,
              {.least = 0, .most = 100, .unit = "percent"},
              "share of the SM's memory to keep as shared memory, the rest being L1");
    addText(*parser, "--cc", options->capability, value::capability,
            "compute capability, as in 9.0; left out, all");
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    addProgramOptions(*parser, options->program);
    return {
        parser,
        [options, parser] {
            const auto answer = [&](std::vector<LimitViolation> idle) {
                if (options->experiment.scenario.empty()) {
                    refuseIdle(*parser, {"--grid", "--set", "--recordings"}, "with SCENARIO", idle);
                }
                return run(*options, std::move(idle));
            };
            return runSubject(*parser, options->experiment.scenario, options->program,
                              {.ofScenarios = {"--recordings"},
                               .scenario = [&] { return answer({}); },
                               .program = answer});
        },
        &options->program.arguments};
}

}  // namespace warplens
