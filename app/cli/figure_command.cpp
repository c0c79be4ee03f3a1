#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <unistd.h>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/drawing/warp_trace.h"
#include "app/figure/compose.h"
#include "app/lessons/library.h"
#include "app/worker/worker_client.h"
#include "core/json/archive.h"
#include "core/program/line_costs.h"
#include "core/program/warnings.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/library/prepared_launch.h"

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
    std::string numbers;
    std::string against;
    std::string measured;
    std::optional<std::uint32_t> warp;
    std::optional<std::uint64_t> step;
    bool frames = false;
    bool json = false;
};

/// Steps that a document of frames shows at most.
constexpr std::size_t mostFrames = 64;

struct DrawnProgram final {
    std::string program;
    std::string kernel;
    std::uint32_t index = 0;
    Launch launch;
};

struct FigureReport final {
    std::variant<Experiment, DrawnProgram> of;
    std::string path;
    figure::PageSize size;
    Theme theme = Theme::light;
    PictureKind view{};
};

void describe(Archive& v, DrawnProgram& drawn) {
    v("program", drawn.program, "Instead of a scenario: the .cu file.");
    v("kernel", drawn.kernel, "Of a program: the kernel that is drawn, as in the source.");
    v("index", drawn.index, "Of a program: which of its launches, from 0.");
    v("launch", drawn.launch, "The execution configuration.");
}

void describe(Archive& v, FigureReport& report) {
    describeVersion(v);
    v.oneOf(report.of, {"scenario", "program"}, [&](auto& of) { describe(v, of); });
    v("path", report.path, "The file that was written.");
    v("width", report.size.width, "Of the picture, in pixels or points.", {.least = 1});
    v("height", report.size.height, "Of the picture, in pixels or points.", {.least = 1});
    v("theme", report.theme, "Its colors.");
    v.onlyIf(std::holds_alternative<Experiment>(report.of), "view", report.view,
             "What of the launch is drawn.");
}

/// What of the launch is drawn, as options.
std::string partOf(const FigureOptions& options) {
    std::string words;
    if (options.times) words += " --times";
    if (options.view != "scenario") words += " --view " + options.view;
    if (!options.numbers.empty()) words += " --numbers " + options.numbers;
    if (!options.against.empty()) words += " --against '" + options.against + "'";
    if (options.warp) words += " --warp " + std::to_string(*options.warp);
    if (options.step) words += " --step " + std::to_string(*options.step);
    if (options.frames) words += " --frames";
    if (!options.measured.empty()) words += " --measured '" + options.measured + "'";
    return words;
}

/// The command that draws the figure again.
std::string commandOf(const Experiment& experiment, const FigureOptions& options,
                      const figure::Page& page) {
    return "warplens figure " + experiment.scenario + ' ' + toOptions(experiment) +
           partOf(options) + toOptions(page) + " -o FILE";
}

void tellOptions(figure::Subject& subject, const TraceRequest& request) {
    subject.options = optionWordsOf(request);
    subject.options.insert(subject.options.end(), request.arguments.begin(),
                           request.arguments.end());
}

void tellDemand(figure::Subject& subject, const StatedDemand& demand) {
    subject.demand = demand.block;
    subject.provenance.push_back(std::to_string(demand.block.registersPerThread) +
                                 " registers a thread: " + demand.registersFrom +
                                 (demand.unknown.empty() ? "" : ", for " + demand.unknown));
}

figure::Subject subjectOf(const Experiment& experiment, const RecordingLibrary& library,
                          PictureKind view) {
    figure::Subject subject =
        figure::subjectOf(experiment, figure::recordingOf(library, experiment));
    if (view == PictureKind::slots)
        tellDemand(subject, demandFrom(library, experiment, toString(assumedCapability)));
    return subject;
}

