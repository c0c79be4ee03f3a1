#include "app/cli/picture.h"

#include <filesystem>
#include <utility>

#include "app/cli/program_launch.h"
#include "app/cli/subcommand.h"
#include "app/drawing/warp_trace.h"
#include "app/lessons/library.h"
#include "app/window/program_tracer.h"
#include "app/window/state/scene.h"
#include "core/course/course.h"
#include "core/json/json.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "core/view/view_parts.h"

namespace warplens {

CLI::Option* addPageOptions(CLI::App& parser, PageOptions& options) {
    CLI::Option* const output = addText(parser, "-o,--output", options.path, value::file,
                                        "figure to draw: its name ends in .pdf, .svg or .png");
    addText(parser, "--size", options.size, value::size,
            "of the figure, in points or pixels, as in 1280x720; each from " +
                std::to_string(figure::smallestSide) + " to " +
                std::to_string(figure::largestSide));
    addText(parser, "--theme", options.theme, "light|dark|print",
            "colors; print is black on white");
    addNumber(parser, "--text-size", options.textSize,
              {.least = leastTextScale, .most = largestTextScale, .whole = false},
              "size of the words: 1 is normal, 1.5 suits a projector");
    addText(parser, "--title", options.title, "TEXT",
            "over the figure, in place of its title; at most two lines");
    addText(parser, "--caption", options.caption, "TEXT",
            "a sentence below its picture; at most two lines");
    return output;
}

void refusePageWithoutFile(const CLI::App& parser, std::vector<LimitViolation>& violations) {
    if (!isGiven(parser, "--output")) {
        refuseIdle(parser, {"--size", "--theme", "--text-size", "--title", "--caption"},
                   "with --output", violations);
    }
}

FigurePage figurePageFrom(const PageOptions& options, std::vector<LimitViolation>& violations) {
    FigurePage read{.path = options.path.value_or("")};
    if (options.path) collect(violations, [&] { read.format = figure::formatOf(*options.path); });
    collect(violations, [&] { read.page.size = figure::pageSizeFrom(options.size); });
    collect(violations, [&] { read.page.theme = figure::themeFrom(options.theme); });
    read.page.textSize = options.textSize.value_or(1);
    read.page.title = options.title;
    read.page.caption = options.caption;
    collect(violations, [&] { figure::requireRoomForWords(read.page); });
    return read;
}

void FigurePage::write(const figure::Picture& picture) const {
    writeFileAtomically(path, figure::render(picture, format.value()));
}

namespace {

/// How one part's option is declared, by what the part holds.
template <class Of>
struct PartOption final {
    CLI::App& parser;
    ViewOptions& options;
    const ViewPart part;
    const Of of;

    template <NamedEnum Enum>
    void declare(const Enum&) const {
        const std::vector<std::string_view> words = offeredWords<Enum>();
        add(choiceOf(words), [this_ = *this, words](const std::string& text) {
            if (text.empty()) return;
            requireOneOf(words, this_.part.named.data(), text, this_.options.violations);
            this_.of(this_.options.view) = fromWord<Enum>(text);
        });
    }
    void declare(const std::string&) const {
        add(std::string(part.takes), [this_ = *this](const std::string& text) {
            if (!text.empty()) this_.of(this_.options.view) = text;
        });
    }
    void declare(float) const {
        addNumber(false, [](double number) { return static_cast<float>(number); });
    }
    void declare(const std::optional<WarpRank>&) const {
        addNumber(true, [](double number) { return WarpRank{static_cast<std::uint32_t>(number)}; });
    }
    /// The command line counts from 1.
    void declare(const std::optional<std::uint64_t>&) const {
        addNumber(true, [](double number) { return static_cast<std::uint64_t>(number) - 1; });
    }
    /// Parts that only documents have.
    template <class Other>
    void declare(const Other&) const {}

