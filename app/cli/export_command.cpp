#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>

#include "app/cli/check_course.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "app/window/opening.h"
#include "app/window/program_tracer.h"
#include "app/window/state/apply.h"
#include "app/window/state/scene.h"
#include "core/course/course.h"
#include "core/json/json.h"
#include "core/program/page_document.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

#include "embedded/warplens_page.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

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

void refuseAbove(std::size_t bytes) {
    if (bytes <= mostPageBytes) return;
    throw CommandFailed(ExitCode::failed, "the page would carry at least " + std::to_string(bytes) +
                                              " bytes of trace, at most " +
                                              std::to_string(mostPageBytes) +
                                              ": choose a launch that is smaller");
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
    std::size_t carried = 0;
    // The page looks for a block to show as the window does: it finds those that this one comes to.
    window::AppState shown = state;
    window::apply(shown, window::ProgramTraced{path, version});
    for (const LaunchReport& launch : version->trace.launches) {
        if (!launch.traced || launches++ == mostLaunches) continue;
        std::vector<Index3> blocks = someBlocks(launch.launch.grid);
        window::apply(shown, window::ChooseProgramLaunch{launch.index});
        for (std::size_t next = 0; next < blocks.size(); ++next) {
            const window::Command traced = window::traceStepsNow(
                {path, version, launch.index, blocks[next], state.program.wishes}, {});
            endIfInterrupted();
            const auto* steps = traced.as<window::ProgramStepsTraced>();
            if (steps == nullptr || steps->steps->steps == nullptr) continue;
            program.steps.push_back(pageStepsOf(*steps->steps->steps));
            carried += program.steps.back().frame.size();
            refuseAbove(carried);
            window::apply(shown, traced);
            if (std::ranges::find(blocks, shown.view.block) == blocks.end())
                blocks.push_back(shown.view.block);
        }
    }
    if (options.measured) program.measured = *options.measured;
    return program;
}

/// With the PTX of its kernels, since a page has no compiler.
PageCourse courseOf(const Course& course) {
    PageCourse page{course.name, {}};
    for (const Kernel& kernel : course.kernels) {
        page.files.push_back({kernel.file, kernel.text});
        for (const auto kind : {library::PtxKind::source, library::PtxKind::optimized})
            page.files.push_back(
                {"ptx/" + ptxFile(kernel, kind), std::string(ptxOf(kernel, kind))});
    }
    for (const CourseText& lesson : course.lessons) {
        page.files.push_back({lesson.file, lesson.text});
        if (!lesson.exercise.empty())
            page.files.push_back(
                {fs::path(lesson.file).replace_extension(".cu").string(), lesson.exercise});
    }
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(course.folder / "recordings", none)) {
        if (entry.path().extension() == ".json")
            page.files.push_back(
                {"recordings/" + entry.path().filename().string(), readFile(entry.path())});
    }
    return page;
}

std::string documentOf(const WindowOptions& options) {
    const window::Opening opening = window::openState(options);
    PageDocument page;
    if (const Course* const course = openedCourse()) page.course = courseOf(*course);
    if (opening.state.program.isOpen()) {
        page.program = programOf(opening.state, options);
    } else {
        page.scene = window::sceneOf(opening.state);
    }
    std::string text = toPageJson(page);
    refuseAbove(text.size());
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

constexpr const char* head =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "img-src data:; style-src ";

/// What a page is called in its tab.
std::string pageTitle() {
    return escapedXml(openedCourse() != nullptr ? openedCourse()->name : "Warplens");
}

/// A class's page: the lessons of the course, else the built-in ones, in order.
std::string listOfLessons() {
    const std::string title = pageTitle();
    std::string page = head + sourceOf("lessons.css") + "\">\n<title>" + title +
                       "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
    page += engineFile("lessons.css");
    page += "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
    char group = 0;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (openedCourse() != nullptr && lesson.group != courseGroup) continue;
        if (lesson.group != group) {
            page += group == 0 ? "" : "</ol>\n";
            if (lesson.group != courseGroup)
                page += "<h2>" + escapedXml(groupHeading(lesson.group)) + "</h2>\n";
            page += "<ol>\n";
            group = lesson.group;
        }
        page += "<li><a href=\"lessons.html#lesson/" + lesson.id + "\">" +
                escapedXml(lesson.title) + "</a></li>\n";
    }
    if (group == 0)
        throw CommandFailed(ExitCode::invalid, title +
                                                   " has no lessons; -o page.html makes a page "
                                                   "of one of its scenarios");
    return page + "</ol>\n</body>\n</html>\n";
}

