#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/program/launch_report.h"
#include "core/sweep/quantity.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct PredictCommandOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    bool exact = false;
    double timeLimit = 0;
    bool json = false;
    TableOptions table;
};

ExitCode predictProgram(const PredictCommandOptions& options, std::vector<LimitViolation> idle) {
    if (!idle.empty()) throw InvalidRequest(std::move(idle));
    const TracedProgram traced =
        tracedShowing(traceRequestFrom(options.experiment, options.program));
    const ProgramTrace& trace = traced.trace;
    printResult(
        options.json, options.table,
        Document::programPrediction, [&]() -> const auto& { return trace; },
        [&] { return rowsOf(trace); }, [&] { return reportOf(trace); });
    const bool refused = trace.launches.empty() && !trace.findings.empty() &&
                         trace.findings.front().kind == FindingKind::notSupported;
    if (refused) return ExitCode::impossible;
    // The report has it as its last line.
    if (const std::string ended = exitText(trace, true);
        !ended.empty() && (options.json || options.table.asked()))
        complain(std::string(trimmed(ended)));
    return exitCodeFor(options.program, trace);
}

ExitCode predictScenario(const PredictCommandOptions& options) {
    using Duration = std::chrono::steady_clock::duration;
    const std::string source = options.program.source.value_or("");
    std::vector<LimitViolation> violations;
    PredictOptions how;
    how.everyBlock = options.exact;
    how.timeLimit =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.timeLimit));
    requireOneOf(std::array<std::string_view, 2>{"predicted", "compiled"}, "--source", source,
                 violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    const Experiment experiment = runnableExperimentFrom(options.experiment);
    LaunchReport prediction;
    if (source != "compiled") prediction = predictShowing(experiment, how);
    if (source == "compiled") {
        prediction = predictCompiled(experiment, how);
    } else if (source.empty()) {
        addCompiled(prediction, predictCompiled(experiment, how));
    }
    printResult(
        options.json, options.table, Document::prediction, [&] { return Prediction{prediction}; },
        [&] { return rowsOf(prediction.values); }, [&] { return reportOf(prediction); });
    return ExitCode::done;
}

}  // namespace

Subcommand addPredictCommand(CLI::App& program) {
    const auto options = std::make_shared<PredictCommandOptions>();
    CLI::App* parser = program.add_subcommand(
        "predict", "what tracing the kernel on this machine says a launch will do");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    CLI::Option* const exact =
        parser->add_flag("--exact", options->exact, "trace every block, however long it takes");
    const PredictOptions byItself;
    options->timeLimit = std::chrono::duration<double>(byItself.timeLimit).count();
    CLI::Option* const limit =
        parser
            ->add_option("--time-limit", options->timeLimit,
                         "seconds after which a sample stands in, where blocks are not of few "
                         "kinds; of a .cu file, that the program may run; from 0.001 to 86400")
            ->capture_default_str()
            ->type_name(value::number)
            ->check([](const std::string& text) {
                const auto number = readNumber(text);
                const bool isOne = number && number->rest.empty() && number->value >= 0.001 &&
                                   number->value <= 86400;
                return isOne ? std::string() : "'" + text + "': a number from 0.001 to 86400";
            })
            ->excludes(exact);
    addProgramOptions(*parser, options->program);
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    return {parser,
            [options, parser, limit] {
                return runSubject(
                    *parser, options->experiment.scenario, options->program,
                    {.ofScenarios = {"--exact"},
                     .hasSources = true,
                     .scenario = [&] { return predictScenario(*options); },
                     .program =
                         [&](std::vector<LimitViolation> idle) {
                             if (limit->count() != 0) {
                                 options->program.timeLimit =
                                     static_cast<std::uint32_t>(std::ceil(options->timeLimit));
                             }
                             return predictProgram(*options, std::move(idle));
                         }});
            },
            &options->program.arguments};
}

}  // namespace warplens
