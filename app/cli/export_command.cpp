#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/window/opening.h"
#include "app/window/program_tracer.h"
#include "app/window/state/scene.h"
#include "core/json/json.h"
#include "core/program/page_document.h"
#include "core/text/encoding.h"
#include "core/text/files.h"

#include "embedded/warplens_page.h"

namespace warplens {
namespace {

struct ExportOptions final {
    ShowOptions show;
    std::string path;
};

/// The first blocks of a grid, and its last.
std::vector<Index3> someBlocks(const Extents& grid) {
    constexpr std::uint64_t first = 2;
    std::vector<Index3> blocks;
    for (std::uint64_t rank = 0; rank < std::min(first, grid.count()); ++rank)
        blocks.push_back(blockIndexInGrid(rank, grid));
    if (grid.count() > first) blocks.push_back(blockIndexInGrid(grid.count() - 1, grid));
    return blocks;
}

/// Its launches, and what the warps of some blocks of the first ones do.
PageProgram programOf(const window::AppState& state, const WindowOptions& options) {
    constexpr std::size_t mostLaunches = 8;
    const std::string& path = state.program.path;
    auto version = std::make_shared<window::ProgramVersion>(
        window::traceVersion(path, state.program.wishes, {}, {}));
    endIfInterrupted();
    if (!version->failure.empty()) throw CommandFailed(ExitCode::invalid, version->failure);
    PageProgram program{.lines = version->lines,
                        .statements = version->statements,
                        .digest = version->digest,
                        .trace = version->trace};
    std::size_t launches = 0;
    for (const LaunchReport& launch : version->trace.launches) {
        if (!launch.traced || launches++ == mostLaunches) continue;
        for (const Index3 block : someBlocks(launch.launch.grid)) {
            const window::Command traced = window::traceStepsNow(
                {path, version, launch.index, block, state.program.wishes}, {});
            endIfInterrupted();
            const auto* steps = traced.as<window::ProgramStepsTraced>();
            if (steps != nullptr && steps->steps->steps != nullptr)
                program.steps.push_back(pageStepsOf(*steps->steps->steps));
        }
    }
    if (options.measured) program.measured = *options.measured;
    return program;
}

std::string documentOf(const WindowOptions& options) {
    const window::Opening opening = window::openState(options);
    PageDocument page;
    if (opening.state.program.isOpen()) {
        page.program = programOf(opening.state, options);
    } else {
        page.scene = window::sceneOf(opening.state);
    }
    std::string text = toPageJson(page);
    if (text.size() > mostPageBytes) {
        throw CommandFailed(ExitCode::failed,
                            "the page would carry " + std::to_string(text.size()) +
                                " bytes of trace, at most " + std::to_string(mostPageBytes) +
                                ": choose a launch that is smaller");
    }
    return text;
}

std::string_view engineFile(std::string_view name) {
    for (const auto& file : page_files::embeddedFiles()) {
        if (file.name == name) return file.bytes;
    }
    throw CommandFailed(ExitCode::impossible,
                        "this build of Warplens has no page in it: scripts/build_page.sh makes it, "
                        "and `-o data.json` writes what a hosted page opens");
}

/// The source that a Content-Security-Policy names a file of the page by.
std::string sourceOf(std::string_view name) {
    const std::string_view hex = engineFile(std::string(name) + ".sha256");
    std::vector<std::byte> bytes;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
        bytes.push_back(
            static_cast<std::byte>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16)));
    return "'sha256-" + toBase64(bytes) + "'";
}

/// As text of an element: an angle bracket of JSON may be written as an escape.
std::string withoutBrackets(const std::string& json) {
    std::string text;
    for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
    return text;
}

std::string pageOf(const std::string& document) {
    const std::string_view engine = engineFile("warplens.wasm.gz");
    const std::string_view style = engineFile("page.css");
    const std::string_view script = engineFile("page.js");
    const std::string_view glue = engineFile("warplens.js");
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "img-src data:; style-src ";
    page += sourceOf("page.css") + "; script-src 'wasm-unsafe-eval' " + sourceOf("page.js") + " " +
            sourceOf("warplens.js");
    page += "\">\n<title>Warplens</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
    page += style;
    page +=
        "</style>\n</head>\n<body>\n<canvas id=\"canvas\" tabindex=\"0\" "
        "aria-describedby=\"described\"></canvas>\n<p id=\"said\" role=\"status\">Warplens is "
        "loading.</p>\n<p id=\"described\"></p>\n<noscript><p>Warplens needs JavaScript and "
        "WebAssembly.</p></noscript>\n<script type=\"application/json\" id=\"document\">";
    page += withoutBrackets(document);
    page += "</script>\n<script type=\"application/octet-stream\" id=\"engine\">";
    page += toBase64(std::as_bytes(std::span(engine)));
    page += "</script>\n<script>";
    page += script;
    page += "</script>\n<script>";
    page += glue;
    page += "</script>\n</body>\n</html>\n";
    return page;
}

ExitCode run(ExportOptions& options) {
    const std::string ending = std::filesystem::path(options.path).extension();
    std::vector<LimitViolation> violations;
    if (ending != ".html" && ending != ".json") {
        violations.push_back({"--output", "'" + options.path + "'",
                              "a file whose name ends in .html, or in .json for a hosted page"});
    }
    std::optional<Experiment> experiment;
    collect(violations, [&] { experiment = shownExperiment(options.show); });
    if (!experiment && options.show.program.empty() && options.show.scene.empty() &&
        violations.empty()) {
        violations.push_back({"SCENARIO", "none", "a scenario, a lesson or a .cu file"});
    }
    WindowOptions window;
    if (violations.empty())
        collect(violations, [&] { window = windowOptionsFrom(options.show, experiment); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    requireWritable("--output", options.path);
    const auto path = std::filesystem::absolute(options.path);
    // A page names the file, not the folders of whoever made it.
    if (const std::filesystem::path program = window.program; program.has_parent_path()) {
        std::filesystem::current_path(program.parent_path());
        window.program = program.filename();
    }
    const InterruptNoted noted;
    const std::string document = documentOf(window);
    writeFileAtomically(path, ending == ".json" ? document : pageOf(document));
    return ExitCode::done;
}

}  // namespace

Subcommand addExportCommand(CLI::App& program) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* parser = program.add_subcommand(
        "export", "one page of a scenario, a lesson or a .cu file, which opens in any browser");
    addShowOptions(*parser, options->show);
    addText(*parser, "-o,--output", options->path, value::file,
            "page to write, its name ends in .html; or in .json for a hosted page to open")
        ->required();
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
