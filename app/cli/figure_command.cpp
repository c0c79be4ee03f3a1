#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/declare.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/page_options.h"
#include "app/cli/program_options.h"
#include "app/cli/progress_line.h"
#include "app/cli/recording_choices.h"
#include "app/cli/subcommand.h"
#include "app/drawing/warp_trace.h"
#include "app/figure/compose.h"
#include "app/figure/pair.h"
#include "app/figure/program.h"
#include "core/measurement/json.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

struct FigureOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    std::optional<std::string> recordings;
    PageOptions page;
    bool force = false;
    bool times = false;
    std::string view = "scenario";
    std::string against;
    std::optional<std::uint32_t> warp;
    std::optional<std::uint64_t> step;
    bool frames = false;
    bool json = false;
};

/// Steps that a document of frames shows at most.
constexpr std::size_t mostFrames = 64;

std::string toJsonText(const Experiment& experiment, const FigureOptions& options,
                       const figure::PageSize& size) {
    using Json = nlohmann::ordered_json;
    Json object = Json::parse(toJson(experiment, -1));
    object["path"] = std::filesystem::absolute(options.page.path.value()).string();
    object["width"] = size.width;
    object["height"] = size.height;
    object["theme"] = options.page.theme;
    object["view"] = options.view;
    return objectText(object);
}

/// The command that draws the figure again.
std::string commandOf(const Experiment& experiment, const FigureOptions& options,
                      const figure::Page& page) {
    std::string words = "warplens figure " + experiment.scenario + ' ' + toOptions(experiment);
    if (options.times) words += " --times";
    if (options.view != "scenario") words += " --view " + options.view;
    if (!options.against.empty()) words += " --against '" + options.against + "'";
    if (options.warp) words += " --warp " + std::to_string(*options.warp);
    if (options.step) words += " --step " + std::to_string(*options.step);
    if (options.frames) words += " --frames";
    return words + toOptions(page) + " -o FILE";
}

/// `matadd-coalesced --block 16,16`: another launch, as one argument.
Experiment experimentFromWords(const std::string& words) {
    CLI::App parser;
    ExperimentOptions options;
    addExperimentOptions(parser, options)->required();
    try {
        parser.parse(words);
    } catch (const CLI::ParseError& error) {
        throw InvalidRequest({{"--against", "'" + words + "'",
                               std::string("a scenario and its options: ") + error.what()}});
    }
    return experimentFrom(options);
}

/// One page for each step of the warp.
std::vector<figure::Picture> framesOf(figure::Subject subject, const figure::Page& page) {
    const WarpTrace trace =
        traceWarp({subject.experiment, subject.block, subject.warp.value_or(WarpRank{0})});
    subject.view = figure::View::request;
    std::vector<figure::Picture> frames;
    for (std::size_t step = 0; step < std::min(trace.steps.size(), mostFrames); ++step) {
        subject.step = step;
        frames.push_back(figure::compose(subject, page));
    }
    if (frames.empty()) frames.push_back(figure::compose(subject, page));
    return frames;
}

