#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/json/json.h"
#include "core/measurement/measurement.h"
#include "core/measurement/recording.h"
#include "core/program/line_costs.h"
#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"
#include "core/sweep/quantity.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/trace_program.h"

namespace warplens {
namespace {

// What was measured of a person's program, as text for people.

using ProgramTable = std::vector<std::vector<std::string>>;

std::string compared(AccessKind kind, const std::optional<LineCost>& counts) {
    if (!counts) return "-";
    return groupedDigits(counts->requests) + " / " + groupedDigits(unitsOf(kind, *counts));
}

std::string tableOfLines(const LaunchReport& predicted, const ProgramMeasurement& measured) {
    ProgramTable rows{{"line", "kind", "requests /", "predicted", "compiled", "counted"}};
    for (const LineComparison& line : compareLines(predicted.lines, measured.lines)) {
        rows.push_back({(line.file.empty() ? "?" : line.file) + ':' + std::to_string(line.line),
                        std::string(nameOf(line.kind)), std::string(unitOf(line.kind)),
                        compared(line.kind, line.counts[0]), compared(line.kind, line.counts[1]),
                        compared(line.kind, line.counts[2])});
    }
    return toTable(rows, "  ");
}

std::string wordsOf(const LineDifference& difference) {
    std::string words = "  " + difference.file + ':' + std::to_string(difference.line) + ' ' +
                        std::string(nameOf(difference.kind)) + ", " +
                        std::string(toString(difference.cause)) + ": " + difference.words + '\n';
    if (!difference.intervention.empty()) words += "      " + difference.intervention + '\n';
    return words;
}

/// One launch: how the results compare, time and resources, a row for each line and kind with the
/// three sources side by side, and where they differ the cause.
std::string reportOf(const LaunchReport& predicted, const ProgramMeasurement& measured) {
    std::string text = "launch " + std::to_string(predicted.index) + ": " + predicted.kernel +
                       toLaunchSyntax(measured.launch) + " on " + measured.device.name + ", " +
                       measured.compiler + '\n';
    for (const ArrayCheck& check : measured.checks) text += "  " + inWords(check) + '\n';
    text += "  time " + formatNumber(measured.timing.medianSeconds, Unit::seconds) + " (" +
            std::string(inWords(measured.timing.from)) + ", " +
            std::to_string(measured.timing.runs) + " runs, " + measured.timing.cacheState + ")\n";
    text += "  " + std::to_string(measured.resources.registersPerThread) + " registers a thread, " +
            formatBytes(measured.resources.staticSharedBytes) + " of shared memory a block, " +
            formatBytes(measured.resources.localBytesPerThread) + " of local memory a thread\n";
    text += tableOfLines(predicted, measured);
    if (!measured.linesReason.empty())
        text += "  not counted by line: " + measured.linesReason + '\n';
    if (measured.comparedLines != 0) {
        text += "  " + groupedDigits(measured.comparedLines) + " numbers compared, " +
                groupedDigits(measured.differences.size()) + " differ\n";
    }
    for (const LineDifference& difference : measured.differences) text += wordsOf(difference);
    for (const std::string& note : measured.notes) text += "  note: " + note + '\n';
    return text;
}

struct MeasureOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    WorkerOptions worker;
    std::optional<std::string> recordings;
    std::optional<std::string> save;
    bool noPredict = false;
    bool force = false;
    bool json = false;
    TableOptions table;
};

/// Its inputs come with a trace of its own.
ProgramMeasurement measuredNow(WorkerClient& worker, const TraceRequest& request,
                               const ProgramSources& sources, const LaunchReport& launch,
                               const std::string& capability, const WorkerOptions& options) {
    try {
        MeasureProgramRequest measure =
            measureRequestFor(request, sources, launch.index, capability);
        measure.counters = !options.noCounters;
        measure.timing = options.timing;
        return measureNow(worker, std::move(measure));
    } catch (const NotMeasurable& why) {
        throw CommandFailed(ExitCode::failed, why.what());
    }
}

/// `measure FILE.cu`: runs the program on the host with its launches traced, then each of them that
/// the options choose on the device, with the program's own inputs, and prints what came of it.
/// Throws as traceProgram, and CommandFailed where there is no worker or no GPU.
ExitCode runProgram(const MeasureOptions& options, std::vector<LimitViolation> idle) {
    if (!idle.empty()) throw InvalidRequest(std::move(idle));
    const TraceRequest request = traceRequestFrom(options.experiment, options.program);
    if (options.save) requireNothingLost("--save", *options.save, options.force);
    const ProgramSources sources = sourcesOf(request);
    WorkerClient worker(
        clientOptions(options.worker));  // before anything is run: there may be none
    TracedProgram traced = tracedShowing(request);
    const std::string capability = capabilityOf(worker);
    MeasuredProgram program{.program = traced.trace.program,
                            .digest = programDigest(request, sources),
                            .notes = std::move(traced.trace.notes)};
    std::string text;
    for (LaunchReport& launch : traced.trace.launches) {
        if (!launch.traced) continue;
        ProgramMeasurement measured =
            measuredNow(worker, request, sources, launch, capability, options.worker);
        text += reportOf(launch, measured) + '\n';
        program.launches.push_back({std::move(launch), std::move(measured)});
    }
    if (program.launches.empty()) {
        throw CommandFailed(ExitCode::failed, program.program + ": no launch to measure");
    }
    const std::string document = toDocument(Document::programMeasurement, program) + '\n';
    print(options.json ? document : text);
    if (options.save) {
        writeFileAtomically(*options.save, document);
        complain("kept in " + *options.save);
    }
    return ExitCode::done;
}

Measurement measured(const Experiment& experiment, const MeasureOptions& options) {
    try {
        return measureNow(experiment, options.worker);
    } catch (const CommandFailed& failure) {
        if (failure.code() != ExitCode::impossible) throw;
        throw CommandFailed(
            ExitCode::impossible,
            failure.what() +
                ('\n' + recordingChoices(libraryFrom(options.recordings), experiment.scenario)));
    }
}

ExitCode run(const MeasureOptions& options) {
    const Experiment experiment = runnableExperimentFrom(options.experiment);
    if (options.save) requireNothingLost("--save", *options.save, options.force);
    const InterruptNoted noted;
    Measurement measurement = measured(experiment, options);
    if (!options.noPredict) addPredictions(measurement);
    std::exception_ptr unsaved;
    try {
        if (options.save) save(measurement, *options.save);
    } catch (...) {
        unsaved = std::current_exception();  // what was measured is told all the same
    }
    printResult(
        options.json, options.table,
        Document::measurement, [&]() -> const auto& { return measurement; },
        [&] { return rowsOf(measurement.values); }, [&] { return reportOf(measurement); });
    if (unsaved) std::rethrow_exception(unsaved);
    if (options.save) complain("recorded in " + *options.save);
    return InterruptNoted::happened() ? exitCodeForSignal(InterruptNoted::signal())
                                      : ExitCode::done;
}

}  // namespace

