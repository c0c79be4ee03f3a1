#include "app/cli/picture.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/cli/declare.h"
#include "app/cli/kept_measurement.h"
#include "app/cli/page_options.h"
#include "app/cli/program_options.h"
#include "app/drawing/warp_trace.h"
#include "app/lessons/library.h"
#include "app/window/state/scene.h"
#include "core/measurement/json.h"
#include "core/sweep/plan.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

constexpr ScreenshotSize smallest{640, 360};
constexpr ScreenshotSize largest{7680, 4320};

constexpr std::array<std::string_view, 2> lowerParts{"memory", "source"};
constexpr NumberLimits warps{.least = 0, .most = 31};
constexpr NumberLimits steps{.least = 1, .most = stepsKept};

/// Of an experiment that is not named here, the window drops what it has not.
void validateWarp(const ShowOptions& options, const Experiment& experiment,
                  std::vector<LimitViolation>& violations) {
    const std::size_t before = violations.size();
    requireWarp(options.warp, experiment.launch.block, violations);
    if (violations.size() != before || !options.step || !validateRun(experiment).empty()) return;
    const WarpRank warp{options.warp.value_or(0)};
    const std::size_t size = traceWarp({experiment, {}, warp}).steps.size();
    if (*options.step > size) {
        violations.push_back({"--step", std::to_string(*options.step),
                              "at most " + std::to_string(size) + ", the last of warp " +
                                  std::to_string(warp.value)});
    }
}

/// A lesson and a launch of its own, or of none.
void validateLesson(const ShowOptions& options, const std::optional<Experiment>& experiment,
                    std::vector<LimitViolation>& violations) {
    if (options.lesson.empty()) {
        if (options.answer) violations.push_back({"--answer", "given", "only with a lesson"});
        return;
    }
    const Lesson& lesson = lessonNamed(options.lesson);
    if (!experiment) return;
    std::string known;
    for (const auto& [name, launch] : lesson.launches) {
        if (launch.scenario == experiment->scenario) return;
        if (known.find(' ' + launch.scenario) == std::string::npos) known += ' ' + launch.scenario;
    }
    violations.push_back(
        {"scenario", "'" + experiment->scenario + "'", "of lesson " + lesson.id + ":" + known});
}

/// Of the program that is to be shown, and of its text.
std::shared_ptr<const MeasuredProgram> measuredOf(const ShowOptions& options) {
    if (!options.measured.empty() && options.program.empty()) {
        throw InvalidRequest({{"--measured", '\'' + options.measured + '\'',
                               "needs the .cu file that was measured"}});
    }
    TraceRequest request;
    request.source.files = {options.program};
    return measuredFrom(options.measured, request);
}

std::string toString(ScreenshotSize size) {
    return std::to_string(size.width) + 'x' + std::to_string(size.height);
}

}  // namespace

std::optional<Experiment> shownExperiment(ShowOptions& options) {
    ExperimentOptions& asked = options.experiment;
    if (!options.scene.empty()) {
        if (!asked.scenario.empty() || !options.lesson.empty()) {
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
    if (options.lesson.empty() && findScenario(asked.scenario) == nullptr &&
        findLesson(asked.scenario) != nullptr) {
        options.lesson = asked.scenario;
    }
    if (asked.scenario.empty() && !options.lesson.empty()) {
        asked.scenario = lessonNamed(options.lesson).id;
    }
    if (!asked.scenario.empty()) return experimentFrom(asked);
    const bool bare = !asked.grid && !asked.block && asked.set.empty() && !asked.arrayOffset;
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
    addLookOptions(parser, options.look);
    addNumber(parser, "--warp", options.warp, warps, "hold this warp of the block");
    addNumber(parser, "--step", options.step, steps, "show this step of the warp");
    addText(parser, "--below", options.below, choiceOf(lowerParts),
            "what stands under the threads");
    addText(parser, "--lesson", options.lesson, value::lesson,
            "open this lesson and its scene; `warplens lesson` lists them");
    parser.add_flag("--answer", options.answer, "with the lesson's answer and its numbers");
    addNumber(parser, "--page", options.page, {.least = 1, .most = 16},
              "with --answer: this page of the lesson, as the window numbers them");
    addText(parser, "--guess", options.guess, "ANSWER",
            "with this as an answer to the lesson's question");
    addText(parser, "--scene", options.scene, "SCENE",
            "show a scene that the window saved, or its line of text, which begins with {");
    addMeasuredOption(parser, options.measured);
    parser.add_flag("--present", options.present, "the picture alone, readable from the back row");
    return scenario;
}

WindowOptions windowOptionsFrom(const ShowOptions& options, std::optional<Experiment> experiment) {
    std::vector<LimitViolation> violations;
    collect(violations, [&] { validate(options.look); });
    validateLesson(options, experiment, violations);
    // Of a program nobody knows before it was traced.
    if (experiment && options.program.empty()) validateWarp(options, *experiment, violations);
    if (experiment && violations.empty() && !options.look.over.empty()) {
        const bool covers = coveringGrid(*experiment) == experiment->launch.grid;
        collect(violations,
                [&] { (void)planOf(*experiment, covers, axisFrom(options.look.over)); });
    }
    requireOneOf(lowerParts, "--below", options.below, violations);
    if (options.page && !options.answer) {
        violations.push_back({"--page", "without --answer", "says how far one is in a lesson"});
    }
    std::shared_ptr<const MeasuredProgram> measured;
    collect(violations, [&] { measured = measuredOf(options); });
    if (!options.guess.empty() && options.lesson.empty()) {
        violations.push_back({"--guess", "without a lesson", "answers a lesson's question"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return {.experiment = std::move(experiment),
            .workerCommand = workerCommand(options.worker),
            .placeNamed = !options.worker.places.empty(),
            .device = options.worker.device,
            .counters = !options.worker.noCounters,
            .deadline = options.worker.deadline(),
            .timing = options.worker.timing,
            .theme = options.look.theme,
            .textScale = options.look.textScale.value_or(0),
            .warp = options.warp ? std::optional(WarpRank{*options.warp}) : std::nullopt,
            .step = options.step,
            .view = options.look.view,
            .tab = options.look.tab,
            .over = options.look.over,
            .below = options.below,
            .program = options.program,
            .measured = std::move(measured),
            .scene = options.scene,
            .askFirst = options.askFirst,
            .lesson = options.lesson,
            .lessonAnswered = options.answer,
            .lessonPage = options.page.value_or(1) - 1,
            .lessonGuess = options.guess,
            .present = options.present,
            .library = libraryFrom(options.recordings),
            .settingsFile = {}};
}

}  // namespace warplens
