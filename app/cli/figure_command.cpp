#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/figure/compose.h"
#include "core/measurement/json.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

struct FigureOptions final {
    ExperimentOptions experiment;
    std::optional<std::string> recordings;
    std::string path;
    std::string size = "1280x720";
    std::string theme = "light";
    bool json = false;
};

std::string toJsonText(const Experiment& experiment, const FigureOptions& options,
                       const figure::Page& page) {
    using Json = nlohmann::ordered_json;
    Json object = Json::parse(toJson(experiment, -1));
    object["path"] = std::filesystem::absolute(options.path).string();
    object["width"] = page.size.width;
    object["height"] = page.size.height;
    object["theme"] = options.theme;
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// Carries out `read`, or adds what is wrong to `breaches`.
void collect(std::vector<Breach>& breaches, const std::function<void()>& read) {
    try {
        read();
    } catch (const InvalidRequest& invalid) {
        breaches.insert(breaches.end(), invalid.breaches().begin(), invalid.breaches().end());
    }
}

ExitCode run(const FigureOptions& options) {
    std::vector<Breach> breaches;
    figure::Page page;
    figure::Format format{};
    Experiment experiment;
    collect(breaches, [&] { experiment = experimentFrom(options.experiment); });
    collect(breaches, [&] { format = figure::formatOf(options.path); });
    collect(breaches, [&] { page.size = figure::pageSizeFrom(options.size); });
    collect(breaches, [&] { page.theme = figure::themeFrom(options.theme); });
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));

    const RecordingLibrary library = libraryFrom(options.recordings);
    const figure::Subject subject =
        figure::subjectOf(experiment, figure::recordingOf(library, experiment));
    writeFileAtomically(options.path, figure::render(figure::compose(subject, page), format));
    if (options.json) print(toJsonText(experiment, options, page));
    return ExitCode::done;
}

}  // namespace

Subcommand addFigureCommand(CLI::App& program) {
    const auto options = std::make_shared<FigureOptions>();
    CLI::App* parser = program.add_subcommand(
        "figure", "draw a launch for a slide or a paper into a PDF, SVG or PNG");
    addExperimentOptions(*parser, options->experiment)->required();
    addRecordingsOption(*parser, options->recordings);
    parser->add_option("-o,--output", options->path, "file to write: .pdf, .svg or .png")
        ->required();
    parser->add_option("--size", options->size, "points or pixels, as in 1280x720")
        ->capture_default_str();
    parser->add_option("--theme", options->theme, "light, dark or print")->capture_default_str();
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
