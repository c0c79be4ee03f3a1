#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"

namespace CLI {
class App;
}  // namespace CLI

namespace warplens {

/// One subcommand: its parser, and what to do once the command line was understood. `run` throws
/// InvalidRequest, CommandFailed or any other exception where it cannot finish.
struct Subcommand final {
    CLI::App* parser;
    std::function<ExitCode()> run;
    /// Where what follows `--` goes: the arguments of a user program. Null for a command without.
    std::vector<std::string>* programArguments = nullptr;
};

/// Each adds its parser to the program.
[[nodiscard]] Subcommand addListCommand(CLI::App& program);
[[nodiscard]] Subcommand addDoctorCommand(CLI::App& program);
[[nodiscard]] Subcommand addMapCommand(CLI::App& program);
[[nodiscard]] Subcommand addPredictCommand(CLI::App& program);
[[nodiscard]] Subcommand addAnnotateCommand(CLI::App& program);
[[nodiscard]] Subcommand addMeasureCommand(CLI::App& program);
[[nodiscard]] Subcommand addOccupancyCommand(CLI::App& program);
[[nodiscard]] Subcommand addSweepCommand(CLI::App& program);
[[nodiscard]] Subcommand addRooflineCommand(CLI::App& program);
[[nodiscard]] Subcommand addDescribeCommand(CLI::App& program);
[[nodiscard]] Subcommand addFigureCommand(CLI::App& program);
[[nodiscard]] Subcommand addLessonCommand(CLI::App& program);
[[nodiscard]] Subcommand addCheckCommand(CLI::App& program);
[[nodiscard]] Subcommand addScreenshotCommand(CLI::App& program);
[[nodiscard]] Subcommand addDocumentationCommand(CLI::App& program);

/// The program without a subcommand; its parser is the program's own.
[[nodiscard]] Subcommand addWindowCommand(CLI::App& program);

}  // namespace warplens
