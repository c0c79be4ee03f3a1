#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <unistd.h>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "core/json/archive.h"
#include "core/launch/launch.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "kernels/programs/compiler.h"

namespace warplens {
namespace {

constexpr const char* licence =
    "NVIDIA's, the End User License Agreement of the CUDA Toolkit "
    "(https://docs.nvidia.com/cuda/eula/)";

bool isAcceptedBefore() {
    const char* answer = std::getenv(licenceVariable);
    return answer != nullptr && std::string_view(answer) == "1";
}

bool canAsk() {
    return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

std::string whatIsDone(const std::filesystem::path& from) {
    const std::string place = " into " + programs::ownCompilerFolder().string();
    if (!from.empty()) return "This copies NVIDIA's compiler from " + from.string() + place + ".";
    return "This fetches NVIDIA's compiler (" + formatBytes(programs::bytesToFetch()) +
           " with pip, " + formatBytes(programs::bytesUnpacked) + " on the disk)" + place + ".";
}

bool isYes(std::string_view answer) {
    answer = trimmed(answer);
    return answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes";
}

/// Says what would be put where, under which licence, and asks. `from` is empty where it would be
/// fetched. Throws CommandFailed where the answer is no (exit code 1), and where nobody can be
/// asked (3).
void askForCompiler(const std::filesystem::path& from) {
    complain(whatIsDone(from));
    complain(std::string("Its licence is ") + licence + ".");
    if (isAcceptedBefore()) return;
    if (!canAsk()) {
        throw CommandFailed(ExitCode::impossible,
                            std::string("nobody can be asked here whether you accept it: ") +
                                licenceVariable + "=1 in the environment says that you do");
    }
    std::cerr << "warplens: Do you accept it, and shall this be done? [y/N] " << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer) || !isYes(answer))
        throw CommandFailed(ExitCode::failed, "no compiler was set up");
}

/// Asks, and sets it up, showing how far it is. Throws InvalidRequest and CommandFailed.
programs::OwnCompiler setUpCompilerShowing(const std::filesystem::path& from) {
    if (const std::string words = from.empty() ? programs::whyNotFetched() : ""; !words.empty())
        throw CommandFailed(ExitCode::impossible, "the compiler was not set up: " + words);
    askForCompiler(from);
    const InterruptNoted noted;
    ProgressLine line("beginning");
    try {
        return programs::setUpCompiler(from, [&](double done, const std::string& what) {
            endIfInterrupted();
            line.show(done, what);
        });
    } catch (const Cancelled&) {
        endIfInterrupted();
        throw;
    } catch (const programs::CompilerNotSetUp& reason) {
        throw CommandFailed(ExitCode::impossible, reason.what());
    }
}

struct SetupOptions final {
    std::optional<std::string> from;
    bool remove = false;
    bool json = false;
};

/// What lies in Warplens' own folder afterwards.
struct SetupReport final {
    std::string done;
    std::string folder = programs::ownCompilerFolder().string();
    std::string nvcc{};
    std::string version{};
    std::uint64_t bytes = 0;
};

void describe(Archive& v, SetupReport& report) {
    describeVersion(v);
    v("done", report.done, "What was done: `set up`, `there already`, `removed`, `not there`.");
    v("folder", report.folder, "The folder that is the compiler's own.");
    v("nvcc", report.nvcc, "The compiler in there; empty where there is none.");
    v("compiler", report.version,
      "Its version: 13.5; empty where there is none, or it cannot run.");
    v("bytes", report.bytes, "What it takes on the disk, or took.");
}

SetupReport reportOf(std::string done, const programs::OwnCompiler& own) {
    return {.done = std::move(done),
            .nvcc = own.compiler.nvcc.string(),
            .version = own.version,
            .bytes = own.bytes};
}

SetupReport carriedOut(const SetupOptions& options) {
    if (options.remove) {
        const auto bytes = programs::removeOwnCompiler();
        return {.done = bytes ? "removed" : "not there", .bytes = bytes.value_or(0)};
    }
    if (!options.from) {
        if (const auto own = programs::ownCompiler()) return reportOf("there already", *own);
    } else if (std::error_code error; !std::filesystem::is_directory(*options.from, error)) {
        throw InvalidRequest({{"--from", "'" + *options.from + "'", "must be a folder"}});
    }
    return reportOf("set up", setUpCompilerShowing(options.from.value_or("")));
}

ExitCode run(const SetupOptions& options) {
    SetupReport report;
    try {
        report = carriedOut(options);
    } catch (const programs::CompilerNotSetUp& reason) {
        throw CommandFailed(ExitCode::impossible, reason.what());
    }
    if (options.json) {
        printDocument(Document::compilerSetup, report);
    } else if (report.nvcc.empty()) {
        print(report.folder + ": " + report.done +
              (report.bytes == 0 ? "" : ", " + formatBytes(report.bytes) + " are free again") +
              '\n');
    } else {
        print("nvcc" + (report.version.empty() ? "" : ' ' + report.version) + ": " + report.done +
              " in " + report.folder + ", " + formatBytes(report.bytes) +
              "; `warplens setup-compiler --remove` removes it\n");
    }
    return ExitCode::done;
}

}  // namespace

void offerCompiler() {
    static bool offered = false;
    if (offered || !canAsk() || programs::findCudaCompiler()) return;
    offered = true;
    complain("A .cu file needs NVIDIA's compiler, and none is on this machine.");
    try {
        (void)setUpCompilerShowing({});
    } catch (const CommandFailed& refusal) {
        endIfInterrupted();
        complain(refusal.what());
    }
}

Subcommand addSetupCompilerCommand(CLI::App& program) {
    const auto options = std::make_shared<SetupOptions>();
    CLI::App* parser = program.add_subcommand(
        "setup-compiler",
        "NVIDIA's compiler for .cu files, where no CUDA toolkit is: fetches it with pip into a "
        "folder of its own, after asking");
    CLI::Option* const from = addText(
        *parser, "--from", options->from, value::folder,
        "take it from this folder, without a network: NVIDIA's wheels, packages unpacked, or a "
        "toolkit");
    parser->add_flag("--remove", options->remove, "remove what was set up")->excludes(from);
    addJsonFlag(*parser, options->json);
    return {.parser = parser,
            .run = [options] { return run(*options); },
            .schemas = {{Document::compilerSetup, schemaFor<SetupReport>}}};
}

}  // namespace warplens
