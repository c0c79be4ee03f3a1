#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <ranges>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "app/window/settings.h"
#include "app/window/state/learn_page.h"
#include "app/window/window.h"
#include "core/course/course.h"
#include "core/json/archive.h"
#include "core/launch/launch.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"

#include "embedded/warplens_cli.h"

/// For a class: what a teacher collects, and a course to begin with.
namespace warplens {
namespace window {

static void describe(Archive& v, LessonStanding& one) {
    v("lesson", one.lesson, "Its id.");
    v("title", one.title, "Its title.");
    v("answered", one.answered,
      "`right`, `shown` (the answer was asked for), `open`, or `not begun`.");
    v("tries", one.tries, "Answers that were tried, wrong and right.");
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
        {"lesson", "answered", "tries", "hints", "exercise", "pages", "title"}};
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

/// A row of CSV, whose cells may be quoted.
std::vector<std::string> csvCells(std::string_view row) {
    std::vector<std::string> cells(1);
    bool isQuoted = false;
    for (std::size_t at = 0; at < row.size(); ++at) {
        if (row[at] == '"' && isQuoted && row.substr(at + 1).starts_with('"')) {
            cells.back() += row[++at];
        } else if (row[at] == '"') {
            isQuoted = !isQuoted;
        } else if (row[at] == ',' && !isQuoted) {
            cells.emplace_back();
        } else {
            cells.back() += row[at];
        }
    }
    return cells;
}

/// The rows of all files that were handed in, below one head; whose have no name, as those of a
/// page have none, have their file's. Of a file with a line that is no such row it has none, and
/// says so.
TextRows classTable(const std::vector<std::string>& files, std::vector<std::string>& refused) {
    TextRows table = window::rowsOf("", {});
    const std::size_t width = table.front().size();
    for (const std::string& file : files) {
        const std::size_t before = table.size();
        const std::string text = readFile(file);
        std::size_t number = 0;
        for (const std::string_view line : splitLines(text)) {
            ++number;
            if (trimmed(line).empty()) continue;
            std::vector<std::string> cells = csvCells(trimmed(line));
            if (number == 1 ? cells != table.front() : cells.size() != width) {
                refused.push_back(file + ':' + std::to_string(number));
                table.resize(before);
                break;
            }
            if (cells == table.front()) continue;
            if (cells.front().empty()) cells.front() = fs::path(file).stem().string();
            table.push_back(std::move(cells));
        }
        if (number == 0) refused.push_back(file + ":1");
    }
    return table;
}

/// Of a student's lessons, or of a lesson's students.
struct ClassSum final {
    std::string name;
    std::string title{};
    std::size_t begun = 0;
    std::size_t right = 0;
    std::size_t shown = 0;
    std::size_t read = 0;  ///< to the last page
    std::size_t exercises = 0;
    unsigned long tries = 0;
};

/// Who has come how far, and where most went wrong, of `classTable`.
std::string classOverview(const TextRows& table) {
    std::vector<ClassSum> students;
    std::vector<ClassSum> lessons;
    const std::vector<std::string>& head = table.front();
    for (const std::vector<std::string>& cells : table | std::views::drop(1)) {
        const auto cell = [&](std::string_view name) -> const std::string& {
            return cells[static_cast<std::size_t>(std::ranges::find(head, name) - head.begin())];
        };
        const auto sumOf = [](std::vector<ClassSum>& sums, const std::string& name) -> ClassSum& {
            const auto known = std::ranges::find(sums, name, &ClassSum::name);
            return known != sums.end() ? *known : sums.emplace_back(ClassSum{name});
        };
        for (ClassSum* sum : {&sumOf(students, cell("name")), &sumOf(lessons, cell("lesson"))}) {
            sum->title = cell("title");
            sum->begun += cell("answered") == "not begun" ? 0 : 1;
            sum->right += cell("answered") == "right" ? 1 : 0;
            sum->shown += cell("answered") == "shown" ? 1 : 0;
            sum->read += cell("page") == cell("pages") ? 1 : 0;
            sum->exercises += cell("exercise") == "1" ? 1 : 0;
            sum->tries += std::strtoul(cell("tries").c_str(), nullptr, 10);
        }
    }
    const auto rowsOf = [](const char* what, const std::vector<ClassSum>& sums, bool hasTitle) {
        std::vector<std::vector<std::string>> rows{{what, "begun", "answered right", "answer shown",
                                                    "tries", "read to the end", "exercise done"}};
        if (hasTitle) rows.front().emplace_back("title");
        for (const ClassSum& one : sums) {
            rows.push_back({one.name, std::to_string(one.begun), std::to_string(one.right),
                            std::to_string(one.shown), std::to_string(one.tries),
                            std::to_string(one.read), std::to_string(one.exercises)});
            if (hasTitle) rows.back().push_back(one.title);
        }
        return toTable(rows);
    };
    const std::size_t all = lessons.size();
    std::erase_if(lessons, [](const ClassSum& one) { return one.begun == 0; });
    std::ranges::stable_sort(lessons, std::greater{}, [](const ClassSum& one) {
        return std::pair(one.tries - one.right, one.shown);
    });
    std::string told = counted(students.size(), "student") + '\n' +
                       rowsOf("student", students, false) + '\n' + std::to_string(lessons.size()) +
                       " of " + counted(all, "lesson") +
                       " begun, those with most wrong answers first\n";
    if (!lessons.empty()) told += rowsOf("lesson", lessons, true);
    return told + "--csv prints every row\n";
}

/// Those of a folder that holds them and no course.
std::vector<std::string> handedIn(const std::vector<std::string>& from) {
    if (from.size() != 1 || !fs::is_directory(from[0]) || fs::is_directory(from[0] + "/lessons"))
        return from;
    std::vector<std::string> files;
    for (const fs::directory_entry& file : fs::directory_iterator(from[0])) {
        if (file.path().extension() == ".csv") files.push_back(file.path().string());
    }
    std::ranges::sort(files);
    return files.empty() ? from : files;
}

ExitCode tellProgress(const ProgressOptions& options) {
    const auto isFolder = [](const std::string& path) { return fs::is_directory(path); };
    const std::vector<std::string> files = handedIn(options.from);
    if (files.size() > 1 || (!files.empty() && files[0].ends_with(".csv"))) {
        if (options.json || !options.name.empty() || std::ranges::any_of(files, isFolder))
            throw InvalidRequest({{"COURSE", "'" + files.back() + "'",
                                   "one course, or files of `progress --csv` alone, told in words "
                                   "or with --csv or --markdown"}});
        std::vector<std::string> refused;
        const TextRows table = classTable(files, refused);
        for (const std::string& file : refused)
            complain(file + ": not what `progress --csv` writes");
        if (refused.size() == files.size()) return ExitCode::failed;
        print(options.table.csv        ? toCsv(table)
              : options.table.markdown ? toMarkdown(table)
                                       : classOverview(table));
        return refused.empty() ? ExitCode::done : ExitCode::failed;
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
    addText(
        *parser, "COURSE", options->from, value::folder,
        "only the lessons of a course; or the .csv files of a class, or their folder: who has "
        "come how far and where most went wrong, with --csv or --markdown all rows as one table")
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
