#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/picture.h"
#include "app/cli/subcommand.h"
#include "core/measurement/json.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr double largestZoom = 1e12;

struct ScreenshotOptions final {
    ShowOptions show;
    std::string path;
    std::string size = "1920x1080";
    std::string map = "block";
    double zoom = 1;
    bool measure = false;
    bool force = false;
    bool json = false;
};

std::string toJsonText(const Experiment& experiment, const ScreenshotOptions& options,
                       ScreenshotSize size) {
    using Json = nlohmann::ordered_json;
    Json object{{"version", version()}};
    object.update(Json::parse(toJson(experiment, -1)));
    object["path"] = std::filesystem::absolute(options.path).string();
    object["width"] = size.width;
    object["height"] = size.height;
    object["measured"] = options.measure;
    return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

ExitCode run(ScreenshotOptions& options) {
    if (options.path.empty()) throw InvalidRequest({{"--output", "''", "the file to write"}});
    const std::string ending = std::filesystem::path(options.path).extension();
    if (ending != ".png" && ending != ".PNG") {
        throw InvalidRequest({{"--output", "'" + options.path + "'",
                               "a name that ends in .png; `warplens figure` draws PDF and SVG"}});
    }
    const ScreenshotSize size = screenshotSizeFrom(options.size);
    const Experiment experiment = shownExperiment(options.show).value();
    if (options.measure) {
        const std::vector<Breach> breaches = validateRun(experiment);
        if (!breaches.empty()) throw InvalidRequest(breaches);
    }
    WindowOptions window = windowOptionsFrom(options.show, experiment);
    if (options.map != "block" && options.map != "grid") {
        throw InvalidRequest({{"--map", "'" + options.map + "'", "one of block grid"}});
    }
    if (!(options.zoom > 0) || options.zoom > largestZoom) {
        throw InvalidRequest(
            {{"--zoom", plainNumber(options.zoom), "above 0, at most 1e12"}});
    }
    window.wholeGrid = options.map == "grid";
    window.zoom = options.zoom;
    requireNoneButPictureLost("--output", options.path, options.force);
    const InterruptNoted noted;
    std::optional<Measurement> fresh;
    if (options.measure) {
        fresh = measureNow(experiment, options.show.worker);
        endIfInterrupted();
        addPredictions(*fresh);
    }
    try {
        writeScreenshot(window, size, fresh, options.path);
    } catch (const WindowUnavailable& reason) {
        throw CommandFailed(ExitCode::impossible, reason.what());
    }
    if (options.json) {
        printDocument(Document::screenshot, toJsonText(experiment, options, size));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addScreenshotCommand(CLI::App& program) {
    const auto options = std::make_shared<ScreenshotOptions>();
    CLI::App* parser =
        program.add_subcommand("screenshot", "draw the whole window into a PNG, without a display");
    addShowOptions(*parser, options->show)->required();
    parser->add_option("-o,--output", options->path, "file to write")->required();
    addForceFlag(*parser, options->force);
    parser->add_option("--size", options->size, "pixels, as in 1920x1080")->capture_default_str();
    parser->add_option("--map", options->map, "what the map shows: block or grid")
        ->capture_default_str();
    parser->add_option("--zoom", options->zoom, "so many times as large as that")
        ->check(emptyProblem)
        ->capture_default_str();
    parser->add_flag("--measure", options->measure, "measure first and show the fresh numbers");
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
