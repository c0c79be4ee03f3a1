#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "app/window/settings.h"
#include "app/window/state/lesson_standing.h"
#include "app/window/window.h"
#include "core/course/course.h"
#include "core/json/archive.h"
#include "core/launch/launch.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "core/text/joined.h"

#include "embedded/warplens_cli.h"

/// For a class: what a teacher collects, and a course to begin with.
namespace warplens {
namespace window {

static void describe(Archive& v, LessonStanding& one) {
    v("lesson", one.lesson, "Its id.");
    v("title", one.title, "Its title.");
    v("answered", one.answered,
      "`right`, `shown` (the answer was asked for), `open`, or `not begun`.");
    v("tries", one.tries, "Wrong answers.");
    v("hints", one.hints, "Hints taken.");
    v("goal", one.goal, "Whether its goal was reached.");
    v("exercise", one.exercise, "Whether its exercise was put right.");
    v("page", one.page, "Pages read.");
    v("pages", one.pages, "Pages there are.");
}

}  // namespace window

namespace {

namespace fs = std::filesystem;

struct ProgressReport final {
    std::string name;
    std::vector<window::LessonStanding> lessons{};
};

void describe(Archive& v, ProgressReport& report) {
    describeVersion(v);
    v("name", report.name, "As given by `--name`; empty where none was.");
    v("lessons", report.lessons, "All lessons, in the order of the list.");
}

struct ProgressOptions final {
    std::vector<std::string> from{};  ///< a course's folder, or files that were handed in
    std::string name{};
    bool json = false;
    TableOptions table;
};

ProgressReport progressNow(const ProgressOptions& options) {
    const window::SettingsReading reading = window::readSettings(defaultSettingsFile());
    if (!reading.problem.empty()) throw CommandFailed(ExitCode::failed, reading.problem);
    return {options.name, window::standingsOf(reading.settings.progress, !options.from.empty())};
}

std::string textOf(const ProgressReport& report) {
    std::vector<std::vector<std::string>> rows{
        {"lesson", "answered", "wrong tries", "hints", "exercise", "pages", "title"}};
    for (const window::LessonStanding& one : report.lessons) {
        rows.push_back({one.lesson, one.answered, std::to_string(one.tries),
                        std::to_string(one.hints), one.exercise ? "done" : "-",
                        std::to_string(one.page) + " of " + std::to_string(one.pages), one.title});
    }
    const auto right =
        std::ranges::count(report.lessons, "right", &window::LessonStanding::answered);
    return (report.name.empty() ? "" : report.name + "\n") + toTable(rows) + std::to_string(right) +
           " of " + counted(report.lessons.size(), "lesson") + " answered right\n";
}

/// The rows of all files that were handed in, below one head; whose have no name, as those of a
/// page have none, have their file's.
std::string classTable(const std::vector<std::string>& files) {
    const std::string head = joined(window::rowsOf("", {}).front(), ",");
    std::string table = head + '\n';
    for (const std::string& file : files) {
        const std::string text = readFile(file);
        const std::string name(trimmed(toCsv({{fs::path(file).stem().string()}})));
        std::string rows;
        bool isHead = true;
        for (std::string_view line : splitLines(text)) {
            line = trimmed(line);
            if (std::exchange(isHead, false) && line != head) break;
            if (line != head && !line.empty())
                rows += (line.starts_with(',') ? name : "") + std::string(line) + '\n';
        }
        if (rows.empty())
            throw InvalidRequest({{"FILE", "'" + file + "'", "what `progress --csv` writes"}});
        table += rows;
    }
    return table;
}

ExitCode tellProgress(const ProgressOptions& options) {
    const auto isFolder = [](const std::string& path) { return fs::is_directory(path); };
    if (options.from.size() > 1 || (!options.from.empty() && options.from[0].ends_with(".csv"))) {
        if (options.json || options.table.markdown || !options.name.empty() ||
            std::ranges::any_of(options.from, isFolder))
            throw InvalidRequest({{"COURSE", "'" + options.from.back() + "'",
                                   "one course, or files of `progress --csv` alone, whose table "
                                   "is CSV"}});
        print(classTable(options.from));
        return ExitCode::done;
    }
    if (!options.from.empty()) openCourse(readCourse(options.from.front()));
    const ProgressReport report = progressNow(options);
    printResult(
        options.json, options.table, Document::progress, [&] { return report; },
        [&] { return window::rowsOf(report.name, report.lessons); },
        [&] { return textOf(report); });
    return ExitCode::done;
}

ExitCode beginCourse(const std::string& name) {
    const fs::path folder(name);
    if (!isCourseName(folder.filename().string())) {
        throw InvalidRequest(
            {{"NAME", "'" + name + "'", "letters, digits, - and _: ids begin with it"}});
    }
    std::error_code error;
    if (fs::exists(folder, error)) {
        throw InvalidRequest({{"NAME", "'" + name + "'", "is there already; name a new folder"}});
    }
    if (!fs::create_directories(folder / "lessons", error)) {
        throw CommandFailed(ExitCode::failed, name + " cannot be made: " + error.message());
    }
    for (const auto& file : course_template::embeddedFiles()) {
        writeFileAtomically(folder / std::string(file.name), file.bytes);
    }
    print(
        name + "/copy.cu, " + name + "/lessons/copy.json and its exercise, " + name +
        "/lessons/copy.cu, are there to be changed.\n`warplens " + name +
        "` shows them, and a lesson anew when you save it; a kernel's changes it shows when it is "
        "started again. `warplens check " +
        name + "` says what is wrong.\n");
    return ExitCode::done;
}

}  // namespace

Subcommand addProgressCommand(CLI::App& program) {
    const auto options = std::make_shared<ProgressOptions>();
    CLI::App* parser = program.add_subcommand(
        "progress", "how far you have come in the lessons, to hand in; nothing is sent anywhere");
    addText(*parser, "COURSE", options->from, value::folder,
            "only the lessons of a course; or the .csv files of a class, as one table")
        ->allow_extra_args()
        ->expected(-1);
    addText(*parser, "--name", options->name, "WORDS", "who you are, if you like");
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table, "every lesson, one to a line");
    return {.parser = parser,
            .run = [options] { return tellProgress(*options); },
            .schemas = {{Document::progress, schemaFor<ProgressReport>}}};
}

Subcommand addNewCourseCommand(CLI::App& program) {
    const auto name = std::make_shared<std::string>();
    CLI::App* parser = program.add_subcommand(
        "new-course",
        "a folder with a kernel, a lesson and its exercise, to make a course of your own from");
    addText(*parser, "NAME", *name, value::folder, "of the folder, which is made")->required();
    return {parser, [name] { return beginCourse(*name); }};
}

}  // namespace warplens
