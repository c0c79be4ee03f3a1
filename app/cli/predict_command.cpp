#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/program_report.h"
#include "app/cli/subcommand.h"
#include "app/cli/value_report.h"
#include "core/trace/json.h"

namespace warplens {
namespace {

struct PredictCommandOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    bool json = false;
};

ExitCode predictProgram(const PredictCommandOptions& options) {
    const TracedProgram traced = tracedShowing(
        traceRequestFrom(options.experiment.scenario, options.program, options.experiment.grid,
                         options.experiment.block, options.experiment.set));
    if (options.json) {
        printDocument(Document::programPrediction, toJson(traced.trace));
    } else {
        print(reportOf(traced.trace));
    }
    const bool refused = traced.trace.launches.empty() && !traced.trace.findings.empty() &&
                         traced.trace.findings.front().kind == FindingKind::notSupported;
    if (refused) return ExitCode::impossible;
    return options.program.failOnFindings && !traced.trace.findings.empty() ? ExitCode::failed
                                                                            : ExitCode::done;
}

}  // namespace

Subcommand addPredictCommand(CLI::App& program) {
    const auto options = std::make_shared<PredictCommandOptions>();
    CLI::App* parser = program.add_subcommand(
        "predict", "what tracing the kernel on this machine says a launch will do");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addProgramOptions(*parser, options->program);
    addJsonFlag(*parser, options->json);
    return {parser, [options, parser] {
                if (findScenario(options->experiment.scenario) == nullptr &&
                    isProgramPath(options->experiment.scenario)) {
                    return predictProgram(*options);
                }
                refuseProgramOptions(*parser);
                const Prediction prediction =
                    predictShowing(runnableExperimentFrom(options->experiment));
                if (options->json) {
                    printDocument(Document::prediction, toJson(prediction));
                } else {
                    print(reportOf(prediction));
                }
                return ExitCode::done;
            }};
}

}  // namespace warplens
