#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "core/launch/breach.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr const char* description =
    "Shows how CUDA weaves threads into warps, and measures what it costs.\n"
    "Without a command it opens the window.";

constexpr const char* footer =
    "Exit codes: 0 done, 1 failed, 2 the request is wrong, 3 not possible on this machine, 128 and "
    "its number after a signal.";

ExitCode explain(const CLI::ParseError& error, const CLI::App& program) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::string text = error.what();  // the version; help is for the command asked about
        if (dynamic_cast<const CLI::CallForVersion*>(&error) == nullptr) text = program.help();
        while (!text.empty() && text.back() == '\n') text.pop_back();
        print(text + '\n');
        return ExitCode::done;
    }
    complain(error.what() + std::string("\ntry `warplens --help`"));
    return ExitCode::invalid;
}

/// Options before a command would belong to no one.
void refuseStrayOptions(const CLI::App& program, const CLI::App& command) {
    for (const CLI::Option* option : program.get_options()) {
        if (option->count() == 0) continue;
        throw InvalidRequest({{option->get_name(), "before '" + command.get_name() + "'",
                               "must come after the command"}});
    }
}

std::function<ExitCode()> understand(int argumentCount, char** arguments) {
    const auto program = std::make_shared<CLI::App>(description, "warplens");
    program->footer(footer);
    program->set_version_flag("--version", "warplens " + version());
    const std::vector<Subcommand> commands{
        addListCommand(*program),       addDoctorCommand(*program),   addMapCommand(*program),
        addPredictCommand(*program),    addMeasureCommand(*program),  addOccupancyCommand(*program),
        addSweepCommand(*program),      addRooflineCommand(*program), addFigureCommand(*program),
        addScreenshotCommand(*program), addLessonCommand(*program)};
    const Subcommand window = addWindowCommand(*program);
    program->require_subcommand(0, 1);
    try {
        program->parse(argumentCount, arguments);
    } catch (const CLI::ParseError& error) {
        const ExitCode code = explain(error, *program);
        return [code] { return code; };
    }
    for (const Subcommand& command : commands) {
        if (!command.parser->parsed()) continue;
        refuseStrayOptions(*program, *command.parser);
        return [program, run = command.run] { return run(); };
    }
    return [program, run = window.run] { return run(); };
}

/// Calls `act`, says what it throws, and gives the exit code for it.
ExitCode explaining(const std::function<ExitCode()>& act) {
    try {
        return act();
    } catch (const OutputClosed&) {
        return ExitCode::done;
    } catch (const InvalidRequest& invalid) {
        for (const Breach& breach : invalid.breaches()) complain(toString(breach));
        return ExitCode::invalid;
    } catch (const CommandFailed& failure) {
        complain(failure.what());
        return failure.code();
    } catch (const std::bad_alloc&) {
        complain("out of memory");
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return ExitCode::failed;
}

}  // namespace

std::function<int()> understandCommandLine(int argumentCount, char** arguments) {
    // A reader of our output that has gone, and a file that may not grow, are noticed where we
    // write.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::function<ExitCode()> run;
    const ExitCode code = explaining([&] {
        run = understand(argumentCount, arguments);
        return ExitCode::done;
    });
    if (!run) return [code] { return static_cast<int>(code); };
    return [run] { return static_cast<int>(explaining(run)); };
}

int runCommandLine(int argumentCount, char** arguments) {
    return understandCommandLine(argumentCount, arguments)();
}

}  // namespace warplens