std::string pageOf(const std::string& document) {
    const auto packed = [](std::string_view id, std::string_view name) {
        return "</script>\n<script type=\"application/octet-stream\" id=\"" + std::string(id) +
               "\">" + toBase64(std::as_bytes(std::span(engineFile(name))));
    };
    const std::string_view style = engineFile("page.css");
    const std::string_view script = engineFile("page.js");
    const std::string_view glue = engineFile("warplens.js");
    std::string page = head;
    page += sourceOf("page.css") + "; script-src 'wasm-unsafe-eval' " + sourceOf("page.js") + " " +
            sourceOf("warplens.js");
    page += "\">\n<title>" + pageTitle() + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
    page += style;
    page +=
        "</style>\n</head>\n<body>\n<canvas id=\"canvas\" tabindex=\"0\" "
        "aria-describedby=\"described\"></canvas>\n<p id=\"said\" role=\"status\">Warplens is "
        "loading.</p>\n<p id=\"described\"></p>\n<noscript><p>Warplens needs JavaScript and "
        "WebAssembly.</p></noscript>\n<script type=\"application/json\" id=\"document\">";
    page += withoutBrackets(document);
    page += packed("recordings", "warplens.data") + packed("engine", "warplens.wasm.gz");
    page += "</script>\n<script>";
    page += script;
    page += "</script>\n<script>";
    page += glue;
    page += "</script>\n</body>\n</html>\n";
    return page;
}

/// Of a course that was exported: how many faults it has, and where they are told. Where nothing
/// compiles its exercises those that were seen when it was read.
void tellFaults(const std::string& folder) {
    std::size_t faults = openedCourse()->faults.size();
    try {
        faults = checkOpenedCourse(folder).faults.size();
    } catch (const std::exception&) {
        endIfInterrupted();
    }
    if (faults != 0)
        std::cerr << "the course has " << counted(faults, "fault")
                  << ", and they are exported with it: `warplens check " << folder
                  << "` says which\n";
}

ExitCode run(ExportOptions& options) {
    const std::string ending = fs::path(options.path).extension();
    std::error_code none;
    const bool isSite = options.path.ends_with('/') || fs::is_directory(options.path, none);
    std::vector<LimitViolation> violations;
    if (!isSite && ending != ".html" && ending != ".json") {
        violations.push_back({"--output", "'" + options.path + "'",
                              "a file whose name ends in .html, or in .json for a hosted page, or "
                              "a folder, `site/`, for a class"});
    }
    std::optional<Experiment> experiment;
    collect(violations, [&] { experiment = shownExperiment(options.show); });
    if (!isSite && !experiment && options.show.program.empty() && options.show.scene.empty() &&
        violations.empty()) {
        violations.push_back({"SCENARIO", "none", "a scenario, a lesson or a .cu file"});
    }
    if (isSite && !options.show.program.empty()) {
        violations.push_back(
            {"--output", "'" + options.path + "'", "of a program one file, `page.html`"});
    }
    if (options.show.view.view.theme) {
        violations.push_back(
            {"--theme", "given", "of pictures; a page opens dark or light as its reader has it"});
    }
    if (options.show.page || options.show.answer || !options.show.guess.empty()) {
        violations.push_back({"--page, --answer, --guess", "given",
                              "of pictures; an exported lesson opens at its question"});
    }
    WindowOptions window;
    if (violations.empty())
        collect(violations, [&] { window = windowOptionsFrom(options.show, experiment); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    if (isSite) fs::create_directories(options.path);
    const auto path =
        fs::absolute(isSite ? fs::path(options.path) / "lessons.html" : fs::path(options.path));
    requireWritable("--output", path);
    // A page names the file, not the folders of whoever made it.
    if (const fs::path program = window.program; program.has_parent_path()) {
        ExperimentOptions named;
        named.scenario = program;
        TraceRequest request = traceRequestFrom(named, options.show.build);
        const fs::path folder = fs::absolute(program.parent_path());
        const auto fromThere = [&](const fs::path& each) {
            return fs::absolute(each).lexically_normal().lexically_proximate(
                folder.lexically_normal());
        };
        for (auto* const paths : {&request.source.files, &request.readable})
            std::ranges::transform(*paths, paths->begin(), fromThere);
        for (std::string& include : request.source.includes) include = fromThere(include);
        fs::current_path(folder);
        window::openProgramAs(request);
        window.program = program.filename();
    }
    const InterruptNoted noted;
    const std::string document = documentOf(window);
    if (isSite) writeFileAtomically(path.parent_path() / "index.html", listOfLessons());
    writeFileAtomically(path, ending == ".json" ? document : pageOf(document));
    if (openedCourse() != nullptr) tellFaults(openedCourse()->folder.string());
    return ExitCode::done;
}

}  // namespace

Subcommand addExportCommand(CLI::App& program) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* parser = program.add_subcommand(
        "export",
        "one page of a scenario, a lesson, a course or a .cu file, which opens in any browser");
    addShowOptions(*parser, options->show);
    addText(*parser, "-o,--output", options->path, value::file,
            "page to write, its name ends in .html; or in .json for a hosted page to open; or a "
            "folder, site/, for the lessons of a course, else the built-in ones")
        ->required();
    return {.parser = parser,
            .run = [options] { return run(*options); },
            .programArguments = &options->show.build.arguments};
}

}  // namespace warplens
