#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/documentation/command_table.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/course/course.h"
#include "core/launch/launch.h"
#include "core/scenario/scenario.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/course/course_ptx.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/run_child.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

void open(const fs::path& folder) {
    Course course = readCourse(folder);
    for (const CourseFault& fault : course.faults) complain(toString(fault));
    course::providePtx();
    openCourse(std::move(course));
}

/// What is opened with a course: its first lesson, which a scenario may share its id with, or else
/// its first scenario.
std::string firstOf(const Course& course, bool takesLesson) {
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (lesson.group == courseGroup) return (takesLesson ? "--lesson=" : "") + lesson.id;
    }
    for (const Scenario& scenario : allScenarios()) {
        if (scenario.group == courseGroup) return std::string(scenario.id);
    }
    return course.name;
}

/// Options whose word is a path of its own.
bool isValueOf(const std::string& option) {
    constexpr std::array flags{"--json", "--csv", "--markdown", "--answer", "--unconfined"};
    return option.starts_with('-') && std::ranges::find(flags, option) == flags.end();
}

/// After `--lesson` the course's are called without its name, or with the folder's path.
void nameLessonIn(std::vector<std::string>& words) {
    if (openedCourse() == nullptr) return;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i - 1] != "--lesson" || findLesson(words[i]) != nullptr) continue;
        const std::string full =
            openedCourse()->name + '/' + fs::path(words[i]).filename().string();
        if (findLesson(full) != nullptr) words[i] = full;
    }
}

/// The same of a scenario behind `--against`, with its options in the same word.
void nameAgainstIn(std::vector<std::string>& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t end = std::min(words[i].find(' '), words[i].size());
        const fs::path path(words[i].substr(0, end));
        std::error_code error;
        if (words[i - 1] != "--against" || !path.has_parent_path() || fs::exists(path, error) ||
            path.extension().string().starts_with(".cu") || !looksLikeCourse(path.parent_path()))
            continue;
        if (openedCourse() == nullptr) open(path.parent_path());
        if (fs::equivalent(openedCourse()->folder, path.parent_path(), error))
            words[i].replace(0, end, openedCourse()->name + '/' + path.filename().string());
    }
}

void openFirstCourseNamedIn(std::vector<std::string>& words) {
    constexpr std::array takeFolders{"check", "progress", "new-course"};
    if (words.size() > 1 && std::ranges::find(takeFolders, words[1]) != takeFolders.end()) return;
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::string& word = words[i];
        const bool isLesson = words[i - 1] == "--lesson";
        if (word.starts_with('-') || (i > 1 && isValueOf(words[i - 1]) && !isLesson)) continue;
        std::error_code error;
        const bool isOpen = openedCourse() != nullptr;
        if (!isLesson && fs::is_directory(word, error)) {
            const bool opensWindow = i == 1 || words[1].starts_with('-');
            const bool isArgument = opensWindow || words[1] == "screenshot" || words[1] == "list" ||
                                    words[1] == "lesson" || words[1] == "export" ||
                                    word.find('/') != std::string::npos;
            if (!isArgument || !looksLikeCourse(word)) continue;
            if (!isOpen)
                open(word);
            else if (!fs::equivalent(openedCourse()->folder, word, error))
                continue;
            const bool isNamed = std::ranges::any_of(
                words, [](const std::string& each) { return each.starts_with("--lesson"); });
            if (isNamed || words[1] == "list" || (words[1] == "lesson" && i == 2)) {
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                word = firstOf(*openedCourse(),
                               opensWindow || words[1] == "screenshot" || words[1] == "export");
            }
            return;
        }
        const fs::path path(word);
        const bool isSource = path.extension().string().starts_with(".cu");  // `x.cu:11`, too
        if (isOpen || !path.has_parent_path() || isSource || fs::exists(path, error) ||
            !looksLikeCourse(path.parent_path()))
            continue;
        open(path.parent_path());
        word = openedCourse()->name + '/' + path.filename().string();
        if (!isLesson) return;  // whose course may be named, too
    }
}

/// Opens the course that the command line speaks of: a folder with .cu files, where a scenario or a
/// lesson may stand (`docs/course`, which becomes the first of its lessons or scenarios), or
/// something below such a folder (`docs/course/brighten`, which becomes `course/brighten`). Words
/// of `check` stay. Throws InvalidRequest for a folder that is none of a course.
void openCourseNamedIn(std::vector<std::string>& words) {
    openFirstCourseNamedIn(words);
    for (const std::string& word : words)
        if (word.ends_with(".cu")) openCourseOfExercise(word);
    nameLessonIn(words);
    nameAgainstIn(words);
}

}  // namespace

