#include "app/cli/picture.h"

#include <charconv>

namespace warplens {
namespace {

constexpr ScreenshotSize smallest{640, 360};
constexpr ScreenshotSize largest{7680, 4320};

std::string toString(ScreenshotSize size) {
    return std::to_string(size.width) + 'x' + std::to_string(size.height);
}

}  // namespace

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
    return scenario;
}

WindowOptions windowOptionsFrom(const ShowOptions& options, std::optional<Experiment> experiment) {
    validate(options.look);
    return {.experiment = std::move(experiment),
            .workerCommand = workerCommand(options.worker),
            .counters = !options.worker.noCounters,
            .theme = options.look.theme,
            .textScale = options.look.textScale,
            .library = libraryFrom(options.recordings),
            .settingsFile = {}};
}

}  // namespace warplens
