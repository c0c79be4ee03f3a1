#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/cli/value_report.h"
#include "core/trace/json.h"

namespace warplens {
namespace {

struct PredictCommandOptions final {
    ExperimentOptions experiment;
    bool json = false;
};

}  // namespace

Subcommand addPredictCommand(CLI::App& program) {
    const auto options = std::make_shared<PredictCommandOptions>();
    CLI::App* parser = program.add_subcommand(
        "predict", "what tracing the kernel on this machine says a launch will do");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addJsonFlag(*parser, options->json);
    return {parser, [options] {
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
