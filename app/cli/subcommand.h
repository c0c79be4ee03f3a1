#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/launch/launch.h"

namespace warplens {

/// What the program tells the shell; after a signal, 128 and its number (progress.h).
enum class ExitCode {
    done = 0,
    failed = 1,
    invalid = 2,     ///< the request is wrong
    impossible = 3,  ///< not possible on this machine
};

struct ExitCodeRow final {
    ExitCode code;
    const char* words;
};
inline constexpr std::array<ExitCodeRow, 4> exitCodes{
    {{ExitCode::done, "done"},
     {ExitCode::failed, "failed"},
     {ExitCode::invalid, "the request is wrong"},
     {ExitCode::impossible, "not possible on this machine"}}};

/// Ends a command; the message, one or more lines, says why.
class CommandFailed final : public std::runtime_error {
  public:
    CommandFailed(ExitCode code, const std::string& message)
        : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

// How options are declared. The parser is the one table of them: help, man page and completions
// are written from it (command_table.h), so that what each option takes is said here, once.

/// What stands for an option's value, and what completes it. Words joined by | are a choice.
namespace value {
inline constexpr const char* scenario = "SCENARIO";
inline constexpr const char* lesson = "LESSON";
inline constexpr const char* file = "FILE";
inline constexpr const char* folder = "FOLDER";
inline constexpr const char* command = "COMMAND";
inline constexpr const char* extents = "X,Y,Z";
inline constexpr const char* setting = "NAME=NUMBER";
inline constexpr const char* axis = "NAME=VALUES";
inline constexpr const char* size = "WIDTHxHEIGHT";
inline constexpr const char* quantity = "QUANTITY";
inline constexpr const char* capability = "CC";
inline constexpr const char* device = "GPU";
inline constexpr const char* number = "NUMBER";
}  // namespace value

/// Where to find the commands, and which of them the word is near to.
[[nodiscard]] std::string nearCommands(const CLI::App& program, std::string_view typed);

/// Carries out `read`, or adds what is wrong to `violations`.
void collect(std::vector<LimitViolation>& violations, const std::function<void()>& read);

/// Adds what is wrong with a word that is not one of those there are; it may be empty.
void requireOneOf(std::span<const std::string_view> words, const char* name,
                  const std::string& given, std::vector<LimitViolation>& violations);

/// `dark|light`.
[[nodiscard]] std::string choiceOf(std::span<const std::string_view> words);

/// An option that takes text as it is typed.
CLI::Option* addText(CLI::App& parser, const char* names, std::optional<std::string>& target,
                     const std::string& takes, const std::string& help);
CLI::Option* addText(CLI::App& parser, const char* names, std::string& target,
                     const std::string& takes, const std::string& help);

/// The same of one that may be repeated.
CLI::Option* addText(CLI::App& parser, const char* names, std::vector<std::string>& target,
                     const std::string& takes, const std::string& help);

/// What a number may be.
struct NumberLimits final {
    double least = 0;
    double most = std::numeric_limits<double>::max();
    const char* unit = "";  ///< `seconds`; empty for plain numbers and counts named in the help
    bool whole = true;
    bool aboveLeast = false;  ///< it must be larger than `least`
};
/// `a whole number from 0 to 63`, `a number of seconds from 0.1 to 86400`.
[[nodiscard]] std::string toString(const NumberLimits& limits);

/// The number that `text` is. Throws InvalidRequest that names the option and the limits.
[[nodiscard]] double numberFrom(const std::string& option, const std::string& text,
                                const NumberLimits& limits);

/// `--output` of `-o,--output`.
[[nodiscard]] std::string lastOf(std::string_view names);

/// An option that takes a number, its limits told in the help. `target` is set as it is read, where
/// other text throws InvalidRequest.
template <class Number>
CLI::Option* addNumber(CLI::App& parser, const char* names, std::optional<Number>& target,
                       const NumberLimits& limits, const std::string& help) {
    const std::string name = lastOf(names);
    return parser
        .add_option_function<std::string>(
            names,
            [&target, name, limits](const std::string& text) {
                target = static_cast<Number>(numberFrom(name, text, limits));
            },
            help + "; " + toString(limits))
        ->type_name(value::number);
}

/// Whether an option of that name was given.
[[nodiscard]] bool isGiven(const CLI::App& parser, const std::string& name);

/// Adds a violation for each of the options that was given: each is of use `only` then.
void refuseIdle(const CLI::App& parser, const std::vector<const char*>& names,
                const std::string& only, std::vector<LimitViolation>& violations);

/// Which form of a table is asked for.
struct TableOptions final {
    bool csv = false;
    bool markdown = false;
    [[nodiscard]] bool asked() const { return csv || markdown; }
};
/// --csv and --markdown, which exclude one another and --json.
void addTableFlags(CLI::App& parser, TableOptions& options,
                   const char* rows = "every number, one to a line");

/// One subcommand: its parser, and what to do once the command line was understood. `run` throws
/// InvalidRequest, CommandFailed or any other exception where it cannot finish.
struct Subcommand final {
    CLI::App* parser;
    std::function<ExitCode()> run;
    /// Where what follows `--` goes: the arguments of a user program. Null for a command without.
    std::vector<std::string>* programArguments = nullptr;
    /// The documents that it prints, but for those that core knows, and what makes their schemas.
    std::vector<std::pair<Document, std::string (*)(Document)>> schemas{};
};

/// Each adds its parser to the program.
using AddSubcommand = Subcommand(CLI::App& program);
AddSubcommand addListCommand, addDoctorCommand, addSetupCompilerCommand, addMapCommand;
AddSubcommand addPredictCommand, addMeasureCommand, addOccupancyCommand, addDescribeCommand;
AddSubcommand addSweepCommand, addRooflineCommand, addFigureCommand, addScreenshotCommand;
AddSubcommand addAnnotateCommand, addExplainCommand, addCheckCommand, addExportCommand;
AddSubcommand addLessonCommand, addProgressCommand, addNewCourseCommand, addDocumentationCommand;

/// The program without a subcommand; its parser is the program's own.
[[nodiscard]] Subcommand addWindowCommand(CLI::App& program);

/// All of them but the last.
[[nodiscard]] std::vector<Subcommand> addCommands(CLI::App& program);

}  // namespace warplens