void openCourseOfExercise(const std::string& file) {
    std::error_code error;
    if (openedCourse() != nullptr || !fs::is_regular_file(file, error)) return;
    const std::string text = readFile(file);
    const std::string_view id = exerciseNamedIn(text);
    const std::string name(id.substr(0, id.find('/')));
    if (name.size() == id.size() || !isCourseName(name)) return;
    const auto openIn = [&](const fs::path& folder) {
        const bool isIt = looksLikeCourse(folder / name);
        if (isIt) open(folder / name);
        return isIt;
    };
    for (fs::path at = fs::absolute(file).parent_path();; at = at.parent_path())
        if (openIn(at) || at == at.parent_path()) break;
    if (openedCourse() == nullptr) openIn(fs::current_path());
}

namespace {

constexpr const char* description =
    "Shows how CUDA weaves threads into warps, and measures what it costs.\n"
    "Without a command it opens the window.";

/// `Exit codes: 0 done, 1 failed, ...`
std::string footer() {
    const auto row = [](const ExitCodeRow& of) {
        return std::to_string(static_cast<int>(of.code)) + ' ' + of.words;
    };
    return "Exit codes: " + joined(exitCodes, ", ", row) + ", 128 and its number after a signal.";
}

/// Whether JSON is asked for, also where the rest of the command line makes no sense.
bool asksForJson(const std::vector<std::string>& words) {
    return std::ranges::find(words, "--json") != words.end();
}

/// An option with more values than it takes, or with none. CLI11's own words for it differ from
/// version to version.
std::optional<LimitViolation> miscounted(const CLI::App& parser) {
    for (const CLI::App* command : parser.get_subcommands()) {
        if (auto violation = miscounted(*command)) return violation;
    }
    for (const CLI::Option* option : parser.get_options()) {
        const CLI::results_t& given = option->results();
        if (given.size() > 1 &&
            given.size() > static_cast<std::size_t>(option->get_items_expected_max())) {
            std::string values;
            for (const std::string& value : given)
                values += (values.empty() ? "'" : ", '") + value + "'";
            return LimitViolation{option->get_name(), values, "at most once"};
        }
    }
    return std::nullopt;
}

/// Help and version, which CLI11 throws too.
void printAskedFor(const CLI::ParseError& error, const CLI::App& program) {
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
        print("warplens " + version() + '\n');
        return;
    }
    const std::vector<CLI::App*> asked = program.get_subcommands();  // those that were given
    print(helpText(commandTable(program), asked.empty() ? "" : asked.front()->get_name()));
}

/// `; did you mean '--apply'?`
std::string nearOptions(const CLI::App& command, std::string_view typed) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return didYouMean(typed.substr(0, typed.find('=')),
                      std::vector<std::string_view>(names.begin(), names.end()));
}

Trouble troubleFrom(const CLI::ParseError& error, const CLI::App& program) {
    const std::vector<CLI::App*> given = program.get_subcommands();
    const CLI::App& command = given.empty() ? program : *given.front();
    Trouble trouble{
        .code = ExitCode::invalid,
        .message = error.what(),
        .advice = "try `warplens " + (given.empty() ? "" : command.get_name() + ' ') + "--help`"};
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        for (const std::string& word : program.remaining(true)) {
            if (!word.starts_with("--")) continue;
            if (program.get_option_no_throw(word) == nullptr) {
                if (trouble.advice.ends_with('`')) trouble.advice += nearOptions(command, word);
                continue;
            }
            trouble.message =
                word + " belongs to the window and `warplens screenshot`, not to this command";
        }
        // What is taken for a scenario may be a command.
        const CLI::Option* const named = program.get_option_no_throw("SCENARIO");
        if (program.get_subcommands().empty() && named != nullptr && named->count() != 0)
            trouble.advice = nearCommands(program, named->results().front());
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return trouble;
    if (auto violation = miscounted(program)) {
        trouble.message = toString(*violation);
        trouble.problems.push_back(std::move(*violation));
    } else {
        trouble.message = trouble.message.substr(0, trouble.message.find(':')) + " needs a value";
    }
    return trouble;
}

bool runsPrograms(const std::string& command) {
    constexpr std::array<std::string_view, 11> all{"predict",  "measure",  "occupancy",  "sweep",
                                                   "roofline", "figure",   "screenshot", "lesson",
                                                   "check",    "annotate", "explain"};
    return std::ranges::find(all, command) != all.end();
}

void addUnconfinedFlag(CLI::App& parser) {
    parser.add_flag_callback("--unconfined", allowUnconfined,
                             "of .cu files and courses: run them although this machine cannot keep "
                             "them from your files and your other programs");
}

/// Options before a command would belong to no one.
void refuseStrayOptions(const CLI::App& program, const CLI::App& command) {
    for (const CLI::Option* option : program.get_options()) {
        if (option->count() == 0) continue;
        throw InvalidRequest({{option->get_name(), "before '" + command.get_name() + "'",
                               "must come after the command"}});
    }
}

