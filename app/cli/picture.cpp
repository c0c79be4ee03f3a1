#include "app/cli/picture.h"

#include <charconv>

#include "app/lessons/library.h"

namespace warplens {
namespace {

constexpr ScreenshotSize smallest{640, 360};
constexpr ScreenshotSize largest{7680, 4320};

/// Of an experiment that is not named here, the window drops what it has not.
void validateWarp(const ShowOptions& options, const std::optional<Experiment>& experiment) {
    std::vector<Breach> breaches;
    if (options.warp && experiment) {
        const std::uint32_t warps = warpCountPerBlock(experiment->launch.block);
        if (*options.warp >= warps) {
            breaches.push_back({"--warp", std::to_string(*options.warp),
                                "at most " + std::to_string(warps - 1) + ", the block's last"});
        }
    }
    if (options.step == std::uint64_t{0}) breaches.push_back({"--step", "0", "at least 1"});
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
}

std::string toString(ScreenshotSize size) {
    return std::to_string(size.width) + 'x' + std::to_string(size.height);
}

}  // namespace

std::optional<Experiment> shownExperiment(ShowOptions& options) {
    ExperimentOptions& asked = options.experiment;
    if (options.lesson.empty() && findScenario(asked.scenario) == nullptr &&
        findLesson(asked.scenario) != nullptr) {
        options.lesson = std::exchange(asked.scenario, {});
    }
    const bool bare = !asked.grid && !asked.block && asked.set.empty() && asked.arrayOffset.empty();
    if (!options.lesson.empty() && asked.scenario.empty()) {
        const Experiment& here = lessonNamed(options.lesson).here();
        if (bare) return here;
        asked.scenario = here.scenario;
    }
    if (!asked.scenario.empty()) return experimentFrom(asked);
    if (!bare) throw InvalidRequest({{"SCENARIO", "none", "needed with the options of a launch"}});
    return std::nullopt;
}

ScreenshotSize screenshotSizeFrom(const std::string& text) {
    ScreenshotSize size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool separated = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
    const auto height = std::from_chars(separated ? width.ptr + 1 : end, end, size.height);
    const bool within = size.width >= smallest.width && size.width <= largest.width &&
                        size.height >= smallest.height && size.height <= largest.height;
    if (!separated || height.ec != std::errc{} || height.ptr != end || !within) {
        throw InvalidRequest(
            {{"--size", "'" + text + "'",
              "WIDTHxHEIGHT from " + toString(smallest) + " to " + toString(largest)}});
    }
    return size;
}

CLI::Option* addShowOptions(CLI::App& parser, ShowOptions& options) {
    CLI::Option* scenario = addExperimentOptions(parser, options.experiment);
    addMeasuringOptions(parser, options.worker);
    addRecordingsOption(parser, options.recordings);
    addLookOptions(parser, options.look);
    parser.add_option("--warp", options.warp, "hold this warp of the block, from 0")
        ->check(emptyProblem);
    parser.add_option("--step", options.step, "show this step of the warp, from 1")
        ->check(emptyProblem);
    parser.add_option("--below", options.below, "under the threads: memory or source");
    parser.add_option("--lesson", options.lesson,
                      "open this lesson and its scene; `warplens lesson` lists them");
    parser.add_flag("--answer", options.answer, "with the lesson's answer and its numbers");
    return scenario;
}

WindowOptions windowOptionsFrom(const ShowOptions& options, std::optional<Experiment> experiment) {
    validate(options.look);
    validateWarp(options, experiment);
    if (!options.lesson.empty()) (void)lessonNamed(options.lesson);
    if (!options.below.empty() && options.below != "memory" && options.below != "source") {
        throw InvalidRequest({{"--below", "'" + options.below + "'", "one of memory source"}});
    }
    if (options.answer && options.lesson.empty()) {
        throw InvalidRequest({{"--answer", "without --lesson", "shows a lesson's answer"}});
    }
    return {.experiment = std::move(experiment),
            .workerCommand = workerCommand(options.worker),
            .counters = !options.worker.noCounters,
            .theme = options.look.theme,
            .textScale = options.look.textScale.value_or(0),
            .warp = options.warp ? std::optional(WarpRank{*options.warp}) : std::nullopt,
            .step = options.step,
            .view = options.look.view,
            .tab = options.look.tab,
            .over = options.look.over,
            .below = options.below,
            .lesson = options.lesson,
            .lessonAnswered = options.answer,
            .library = libraryFrom(options.recordings),
            .settingsFile = {}};
}

}  // namespace warplens