Subcommand addMeasureCommand(CLI::App& program) {
    const auto options = std::make_shared<MeasureOptions>();
    CLI::App* parser =
        program.add_subcommand("measure", "run the kernel on the GPU and measure what it costs");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addProgramOptions(*parser, options->program);
    addMeasuringOptions(*parser, options->worker);
    addScheduleOption(*parser, options->worker);
    addRecordingsOption(*parser, options->recordings);
    addText(*parser, "--save", options->save, value::file,
            "keep the measurement there: of a scenario as a recording, of a .cu file as --json "
            "prints it, which --measured shows");
    addForceFlag(*parser, options->force);
    parser->add_flag("--no-predict", options->noPredict, "do not set predictions beside it");
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    return {parser,
            [options, parser] {
                std::vector<LimitViolation> unused;
                if (!options->save) refuseIdle(*parser, {"--force"}, "with --save", unused);
                if (!unused.empty()) throw InvalidRequest(std::move(unused));
                return runSubject(
                    *parser, options->experiment.scenario, options->program,
                    {.ofScenarios = {"--csv", "--markdown"},
                     .scenario = [&] { return run(*options); },
                     .program = [&](auto idle) { return runProgram(*options, std::move(idle)); }});
            },
            &options->program.arguments};
}

}  // namespace warplens
