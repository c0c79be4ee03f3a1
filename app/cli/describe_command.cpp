#include <memory>

#include "app/cli/documentation/schemas.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/subcommand.h"
#include "app/figure/compose.h"
#include "core/json/archive.h"

namespace warplens {
namespace {

struct DescribeOptions final {
    ExperimentOptions experiment;
    std::optional<std::string> recordings;
    std::string view = "scenario";
    std::optional<std::uint32_t> warp;
    std::optional<std::uint64_t> step;
    bool json = false;
};

struct DescriptionReport final {
    Experiment experiment;
    PictureKind view{};
    figure::Description told;
};

void describe(Archive& v, DescriptionReport& report) {
    describeVersion(v);
    describe(v, report.experiment);
    v("view", report.view, "What of the launch is described.");
    v.each("parts", report.told.parts, "One after the other, as they are read out.",
           [&](figure::Description::Part& part) {
               v("heading", part.heading,
                 "What the sentences are about; empty for those that open the description.");
               v("lines", part.lines, "The sentences.");
           });
}

ExitCode run(const DescribeOptions& options) {
    std::vector<LimitViolation> violations;
    const std::string& name = options.experiment.scenario;
    if (isProgramPath(name)) {
        throw InvalidRequest(
            {{"SCENARIO", "'" + name + "'",
              "must be a scenario; `warplens annotate " + name + "` tells of a .cu file"}});
    }
    Experiment experiment;
    collect(violations, [&] { experiment = experimentFrom(options.experiment); });
    PictureKind view{};
    collect(violations, [&] { view = figure::pictureFrom(options.view); });
    if (violations.empty()) requireWarp(options.warp, experiment.launch.block, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    const RecordingLibrary library = libraryFrom(options.recordings);
    figure::Subject subject =
        figure::subjectOf(experiment, figure::recordingOf(library, experiment));
    subject.view.picture = view;
    if (options.warp) subject.view.warp = WarpRank{*options.warp};
    if (options.step) subject.view.step = *options.step - 1;
    const figure::Description told = figure::describe(subject);
    if (options.json) {
        printDocument(Document::description, DescriptionReport{experiment, view, told});
    } else {
        print(figure::toText(told));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addDescribeCommand(CLI::App& program) {
    const auto options = std::make_shared<DescribeOptions>();
    CLI::App* parser = program.add_subcommand(
        "describe", "what the pictures of a launch show, as text for a screen reader");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    addText(*parser, "--view", options->view, figure::pictureWords(),
            "which picture of it; scenario: all of them");
    addNumber(*parser, "--warp", options->warp, {.least = 0, .most = 31},
              "the warp whose steps are told");
    addNumber(*parser, "--step", options->step, {.least = 1, .most = 65536},
              "this step of it alone, from 1");
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

std::string descriptionSchema() {
    return schemaFor<DescriptionReport>(Document::description);
}

}  // namespace warplens
