#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/options.h"
#include "app/cli/subcommand.h"
#include "app/cli/thread_listing.h"

namespace warplens {
namespace {

struct MapOptions final {
    ExperimentOptions experiment;
    bool csv = false;
    bool json = false;
};

}  // namespace

Subcommand addMapCommand(CLI::App& program) {
    const auto options = std::make_shared<MapOptions>();
    CLI::App* parser = program.add_subcommand(
        "map", "every thread: its block, linear index, warp, lane and element");
    addExperimentOptions(*parser, options->experiment)->required();
    CLI::Option* csv = parser->add_flag("--csv", options->csv, "one line for each thread");
    addJsonFlag(*parser, options->json);
    parser->get_option("--json")->excludes(csv);
    return {parser, [options] {
                const Experiment experiment = experimentFrom(options->experiment);
                Output output;
                if (options->csv) {
                    writeThreadsAsCsv(experiment, output);
                } else if (options->json) {
                    writeThreadsAsJson(experiment, output);
                } else {
                    output.write(warpSummary(experiment));
                }
                output.flush();
                return ExitCode::done;
            }};
}

}  // namespace warplens
