#include <stdexcept>

#include "app/window/measuring.h"
#include "app/window/program_tracer.h"
#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "core/text/lines.h"
#include "core/text/utf8.h"
#include "kernels/ptx/open/file_trace.h"

// What a page does with people's files: it runs PTX, and has neither a compiler nor a GPU.
namespace warplens {

void allowUnconfined() {}

namespace window {
namespace {

constexpr const char* noCompiler =
    "A page has no compiler for .cu files. Where there is one, `warplens export FILE.cu -o "
    "page.html` makes a "
    "page of it; or open what `nvcc -ptx -lineinfo FILE.cu` makes: .ptx files run here.";

}  // namespace

ProgramVersion traceVersion(const std::string& path, const std::vector<ProposedValue>&,
                            const std::stop_token&, const TracingProgress& tell) {
    ProgramVersion version;
    const std::string text = readFile(path, 64u << 20);
    for (const std::string_view line : splitLines(text))
        version.lines.push_back(asUtf8(line, line.size()));
    tell.text(version.lines);
    version.digest = digestOf(text);
    if (!path.ends_with(".ptx")) {
        version.failure = noCompiler;
        return version;
    }
    try {
        version.trace = ptx::traceFile(text, {.path = path});
    } catch (const std::exception& error) {
        version.failure = error.what();
    }
    return version;
}

MeasureProgramRequest prepareMeasurement(const ProgramSubject&, const std::stop_token&,
                                         const std::function<void(std::string, double)>&) {
    throw std::runtime_error("a page has no GPU");
}

Command traceStepsNow(const StepsPlace& place, const std::stop_token&) {
    auto steps = std::make_shared<ProgramSteps>();
    steps->place = place;
    steps->failure = "a page has no steps of this block";
    return ProgramStepsTraced{std::move(steps)};
}

Command compileNow(const CompilePlace& place, const std::stop_token&) {
    return ResourcesCompiled{std::make_shared<const CompiledPlace>(
        CompiledPlace{place, Failure{FailureKind::failed, "a page has no compiler"}})};
}

/// Nobody measures.
class Measuring::Desk final {};

Measuring::Measuring(WorkerClient::Options, bool, ProgramPreparer, std::function<void()>) {}
Measuring::~Measuring() = default;
Commands Measuring::step(const AppState&) {
    return {};
}

}  // namespace window
}  // namespace warplens
