#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/declare.h"
#include "app/cli/interrupt.h"
#include "app/cli/measure_program.h"
#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/program_options.h"
#include "app/cli/recording_choices.h"
#include "app/cli/subcommand.h"
#include "app/cli/value_report.h"
#include "core/json/json.h"
#include "core/measurement/recording.h"
#include "core/sweep/value_rows.h"

namespace warplens {
namespace {

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
    if (options.json) {
        printDocument(Document::measurement, measurement);
    } else if (options.table.asked()) {
        printTable(rowsOf(measurement.values), options.table.csv);
    } else {
        print(reportOf(measurement));
    }
    if (unsaved) std::rethrow_exception(unsaved);
    if (options.save) complain("recorded in " + *options.save);
    return InterruptNoted::happened() ? exitCodeForSignal(InterruptNoted::signal())
                                      : ExitCode::done;
}

ExitCode runProgram(const MeasureOptions& options, std::vector<LimitViolation> idle) {
    if (!idle.empty()) throw InvalidRequest(std::move(idle));
    return measureProgram(traceRequestFrom(options.experiment, options.program), options.worker,
                          {.json = options.json, .save = options.save, .force = options.force});
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
                return runSubject(*parser, options->experiment.scenario, options->program,
                                  {.ofScenarios = {"--csv", "--markdown"},
                                   .scenario = [&] { return run(*options); },
                                   .program =
                                       [&](std::vector<LimitViolation> idle) {
                                           return runProgram(*options, std::move(idle));
                                       }});
            },
            &options->program.arguments};
}

}  // namespace warplens