  private:
    template <class Read>
    void addNumber(bool whole, Read read) const {
        const NumberLimits limits{.least = part.least, .most = part.most, .whole = whole};
        parser
            .add_option_function<std::string>(
                std::string(part.option),
                [this_ = *this, limits, read](const std::string& text) {
                    this_.of(this_.options.view) =
                        read(numberFrom(std::string(this_.part.option), text, limits));
                },
                std::string(part.help) + "; " + toString(limits))
            ->type_name(value::number);
    }
    template <class Read>
    void add(const std::string& takes, Read read) const {
        parser
            .add_option_function<std::string>(std::string(part.option), read,
                                              std::string(part.help))
            ->type_name(takes);
    }
};

/// Declares the option of every part that has one: --view, --tab, … (core/view/view.h).
void addViewOptions(CLI::App& parser, ViewOptions& options) {
    const View start;
    forEachPart([&](const ViewPart& part, auto of) {
        if (part.option.empty()) return;
        PartOption<decltype(of)>{parser, options, part, of}.declare(of(start));
    });
}

constexpr ScreenshotSize smallest{640, 360};
constexpr ScreenshotSize largest{7680, 4320};

/// Of an experiment that is not named here, the window drops what it has not.
void validateWarp(const ShowOptions& options, const Experiment& experiment,
                  std::vector<LimitViolation>& violations) {
    const ViewChange& view = options.view.view;
    const WarpRank warp = view.warp.value_or(noWarp).value_or(WarpRank{});
    const std::size_t before = violations.size();
    requireWarp(warp.value, experiment.launch.block, violations);
    const std::optional<std::uint64_t> step = view.step.value_or(noStep);
    if (violations.size() != before || !step || !validateRun(experiment).empty()) return;
    const std::size_t size = traceWarp({experiment, {}, warp}).steps.size();
    if (*step >= size) {
        violations.push_back({"--step", std::to_string(*step + 1),
                              "at most " + std::to_string(size) + ", the last of warp " +
                                  std::to_string(warp.value)});
    }
}

/// A lesson and a launch of its own, or of none.
void validateLesson(const ShowOptions& options, const std::optional<Experiment>& experiment,
                    std::vector<LimitViolation>& violations) {
    if (!options.view.view.lesson) {
        if (options.answer) violations.push_back({"--answer", "given", "only with a lesson"});
        return;
    }
    const Lesson& lesson = lessonNamed(*options.view.view.lesson);
    if (!experiment) return;
    std::string known;
    for (const auto& [name, launch] : lesson.launches) {
        if (launch.scenario == experiment->scenario) return;
        if (known.find(' ' + launch.scenario) == std::string::npos) known += ' ' + launch.scenario;
    }
    violations.push_back(
        {"scenario", "'" + experiment->scenario + "'", "of lesson " + lesson.id + ":" + known});
}

/// Of the program that is to be shown, and of its text; says how it is made and run.
std::shared_ptr<const MeasuredProgram> measuredOf(const ShowOptions& options) {
    if (!options.program.empty()) {
        ExperimentOptions named;
        named.scenario = options.program;
        const TraceRequest request = traceRequestFrom(named, options.build);
        window::openProgramAs(request);
        return measuredFrom(options.measured, request);
    }
    if (!options.measured.empty()) {
        throw InvalidRequest({{"--measured", '\'' + options.measured + '\'',
                               "needs the .cu file that was measured"}});
    }
    if (options.build != ProgramOptions{}) {
        throw InvalidRequest(
            {{"a program's files, options and arguments", "given", "only with a .cu file"}});
    }
    return nullptr;
}

std::string toString(ScreenshotSize size) {
    return std::to_string(size.width) + 'x' + std::to_string(size.height);
}

}  // namespace

std::optional<Experiment> shownExperiment(ShowOptions& options) {
    ExperimentOptions& asked = options.experiment;
    std::optional<std::string>& lesson = options.view.view.lesson;
    if (!options.scene.empty()) {
        if (!asked.scenario.empty() || lesson) {
            throw InvalidRequest({{"--scene", "given", "without a scenario and a lesson"}});
        }
        try {
            if (options.scene.front() != '{') {
                options.scene = readFile(options.scene, window::longestScene);
            }
            return window::experimentOfScene(options.scene);
        } catch (const MalformedJson& wrong) {
            throw InvalidRequest({{"--scene", "no scene", wrong.what()}});
        } catch (const std::system_error& wrong) {
            throw InvalidRequest({{"--scene", "'" + options.scene + "'", wrong.what()}});
        }
    }
    if (isProgramPath(asked.scenario)) {
        options.program = std::exchange(asked.scenario, {});
        std::error_code why;
        if (!std::filesystem::exists(options.program, why)) {
            throw InvalidRequest({{"file", '\'' + options.program + '\'',
                                   why ? why.message() : "No such file or directory"}});
        }
        if (asked.grid || asked.block || !asked.set.empty() || asked.arrayOffset) {
            throw InvalidRequest(
                {{"--grid, --block, --set, --array-offset", "given",
                  "with a scenario; of a .cu file the window shows the program's own launches"}});
        }
        return initialExperiment(scenarioNamed("warp-grouping"));
    }
    // Of a course's scenario and lesson of one name the lesson, but with options of a launch.
    const bool bare = !asked.grid && !asked.block && asked.set.empty() && !asked.arrayOffset;
    const bool isOfCourse =
        openedCourse() != nullptr && asked.scenario.starts_with(openedCourse()->name + '/');
    const bool meansLesson =
        !lesson && ((bare && isOfCourse) || findScenario(asked.scenario) == nullptr);
    if (meansLesson && findLesson(asked.scenario) != nullptr) lesson = asked.scenario;
    if (asked.scenario.empty() && lesson) {
        asked.scenario = lessonNamed(*lesson).id;
    }
    if (!asked.scenario.empty()) return experimentFrom(asked);
    if (!bare) throw InvalidRequest({{"SCENARIO", "none", "needed with the options of a launch"}});
    return std::nullopt;
}

std::string screenshotSizes() {
    return "from " + toString(smallest) + " to " + toString(largest);
}

ScreenshotSize screenshotSizeFrom(const std::string& text) {
    const auto [width, height] =
        figure::sizeFrom(text, {smallest.width, smallest.height}, {largest.width, largest.height},
                         ' ' + screenshotSizes());
    return {width, height};
}

CLI::Option* addShowOptions(CLI::App& parser, ShowOptions& options) {
    CLI::Option* scenario = addExperimentOptions(parser, options.experiment);
    addArrayOffsetOption(parser, options.experiment);
    addMeasuringOptions(parser, options.worker);
    addRecordingsOption(parser, options.recordings);
    addViewOptions(parser, options.view);
    parser.add_flag("--answer", options.answer, "with the lesson's answer and its numbers");
    addNumber(parser, "--page", options.page, {.least = 1, .most = 16},
              "of the lesson, as the window numbers them; behind the first with its answer");
    addText(
        parser, "--guess", options.guess, "ANSWER",
        "with this as an answer to the lesson's question, a number; the window leaves it to you to "
        "press Answer");
    addText(parser, "--scene", options.scene, "SCENE",
            "show a scene that the window saved, or its line of text, which begins with {");
    addMeasuredOption(parser, options.measured);
    addBuildOptions(parser, options.build);
    parser.add_flag("--present", options.present, "the picture alone, readable from the back row");
    return scenario;
}

WindowOptions windowOptionsFrom(const ShowOptions& options, std::optional<Experiment> experiment) {
    std::vector<LimitViolation> violations = options.view.violations;
    ViewChange view = options.view.view;
    if (view.over) collect(violations, [&] { (void)axisFrom(*view.over); });
    validateLesson(options, experiment, violations);
    // Of a program nobody knows before it was traced.
    if (experiment && options.program.empty()) validateWarp(options, *experiment, violations);
    if (experiment && violations.empty() && view.over) {
        const bool covers = coveringGrid(*experiment) == experiment->launch.grid;
        collect(violations, [&] { (void)planOf(*experiment, covers, axisFrom(*view.over)); });
    }
    if (options.page && !view.lesson) {
        violations.push_back({"--page", "without a lesson", "says how far one is in a lesson"});
    }
    std::shared_ptr<const MeasuredProgram> measured;
    collect(violations, [&] { measured = measuredOf(options); });
    if (!options.guess.empty() && !view.lesson) {
        violations.push_back({"--guess", "without a lesson", "answers a lesson's question"});
    } else if (!options.guess.empty() && !lessonNamed(*view.lesson).question.choices.empty()) {
        violations.push_back({"--guess", "'" + options.guess + "'",
                              "for a question that asks for a number; lesson " + *view.lesson +
                                  " has answers to choose from"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    view.experiment = std::move(experiment);
    if (options.present) view.mode = Mode::present;
    // Of all steps, not of those of an array that was chosen last time.
    if (view.step) view.array = std::optional<std::size_t>();
    return {.view = std::move(view),
            .workerCommand = workerCommand(options.worker),
            .placeNamed = !options.worker.places.empty(),
            .device = options.worker.device,
            .counters = !options.worker.noCounters,
            .deadline = options.worker.deadline(),
            .timing = options.worker.timing,
            .program = options.program,
            .measured = std::move(measured),
            .scene = options.scene,
            .askFirst = options.askFirst,
            .lessonAnswered = options.answer || options.page.value_or(1) > 1,
            .lessonPage = options.page.value_or(1) - 1,
            .lessonGuess = options.guess,
            .library = libraryFrom(options.recordings),
            .settingsFile = {}};
}

}  // namespace warplens