figure::Subject subjectOf(const TraceRequest& request, const ProgramTrace& trace,
                          const LaunchReport& launch, PictureKind view,
                          const ProgramMeasurement* measured = nullptr) {
    figure::Subject subject =
        figure::subjectOf(launch, trace.program, stepsOf(request, launch), measured);
    subject.source = readFile(request.source.files.front());
    subject.faults = faultsOf(trace, launch);
    subject.ofLaunches = figure::oneOfLaunches(trace, launch);
    const bool isOfWarp = view == PictureKind::scenario || view == PictureKind::request;
    if (const WarpReach most = mostReaching(*subject.program, launch); isOfWarp && most.warp != 0)
        subject.view.warp = WarpRank{most.warp};
    tellOptions(subject, request);
    if (view == PictureKind::slots && measured == nullptr) {
        StatedDemand demand{.block = *subject.demand, .registersFrom = "assumed", .sharedFrom = ""};
        demand.take(compiledResources(request, launch.instance, toString(assumedCapability)));
        tellDemand(subject, demand);
    }
    return subject;
}

/// `matadd-coalesced --block 16,16`, `scan.cu --launch 1`: another launch, as one argument.
struct OtherLaunch final {
    ExperimentOptions experiment;
    ProgramOptions program;

    static OtherLaunch from(const std::string& words) {
        CLI::App parser;
        OtherLaunch other;
        addExperimentOptions(parser, other.experiment)->required();
        addProgramOptions(parser, other.program);
        std::vector<std::string> all = CLI::detail::split_up(words);
        for (std::string& word : all) CLI::detail::remove_quotes(word);
        if (auto own = takeProgramArguments(all)) other.program.arguments = std::move(*own);
        std::ranges::reverse(all);  // as CLI11 takes them
        try {
            parser.parse(std::move(all));
        } catch (const CLI::ParseError& error) {
            throw InvalidRequest(
                {{"--against", "'" + words + "'",
                  std::string("a scenario or a .cu file, and its options: ") + error.what()}});
        }
        // What is wrong in it is said before anything is traced.
        if (!isProgramPath(other.experiment.scenario))
            (void)runnableExperimentFrom(other.experiment);
        return other;
    }
    [[nodiscard]] figure::Subject subject(const RecordingLibrary& library, PictureKind view) const {
        if (!isProgramPath(experiment.scenario)) {
            return subjectOf(experimentFrom(experiment), library, view);
        }
        const TraceRequest request = traceRequestFrom(experiment, program);
        const ProgramTrace trace = tracedShowing(request).trace;
        return subjectOf(request, trace, launchSpokenOf(trace), view);
    }
};

WarpTrace traceOf(const figure::Subject& subject) {
    return traceWarp({subject.view.experiment, subject.view.block,
                      subject.view.warp.value_or(WarpRank{0}), subject.program});
}

/// How many steps from `at` on do again what those just before it do, however often: of the
/// shortest such row of steps. `length` is that row's.
std::size_t repeatedFrom(const std::vector<WarpStep>& steps, std::size_t at, std::size_t& length) {
    constexpr std::size_t longest = 8;
    const auto isSame = [&](std::size_t a, std::size_t b) {
        WarpStep other = steps[b];
        other.rounds = steps[a].rounds;
        return steps[a] == other;
    };
    for (length = 1; length <= std::min(longest, at); ++length) {
        std::size_t count = 0;
        while (at + count < steps.size() && isSame(at + count, at + count - length)) ++count;
        if (count >= length) return count / length * length;
    }
    return 0;
}

/// One page for each step of the warp; where a loop's steps come again, once, and said there.
std::vector<figure::Picture> framesOf(figure::Subject subject, const figure::Page& page) {
    const WarpTrace trace = traceOf(subject);
    subject.view.picture = PictureKind::request;
    std::vector<figure::Picture> frames;
    const std::vector<std::string> provenance = subject.provenance;
    for (std::size_t step = 0; step < trace.steps.size() && frames.size() < mostFrames;) {
        subject.view.step = step;
        subject.provenance = provenance;
        ++step;
        std::string words = "step " + groupedDigits(step) + " of " + groupedDigits(trace.total);
        std::size_t length = 0;
        if (const std::size_t again = repeatedFrom(trace.steps, step, length); again != 0) {
            const std::string next = std::to_string(step + 1);
            const std::string last = std::to_string(step + again);
            words += again == 1   ? "; step " + next + ": the same again"
                     : length > 1 ? "; steps " + next + " to " + last + ": the last " +
                                        std::to_string(length) + " again and again"
                                  : "; steps " + next + " to " + last + ": the same again";
            step += again;
        } else if (frames.size() + 1 == mostFrames && step < trace.steps.size()) {
            words += "; " + counted(trace.steps.size() - step, "further step") + " not drawn";
        }
        subject.provenance.insert(subject.provenance.begin(), std::move(words));
        frames.push_back(figure::compose(subject, page));
    }
    if (frames.empty()) frames.push_back(figure::compose(subject, page));
    return frames;
}

