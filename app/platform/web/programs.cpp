#include <emscripten.h>
#include <stdexcept>

#include "app/platform/web/page.h"
#include "app/window/measuring.h"
#include "app/window/program_job.h"
#include "app/window/program_tracer.h"
#include "core/course/course.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/library/kernel_program.h"
#include "kernels/ptx/open/file_trace.h"

// What a page does with people's files: it runs PTX, and has neither a compiler nor a GPU.
namespace warplens {

void allowUnconfined() {}

namespace window {
namespace {

constexpr const char* noCompiler =
    "A page has no compiler for .cu files. Where there is one, `warplens export FILE.cu -o "
    "page.html` makes a page of it; or open what `nvcc -ptx -lineinfo FILE.cu` makes: .ptx files "
    "run here.";

// clang-format off
EM_JS(void, chooseFile, (), {
    const chooser = document.createElement('input');
    chooser.type = 'file';
    chooser.accept = '.cu,.cuh,.ptx,.json,.txt';
    chooser.onchange = () => { for (const file of chooser.files) Module.open(file); };
    chooser.click();
});
// clang-format on

PageDocument& carried() {
    static PageDocument page;
    return page;
}

}  // namespace

const PageDocument& readCarried() {
    const std::string text = carriedDocument();
    try {
        if (!text.empty()) carried() = pageDocumentFromJson(text);
    } catch (const std::exception& error) {
        throw std::runtime_error("this is no document of `warplens export -o data.json`: " +
                                 std::string(error.what()));
    }
    if (const auto& course = carried().course) {
        const std::filesystem::path folder = '/' + course->name;
        for (const ProgramFile& file : course->files) {
            std::filesystem::create_directories((folder / file.path).parent_path());
            writeFileAtomically(folder / file.path, file.text);
        }
        library::setCoursePtx([](const Kernel& kernel, library::PtxKind kind) {
            return readFile(std::filesystem::path(kernel.folder) / "ptx" / ptxFile(kernel, kind),
                            64u << 20);
        });
        openCourse(readCourse(folder));
    }
    if (const PageProgram* const program = carriedProgram()) {
        // As a file, which the window then opens.
        std::string lines;
        for (const std::string& line : program->lines) lines += line + '\n';
        const std::filesystem::path path = program->trace.program;
        if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
        writeFileAtomically(path, lines);
    }
    return carried();
}

const PageProgram* carriedProgram() {
    return carried().program ? &*carried().program : nullptr;
}

ProgramVersion traceVersion(const std::string& path, const std::vector<ProposedValue>&,
                            const std::stop_token&, const TracingProgress& tell) {
    ProgramVersion version;
    if (const PageProgram* const program = carriedProgram();
        program != nullptr && program->trace.program == path) {
        version.lines = program->lines;
        version.statements = program->statements;
        version.digest = program->digest;
        version.trace = program->trace;
        return version;
    }
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
        version.trace = ptx::traceFile(text, ptx::FileRequest{.path = path, .kernel = {}});
    } catch (const std::exception& error) {
        version.failure = error.what();
    }
    return version;
}

MeasureProgramRequest prepareMeasurement(const ProgramSubject&, const std::string&,
                                         const std::stop_token&,
                                         const std::function<void(std::string, double)>&) {
    throw std::runtime_error("a page has no GPU");
}

Command traceStepsNow(const StepsPlace& place, const std::stop_token&) {
    auto steps = std::make_shared<ProgramSteps>();
    steps->place = place;
    steps->failure = "the page carries the steps of other blocks";
    if (const PageProgram* const program = carriedProgram()) {
        for (const PageSteps& one : program->steps) {
            if (one.launch != place.launch || one.block != place.block) continue;
            steps->steps = std::make_shared<const BlockSteps>(blockStepsOf(one));
            steps->failure.clear();
        }
    }
    return ProgramStepsTraced{std::move(steps)};
}

bool mayCompilePrograms() {
    return false;
}

CompileAnswer compileAsPinned(const ShownLaunch&, const std::string&) {
    return Failure{FailureKind::failed, "a page has no compiler"};
}

Command compileNow(const CompilePlace& place, const std::stop_token&) {
    return ResourcesCompiled{std::make_shared<const CompiledPlace>(
        CompiledPlace{place, Failure{FailureKind::failed, "a page has no compiler"}})};
}

Command findRemediesNow(const RemedyPlace& place, const std::stop_token&, std::uint32_t) {
    auto found = std::make_shared<ProgramRemedies>();
    found->place = place;
    found->failure = "A page has no compiler to try remedies with.";
    return RemediesFound{std::move(found)};
}

Command findDifferencesNow(const RemedyPlace& place, const std::stop_token&) {
    auto found = std::make_shared<ProgramDifferences>();
    found->place = place;
    return DifferencesFound{std::move(found)};
}

Command openInEditor(const ProgramState&) {
    return Report{MessageKind::error, "A page opens no editor."};
}

Command browseNow(std::uint32_t number, const std::stop_token&) {
    if (number != 0) chooseFile();
    return ProgramBrowsed{};
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
