#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <string_view>

#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/program_report.h"
#include "app/cli/subcommand.h"
#include "core/text/atomic_file.h"
#include "core/text/utf8.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 2> annotateFormats{"text", "html"};

struct AnnotateCommandOptions final {
    ExperimentOptions launch;  ///< of the file that is its scenario
    ProgramOptions program;
    std::string format = "text";
    std::string measured;
};

}  // namespace

Subcommand addAnnotateCommand(CLI::App& program) {
    const auto options = std::make_shared<AnnotateCommandOptions>();
    CLI::App* parser = program.add_subcommand("annotate",
                                              "a .cu file's source with what each line asks of "
                                              "memory and branches, and why it costs more "
                                              "than need be");
    addText(*parser, "FILE.cu", options->launch.scenario, value::file, "the program")->required();
    addProgramOnlyOptions(*parser, options->launch, options->program);
    addMeasuredOption(*parser, options->measured);
    addText(*parser, "-o,--output", options->format, choiceOf(annotateFormats),
            "how it is written; text where left out");
    return {
        parser,
        [options] {
            if (options->format != "text" && options->format != "html") {
                throw InvalidRequest({{"--output", "'" + options->format + "'", "text or html"}});
            }
            const TraceRequest request = traceRequestFrom(options->launch, options->program);
            const auto measured = measuredFrom(options->measured, request);
            const TracedProgram traced = tracedShowing(request);
            const std::string text = readFile(options->launch.scenario);
            const std::string source(withoutByteOrderMark(text));
            print(options->format == "html" ? annotatedHtml(traced.trace, source, measured.get())
                                            : annotatedText(traced.trace, source, measured.get()));
            return exitCodeFor(options->program, traced.trace.findings);
        },
        &options->program.arguments};
}

}  // namespace warplens