/// What is drawn where, of a scenario and of a program.
struct FigurePlan final {
    FigurePage drawn;
    PictureKind view{};
    std::optional<OtherLaunch> against{};
};

/// Of a scenario's launch, or where that is null of a program's. Throws InvalidRequest with all
/// that is wrong, `violations` before it.
FigurePlan planFrom(const FigureOptions& options, const Experiment* experiment,
                    std::vector<LimitViolation> violations) {
    FigurePlan plan{figurePageFrom(options.page, violations)};
    collect(violations, [&] { plan.view = figure::pictureFrom(options.view); });
    if (experiment == nullptr && plan.view == PictureKind::times) {
        violations.push_back({"--view", "'time'",
                              "of scenarios; of a file's launch --view sm has the model of an SM"});
    }
    if (!options.numbers.empty() && plan.view != PictureKind::threads)
        violations.push_back({"--numbers", "given", "with --view 2d: of the threads' cells"});
    else if (!options.numbers.empty() && !fromWord<CellNumbers>(options.numbers))
        violations.push_back({"--numbers", "'" + options.numbers + "'",
                              "one of " + joined(namesOf(CellNumbers{}), ", ")});
    const bool isRead = experiment != nullptr && !experiment->scenario.empty();
    if (experiment == nullptr || isRead) {
        figure::requireProblem(plan.view, isRead ? &kernelOf(*experiment) : nullptr, violations);
    }
    if (!options.against.empty()) {
        collect(violations, [&] { plan.against = OtherLaunch::from(options.against); });
    }
    if (options.frames && plan.drawn.format != figure::Format::pdf) {
        violations.push_back(
            {"--frames", "'" + plan.drawn.path + "'", "a .pdf: the others have one page"});
    }
    if (options.frames && plan.against) {
        violations.push_back(
            {"--frames", "given", "without --against: two launches have no steps in common"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return plan;
}

ExitCode tellDrawn(const FigureOptions& options, const FigurePlan& plan,
                   std::variant<Experiment, DrawnProgram> of) {
    if (options.json) {
        printDocument(
            Document::figure,
            FigureReport{std::move(of), std::filesystem::absolute(plan.drawn.path).string(),
                         plan.drawn.page.size, plan.drawn.page.theme, plan.view});
    }
    return ExitCode::done;
}

/// The subject's page, its frames, or it beside what it is held against.
void draw(figure::Subject subject, const FigureOptions& options, const FigurePage& drawn,
          const std::string& command,
          const std::function<std::optional<figure::Subject>()>& against) {
    if (options.warp) subject.view.warp = WarpRank{*options.warp};
    subject.view.numbers = fromWord<CellNumbers>(options.numbers).value_or(subject.view.numbers);
    if (options.step) {
        const std::size_t size = traceOf(subject).steps.size();
        if (*options.step > size) {
            throw InvalidRequest(
                {{"--step", std::to_string(*options.step),
                  "at most " + std::to_string(size) + ", the last of warp " +
                      std::to_string(subject.view.warp.value_or(WarpRank{}).value)}});
        }
        subject.view.step = *options.step - 1;
    }
    if (options.frames) {
        std::vector<figure::Picture> frames = framesOf(subject, drawn.page);
        frames.front().command = command;
        writeFileAtomically(drawn.path, figure::renderPages(frames));
        return;
    }
    std::optional<figure::Subject> other = against();
    if (other) {
        other->view.picture = subject.view.picture;
        const Launch& launch = other->view.experiment.launch;
        if (options.warp && *options.warp < warpCountPerBlock(launch.block))
            other->view.warp = subject.view.warp;
    }
    figure::Picture picture = other ? figure::composePair(*other, subject, drawn.page)
                                    : figure::compose(subject, drawn.page);
    picture.command = command;
    drawn.write(picture);
    if (picture.textSize < drawn.page.textSize)
        complain("--text-size = " + plainNumber(drawn.page.textSize) +
                 " leaves the pictures no room: drawn with " + plainNumber(picture.textSize));
}

/// A lesson that is about an SM or when blocks run is drawn so, under its own title, where nothing
/// else is asked for.
void followLesson(FigureOptions& options) {
    const std::string& id = options.experiment.scenario;
    const Lesson* const lesson = findScenario(id) == nullptr ? findLesson(id) : nullptr;
    if (lesson == nullptr || options.view != "scenario" || options.times ||
        !options.against.empty())
        return;
    std::vector<PictureKind> shown = lesson->before;
    if (const auto& opening = lesson->opening.view.picture) shown.push_back(*opening);
    const auto own = std::ranges::find_if(shown, [](PictureKind picture) {
        return picture == PictureKind::slots || picture == PictureKind::times;
    });
    if (own == shown.end()) return;
    options.view = toString(*own);
    if (options.page.title.empty()) options.page.title = lesson->title;
}

ExitCode run(FigureOptions options) {
    followLesson(options);
    std::vector<LimitViolation> violations;
    Experiment experiment;
    collect(violations, [&] { experiment = runnableExperimentFrom(options.experiment); });
    if (violations.empty()) requireWarp(options.warp, experiment.launch.block, violations);
    const FigurePlan plan = planFrom(options, &experiment, std::move(violations));
    const FigurePage& drawn = plan.drawn;
    requireNoneButPictureLost("--output", drawn.path, options.force);

    const RecordingLibrary library = libraryFrom(options.recordings);
    const ProgressLine line("drawing");
    figure::Subject subject = subjectOf(experiment, library, plan.view);
    if (options.times && (!subject.timing || subject.timing->runNanoseconds.empty())) {
        throw CommandFailed(ExitCode::impossible,
                            "no timed runs to draw: this launch is not recorded with them\n" +
                                recordingChoices(library, experiment.scenario));
    }
    subject.view.picture = options.times ? PictureKind::runs : plan.view;
    draw(std::move(subject), options, drawn, commandOf(experiment, options, drawn.page), [&] {
        return plan.against ? std::optional(plan.against->subject(library, plan.view))
                            : std::nullopt;
    });
    return tellDrawn(options, plan, experiment);
}

std::string commandOf(const TraceRequest& request, const LaunchReport& launch,
                      const FigureOptions& options, const figure::Page& page) {
    std::string words = "warplens figure";
    for (const auto& file : request.source.files) words += ' ' + file.string();
    words += " --launch " + std::to_string(launch.index);
    for (const std::string& option : optionWordsOf(request)) words += ' ' + option;
    return words + partOf(options) + toOptions(page) + " -o FILE";
}

/// A warp that the block has.
void requireInside(const FigureOptions& options, const BlockSteps& steps) {
    const std::size_t warp = options.warp.value_or(0);
    if (warp >= steps.warps.size()) {
        throw InvalidRequest(
            {{"--warp", std::to_string(warp),
              "at most " + std::to_string(steps.warps.size() - 1) + ", the block's last"}});
    }
}

bool differByResidency(const figure::Subject& a, const figure::Subject& b) {
    return !a.kernel.empty() && !b.kernel.empty() &&
           figure::residentWarps(a) != figure::residentWarps(b);
}

/// Of a .cu file: its lines and what they ask for, or what its first block does.
ExitCode runProgram(const FigureOptions& options, std::vector<LimitViolation> violations) {
    TraceRequest request;
    collect(violations, [&] { request = traceRequestFrom(options.experiment, options.program); });
    const FigurePlan plan = planFrom(options, nullptr, std::move(violations));
    const FigurePage& drawn = plan.drawn;
    const PictureKind view = plan.view;
    const std::optional<OtherLaunch>& against = plan.against;
    const bool ofBlock = against || options.warp || options.step || options.frames ||
                         (view != PictureKind::scenario && view != PictureKind::source);
    if (ofBlock && request.shown == Source::compiled) {
        throw InvalidRequest({{"--source", "'compiled'",
                               "'predicted' where warps or two launches are drawn: what they do is "
                               "as it is written"}});
    }
    const auto kept = measuredFrom(options.measured, request);
    requireNoneButPictureLost("--output", drawn.path, options.force);
    const TracedProgram traced = tracedShowing(request);
    const ProgramTrace& trace = traced.trace;
    const LaunchReport& launch = launchSpokenOf(trace);
    const ProgramMeasurement* const measured = measurementIn(kept.get(), launch);
    if (kept != nullptr && measured == nullptr) {
        throw InvalidRequest({{"--measured", "'" + options.measured + "'",
                               "does not hold launch " + std::to_string(launch.index)}});
    }
    const std::string command = commandOf(request, launch, options, drawn.page);
    if (!ofBlock) {
        figure::Picture picture = figure::composeProgram(
            {trace, launch, readFile(request.source.files.front()), measured}, drawn.page);
        picture.command = command;
        drawn.write(picture);
        if (view == PictureKind::scenario && ::isatty(STDERR_FILENO) == 1)
            complain(
                "drawn: the source with its costs; --view request draws what its costliest "
                "access asks of memory");
    } else {
        const auto subjectIn = [&](PictureKind drawnView) {
            return subjectOf(request, trace, launch, drawnView, measured);
        };
        const auto otherIn = [&](PictureKind drawnView) {
            return against ? std::optional(against->subject(libraryFrom({}), drawnView))
                           : std::nullopt;
        };
        figure::Subject subject = subjectIn(view);
        requireInside(options, *subject.program);
        std::optional<figure::Subject> other = otherIn(view);
        subject.view.picture =
            view == PictureKind::source && !against ? PictureKind::request : view;
        if (other && view == PictureKind::scenario && !options.warp && !options.step &&
            differByResidency(*other, subject) && figure::causeOf(*other, subject).unit.empty()) {
            // As compiled they may not.
            figure::Subject onSm = subjectIn(PictureKind::slots);
            std::optional<figure::Subject> beside = otherIn(PictureKind::slots);
            onSm.view.picture = PictureKind::slots;
            if (differByResidency(*beside, onSm)) {
                subject = std::move(onSm);
                other = std::move(beside);
            }
        }
        draw(std::move(subject), options, drawn, command, [&] { return std::move(other); });
    }
    return tellDrawn(options, plan,
                     DrawnProgram{trace.program, launch.kernel, launch.index, launch.launch});
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
    addText(*parser, "--view", options->view, figure::pictureWords(),
            "what of the launch is drawn; time only of a scenario");
    addText(*parser, "--numbers", options->numbers, joined(namesOf(CellNumbers{}), "|"),
            "what stands in the cells of --view 2d");
    addText(*parser, "--against", options->against, "LAUNCH",
            "another launch, drawn left of it, as in 'matadd-coalesced --set n=512' or 'scan.cu "
            "--launch 1'");
    addMeasuredOption(*parser, options->measured);
    addNumber(*parser, "--warp", options->warp, {.least = 0, .most = 31}, "the warp that matters");
    addNumber(*parser, "--step", options->step, {.least = 1, .most = 65536},
              "the step of the warp that is drawn, from 1");
    parser->add_flag("--frames", options->frames, "a page for each step of the warp, as one PDF");
    addJsonFlag(*parser, options->json);
    addProgramOptions(*parser, options->program);
    return {parser,
            [options, parser] {
                return runSubject(
                    *parser, options->experiment.scenario, options->program,
                    {.ofScenarios = {"--array-offset", "--numbers", "--recordings", "--times"},
                     .scenario = [&] { return run(*options); },
                     .program = [&](auto idle) { return runProgram(*options, std::move(idle)); }});
            },
            &options->program.arguments,
            {{Document::figure, schemaFor<FigureReport>}}};
}

}  // namespace warplens
