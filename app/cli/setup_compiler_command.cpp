#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/compiler_question.h"
#include "app/cli/documentation/schemas.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "core/json/archive.h"
#include "core/launch/limit_violation.h"
#include "core/text/format.h"

namespace warplens {
namespace {

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
        print("nvcc " + report.version + ": " + report.done + " in " + report.folder + ", " +
              formatBytes(report.bytes) + "; `warplens setup-compiler --remove` removes it\n");
    }
    return ExitCode::done;
}

}  // namespace

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
    return {parser, [options] { return run(*options); }};
}

std::string compilerSetupSchema() {
    return schemaFor<SetupReport>(Document::compilerSetup);
}

}  // namespace warplens