ExitCode run(const FigureOptions& options) {
    std::vector<LimitViolation> violations;
    Experiment experiment;
    collect(violations, [&] { experiment = experimentFrom(options.experiment); });
    if (violations.empty()) requireWarp(options.warp, experiment.launch.block, violations);
    const FigurePage drawn = figurePageFrom(options.page, violations);
    figure::View view{};
    collect(violations, [&] { view = figure::viewFrom(options.view); });
    std::optional<Experiment> against;
    if (!options.against.empty()) {
        collect(violations, [&] { against = experimentFromWords(options.against); });
    }
    if (options.frames && drawn.format != figure::Format::pdf) {
        violations.push_back(
            {"--frames", "'" + drawn.path + "'", "a .pdf: the others have one page"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    requireNoneButPictureLost("--output", drawn.path, options.force);

    const RecordingLibrary library = libraryFrom(options.recordings);
    const ProgressLine line("drawing");
    figure::Subject subject =
        figure::subjectOf(experiment, figure::recordingOf(library, experiment));
    if (options.times && (!subject.timing || subject.timing->runNanoseconds.empty())) {
        throw CommandFailed(ExitCode::impossible,
                            "no timed runs to draw: this launch is not recorded with them\n" +
                                recordingChoices(library, experiment.scenario));
    }
    subject.timesOnly = options.times;
    subject.view = view;
    if (options.warp) subject.warp = WarpRank{*options.warp};
    if (options.step) subject.step = *options.step - 1;
    const std::string command = commandOf(experiment, options, drawn.page);
    if (options.frames) {
        std::vector<figure::Picture> frames = framesOf(subject, drawn.page);
        frames.front().command = command;
        writeFileAtomically(drawn.path, figure::renderPages(frames));
    } else {
        figure::Picture picture =
            against ? figure::composePair(
                          figure::subjectOf(*against, figure::recordingOf(library, *against)),
                          subject, drawn.page)
                    : figure::compose(subject, drawn.page);
        picture.command = command;
        drawn.write(picture);
    }
    if (options.json) {
        printDocument(Document::figure, toJsonText(experiment, options, drawn.page.size));
    }
    return ExitCode::done;
}

/// The launch that is drawn: the one that was asked for, or the first.
const ProgramLaunch& drawnLaunch(const ProgramTrace& trace) {
    for (const ProgramLaunch& launch : trace.launches) {
        if (launch.traced) return launch;
    }
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::notSupported) {
            throw CommandFailed(ExitCode::impossible, trace.program + ": " + finding.words);
        }
    }
    throw CommandFailed(ExitCode::failed, trace.program + ": no launch to draw");
}

std::string commandOf(const TraceRequest& request, const ProgramLaunch& launch,
                      const figure::Page& page) {
    std::string words = "warplens figure";
    for (const auto& file : request.source.files) words += ' ' + file.string();
    words += " --launch " + std::to_string(launch.index);
    return words + toOptions(page) + " -o FILE";
}

/// Of a .cu file: its lines and what they ask for.
ExitCode runProgram(const FigureOptions& options, std::vector<LimitViolation> violations) {
    TraceRequest request;
    collect(violations, [&] { request = traceRequestFrom(options.experiment, options.program); });
    const FigurePage drawn = figurePageFrom(options.page, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    requireNoneButPictureLost("--output", drawn.path, options.force);
    const ProgramTrace trace = tracedShowing(request).trace;
    const ProgramLaunch& launch = drawnLaunch(trace);
    figure::Picture picture =
        figure::composeProgram({trace, launch, readFile(request.source.files.front())}, drawn.page);
    picture.command = commandOf(request, launch, drawn.page);
    drawn.write(picture);
    if (options.json) {
        using Json = nlohmann::ordered_json;
        ProgramTrace drawnAlone;
        drawnAlone.launches = {launch};
        const Json told = Json::parse(toJson(drawnAlone)).at("launches").front();
        const Json object{{"program", trace.program},
                          {"kernel", launch.kernel},
                          {"index", launch.index},
                          {"launch", told.at("launch")},
                          {"path", std::filesystem::absolute(drawn.path).string()},
                          {"width", drawn.page.size.width},
                          {"height", drawn.page.size.height},
                          {"theme", options.page.theme}};
        printDocument(Document::figure, objectText(object));
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
    addText(*parser, "--view", options->view, "scenario|2d|3d|request|sm|time|source",
            "what of the launch is drawn");
    addText(*parser, "--against", options->against, "LAUNCH",
            "another launch beside it, as in 'matadd-coalesced --set n=512'");
    addNumber(*parser, "--warp", options->warp, {.least = 0, .most = 31}, "the warp that matters");
    addNumber(*parser, "--step", options->step, {.least = 1, .most = 65536},
              "the step of the warp that is drawn, from 1");
    parser->add_flag("--frames", options->frames, "a page for each step of the warp, as one PDF");
    addJsonFlag(*parser, options->json);
    addProgramOptions(*parser, options->program);
    return {parser, [options, parser] {
                return runSubject(
                    *parser, options->experiment.scenario,
                    {.ofScenarios = {"--array-offset", "--recordings", "--times", "--view",
                                     "--against", "--warp", "--step", "--frames"},
                     .scenario = [&] { return run(*options); },
                     .program =
                         [&](std::vector<LimitViolation> idle) {
                             return runProgram(*options, std::move(idle));
                         }});
            }};
}

}  // namespace warplens