/// Gives the command what stood after `--`.
void hand(std::optional<std::vector<std::string>> programArguments, const Subcommand& command) {
    if (!programArguments) return;
    if (command.programArguments == nullptr) {
        throw InvalidRequest({{"--", "given",
                               "not to this command: what follows it are the arguments of a .cu "
                               "file's program"}});
    }
    *command.programArguments = std::move(*programArguments);
}

std::function<ExitCode()> understand(int argumentCount, char** arguments,
                                     std::optional<std::vector<std::string>> programArguments,
                                     bool json) {
    const auto program = std::make_shared<CLI::App>(description, "warplens");
    program->footer(footer());
    program->set_help_flag("-h,--help", "print this, and do nothing else");
    program->set_version_flag("--version", "warplens " + version(),
                              "print the version, and do nothing else");
    const std::vector<Subcommand> commands = addCommands(*program);
    const Subcommand window = addWindowCommand(*program);
    addUnconfinedFlag(*window.parser);
    for (const Subcommand& command : commands) {
        if (runsPrograms(command.parser->get_name())) addUnconfinedFlag(*command.parser);
    }
    program->require_subcommand(0, 1);
    try {
        program->parse(argumentCount, arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            printAskedFor(error, *program);
            return [] { return ExitCode::done; };
        }
        tell(troubleFrom(error, *program), json);
        return [] { return ExitCode::invalid; };
    }
    for (const Subcommand& command : commands) {
        if (!command.parser->parsed()) continue;
        refuseStrayOptions(*program, *command.parser);
        hand(std::move(programArguments), command);
        return [program, run = command.run] { return run(); };
    }
    hand(std::move(programArguments), window);
    return [program, run = window.run] { return run(); };
}

Trouble troubleFrom(const InvalidRequest& invalid) {
    const auto words = [](const LimitViolation& of) { return sanitizedLine(toString(of)); };
    return {.code = ExitCode::invalid,
            .message = joined(invalid.violations(), "\n", words),
            .problems = invalid.violations()};
}

/// Calls `act`, tells what it throws, and gives the exit code for it.
ExitCode explaining(bool json, const std::function<ExitCode()>& act) {
    Trouble trouble;
    try {
        return act();
    } catch (const OutputClosed&) {
        return ExitCode::done;
    } catch (const InvalidRequest& invalid) {
        trouble = troubleFrom(invalid);
    } catch (const CommandFailed& failure) {
        trouble = {failure.code(), failure.what()};
    } catch (const NotConfined& refusal) {
        trouble = {.code = ExitCode::impossible,
                   .message = std::string("nothing was run: ") + refusal.what(),
                   .advice = "--unconfined runs it all the same"};
    } catch (const NoCompiler& none) {
        trouble = {ExitCode::impossible, none.what()};
    } catch (const std::bad_alloc&) {
        trouble.message = "out of memory";
    } catch (const std::exception& error) {
        trouble.message = error.what();
    }
    // Whatever a signal broke off says so in its own words; the shell is told of the signal.
    if (InterruptNoted::happened() && static_cast<int>(trouble.code) < signalCodes) {
        trouble = {exitCodeForSignal(InterruptNoted::signal()), "cancelled"};
    }
    try {
        tell(trouble, json);
    } catch (const std::exception&) {
        // Nobody reads standard output any more; the words stand on standard error.
    }
    return trouble.code;
}

}  // namespace

std::vector<Subcommand> addCommands(CLI::App& program) {
    return {addListCommand(program),          addDoctorCommand(program),
            addSetupCompilerCommand(program), addMapCommand(program),
            addPredictCommand(program),       addMeasureCommand(program),
            addOccupancyCommand(program),     addSweepCommand(program),
            addRooflineCommand(program),      addFigureCommand(program),
            addScreenshotCommand(program),    addExportCommand(program),
            addDescribeCommand(program),      addLessonCommand(program),
            addCheckCommand(program),         addDocumentationCommand(program),
            addAnnotateCommand(program),      addExplainCommand(program),
            addProgressCommand(program),      addNewCourseCommand(program)};
}

std::function<int()> understandCommandLine(int argumentCount, char** arguments) {
    // A reader of our output that has gone, and a file that may not grow, are noticed where we
    // write.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    cancelChildrenWhen(&InterruptNoted::happened);
    std::vector<std::string> words(arguments, arguments + argumentCount);
    auto programArguments = takeProgramArguments(words);
    const bool json = asksForJson(words);
    std::function<ExitCode()> run;
    const ExitCode code = explaining(json, [&] {
        openCourseNamedIn(words);
        std::vector<char*> named;
        for (std::string& word : words) named.push_back(word.data());
        const int count = static_cast<int>(named.size());
        named.push_back(nullptr);
        run = understand(count, named.data(), std::move(programArguments), json);
        return ExitCode::done;
    });
    if (!run) return [code] { return static_cast<int>(code); };
    return [run, json] { return static_cast<int>(explaining(json, run)); };
}

int runCommandLine(int argumentCount, char** arguments) {
    return understandCommandLine(argumentCount, arguments)();
}

}  // namespace warplens
