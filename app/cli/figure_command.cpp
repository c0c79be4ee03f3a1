#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/page_options.h"
#include "app/cli/progress_line.h"
#include "app/cli/recording_choices.h"
#include "app/cli/subcommand.h"
#include "app/figure/compose.h"
#include "core/measurement/json.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct FigureOptions final {
    ExperimentOptions experiment;
    std::optional<std::string> recordings;
    PageOptions page;
    bool force = false;
    bool times = false;
    bool json = false;
};

std::string toJsonText(const Experiment& experiment, const FigureOptions& options,
                       const figure::PageSize& size) {
    using Json = nlohmann::ordered_json;
    Json object{{"version", version()}};
    object.update(Json::parse(toJson(experiment, -1)));
    object["path"] = std::filesystem::absolute(options.page.path.value()).string();
    object["width"] = size.width;
    object["height"] = size.height;
    object["theme"] = options.page.theme;
    return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

ExitCode run(const FigureOptions& options) {
    std::vector<Breach> breaches;
    Experiment experiment;
    collect(breaches, [&] { experiment = experimentFrom(options.experiment); });
    const FigurePage drawn = figurePageFrom(options.page, breaches);
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
    requireNoneButPictureLost("--output", drawn.path, options.force);

    const RecordingLibrary library = libraryFrom(options.recordings);
    {
        const ProgressLine line("drawing");
        figure::Subject subject =
            figure::subjectOf(experiment, figure::recordingOf(library, experiment));
        if (options.times && (!subject.timing || subject.timing->runNanoseconds.empty())) {
            throw CommandFailed(ExitCode::impossible,
                                "no timed runs to draw: this launch is not recorded with them\n" +
                                    recordingChoices(library, experiment.scenario));
        }
        subject.timesOnly = options.times;
        drawn.write(figure::compose(subject, drawn.page));
    }
    if (options.json) {
        printDocument(Document::figure, toJsonText(experiment, options, drawn.page.size));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addFigureCommand(CLI::App& program) {
    const auto options = std::make_shared<FigureOptions>();
    CLI::App* parser = program.add_subcommand(
        "figure", "draw a launch for a slide or a paper into a PDF, SVG or PNG");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    addPageOptions(*parser, options->page)->required();
    addForceFlag(*parser, options->force);
    parser->add_flag("--times", options->times,
                     "draw how long each of the timed runs took, as a histogram");
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
