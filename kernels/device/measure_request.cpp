#include "kernels/device/measure_request.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/occupancy/sm_limits.h"
#include "core/program/mangled_names.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/device/code_lines.h"
#include "kernels/device/cubin.h"
#include "kernels/device/difference_trial.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/program_cache.h"
#include "kernels/ptx/read/module.h"

namespace warplens {
namespace {

/// Texts one after the other, each with its length before it: no two lists are written alike.
class Joined final {
  public:
    void add(std::string_view text) {
        all_ += std::to_string(text.size()) + ':';
        all_ += text;
    }
    void add(const std::vector<std::string>& texts) {
        add(std::to_string(texts.size()));
        for (const std::string& text : texts) add(text);
    }
    void add(const std::optional<Extents>& extents) { add(extents ? toString(*extents) : ""); }
    [[nodiscard]] const std::string& text() const { return all_; }

  private:
    std::string all_;
};

std::string whyWithoutInputs(const TracedProgram& traced, std::uint32_t launch) {
    const ProgramTrace& trace = traced.trace;
    const auto found = std::ranges::find(trace.launches, launch, &LaunchReport::index);
    if (found == trace.launches.end()) {
        const ProgramExit& exit = trace.exit;
        std::string why = "the program ended before it";
        if (!exit.stopped.empty()) why += ": " + exit.stopped;
        if (!exit.signal.empty()) why += ", by " + exit.signal;
        return why;
    }
    const std::string number = std::to_string(launch);
    const auto why = std::ranges::find_if(trace.notes, [&](const std::string& note) {
        return note.starts_with("the inputs of launch " + number + ' ') ||
               (note.starts_with("launch " + number + " (") &&
                note.find("blocks were run in the time for it") != std::string::npos);
    });
    return why == trace.notes.end() ? "its inputs could not be kept" : *why;
}

/// 90 of `9.0`. Throws InvalidRequest.
int numberOf(const std::string& computeCapability) {
    const auto capability = parseComputeCapability(computeCapability);
    if (!capability) {
        throw InvalidRequest(
            {{"compute capability", '\'' + computeCapability + '\'', "as in 9.0"}});
    }
    return static_cast<int>(10 * capability->major + capability->minor);
}

/// Machine code of PTX modules, linked where there are several, by the assembler of the compiler
/// that made them. Throws CompileFailed, NotConfined.
std::string assembled(const programs::CudaCompiler& compiler, const std::vector<std::string>& ptx,
                      int computeCapability, const std::function<bool()>& cancelled) {
    const TemporaryFolder folder(programCache() / "work");
    std::vector<std::string> arguments{compiler.nvcc.string(),
                                       "-cubin",
                                       "-arch=sm_" + std::to_string(computeCapability),
                                       "-lineinfo",
                                       "-o",
                                       "code.cubin"};
    if (const std::string host = hostCompiler(); !host.empty())
        arguments.insert(arguments.end(), {"-ccbin", host});
    for (std::size_t at = 0; at < ptx.size(); ++at) {
        arguments.push_back("module" + std::to_string(at) + ".ptx");
        writeFileAtomically(folder.path() / arguments.back(), ptx[at]);
    }
    const auto run = [&] {
        return runCompiler({.arguments = arguments,
                            .folder = folder.path(),
                            .outputs = {"code.cubin"},
                            .readable = compiler.folders},
                           cancelled);
    };
    ChildResult result;
    if (ptx.size() == 1) result = run();
    // Several, or one that needs a library of the device's, as what launches from a kernel does.
    if (result.status != 0 && !result.cancelled) {
        arguments.insert(arguments.begin() + 1, "-dlink");
        result = run();
    }
    requireDone(result, "the assembler");
    std::ifstream file(folder.path() / "code.cubin", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether the kernel, or a function that it may call, launches kernels itself.
bool launches(const LaunchInputs& inputs) {
    const auto read = ptx::readModule(inputs.ptx.front());
    const auto* const module = std::get_if<ptx::Module>(&read);
    if (module == nullptr) return false;
    for (const auto& [name, function] : module->functions) {
        if (function->isKernel && name != inputs.symbol) continue;
        for (const ptx::Instruction& each : function->instructions) {
            if (each.words.front() != "call") continue;
            for (const ptx::Operand& operand : each.operands) {
                if (operand.symbol.find("LaunchDevice") != operand.symbol.npos) return true;
            }
        }
    }
    return false;
}

}  // namespace

ProgramSources sourcesOf(const TraceRequest& request) {
    std::vector<std::string> units;
    for (const auto& path : request.source.files) units.push_back(path.string());
    ProgramSources sources = readProgramSources(units, request.source.includes);
    sources.defines = request.source.defines;
    return sources;
}

std::string programDigest(const TraceRequest& request, const ProgramSources& sources) {
    Joined all;
    for (const auto* const files : {&sources.units, &sources.headers}) {
        all.add(std::to_string(files->size()));
        for (const ProgramFile& file : *files) all.add(file.text);
    }
    const ProgramSource& source = request.source;
    all.add(source.defines);
    all.add(source.standard);
    // Of a file without main, the values of parameters, whichever way they were given.
    std::vector<std::string> settings = source.settings;
    for (const auto& [name, value] : source.launch.values) settings.push_back(name + '=' + value);
    std::ranges::sort(settings);
    all.add(settings);
    all.add(request.arguments);
    all.add(request.grid);
    all.add(request.block);
    for (const auto& [name, array] : source.launch.arrays) {
        all.add(std::vector{name, array.elements, array.fill});
    }
    return digestOf(all.text());
}

MeasureProgramRequest measureRequestFor(const TraceRequest& request, const ProgramSources& sources,
                                        std::uint32_t launch, const std::string& computeCapability,
                                        const TraceListener& listener) {
    TraceRequest again = request;
    again.launch = again.inputsOf = launch;
    again.computeCapability = numberOf(computeCapability);
    again.shown.reset();
    TracedProgram traced = traceProgram(again, listener);
    const std::string which = "launch " + std::to_string(launch);
    if (sourcesOf(request) != sources) {
        throw NotMeasurable(which +
                            " was not measured: a file of the program was changed meanwhile");
    }
    if (!traced.inputs) {
        throw NotMeasurable(which + " cannot be measured: " + whyWithoutInputs(traced, launch));
    }
    if (launches(*traced.inputs)) {
        throw NotMeasurable(which +
                            " cannot be measured: it launches kernels itself, and counters "
                            "do not tell them apart");
    }
    const auto same = std::ranges::find(traced.trace.launches, launch, &LaunchReport::index);
    const programs::CudaCompiler compiler = *programs::findCudaCompiler(request.compiler);
    MeasureProgramRequest measure;
    measure.sources = std::move(traced.sources);
    measure.inputs = std::move(*traced.inputs);
    try {
        measure.inputs.cubin =
            assembled(compiler, measure.inputs.ptx, again.computeCapability, listener.cancelled);
    } catch (const CompileFailed& refusal) {
        throw NotMeasurable(
            which + " cannot be measured, its code is not to be assembled: " + refusal.what());
    }
    measure.compiler = "nvcc " + programs::versionOf(compiler);
    // Of the same run: what launches before it left may depend on the order of their threads. A
    // sample says what the whole is like, not what it is: nothing to compare line by line.
    if (same != traced.trace.launches.end() && same->compiled && same->compiled->exact) {
        measure.compiled = linesBy(*same, Source::compiled);
        if (same->exact) {
            measure.predicted = linesBy(*same, Source::predicted);
            measure.interventions =
                interventionsFor(again, measure.sources, *same, listener.cancelled);
        }
    }
    measure.code = codeByLine(measure.inputs.ptx, measure.inputs.cubin, measure.inputs.symbol,
                              filesOf(measure.sources), measure.notes);
    return measure;
}

std::vector<std::string> compiledPtx(const std::string& program) {
    std::ifstream file(program, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<std::string> found;
    constexpr std::string_view begin = "\n.version ";
    for (std::size_t at = 0; (at = bytes.find(begin, at)) != bytes.npos; ++at) {
        std::string text = bytes.substr(at, bytes.find('\0', at) - at);
        const auto read = ptx::readModule(text);
        const auto* module = std::get_if<ptx::Module>(&read);
        if (module != nullptr && !module->isDebug) found.push_back(std::move(text));
    }
    return found;
}

CompileAnswer compiledResources(const TraceRequest& request, const std::string& instance,
                                const std::string& computeCapability,
                                const std::function<bool()>& cancelled) {
    try {
        const auto compiler = programs::findCudaCompiler(request.compiler);
        if (!compiler) return Failure{FailureKind::impossible, "there is no nvcc"};
        const int capability = numberOf(computeCapability);
        const programs::BuiltProgram built =
            programs::buildProgram(sourceOf(request), *compiler, capability, cancelled);
        std::vector<std::string> modules = compiledPtx(built.binary);
        for (std::size_t at = 0; at < modules.size(); ++at) {
            const auto read = ptx::readModule(modules[at]);
            for (const auto& [symbol, function] : std::get<ptx::Module>(read).functions) {
                if (!function->isKernel || kernelName(symbol) != instance) continue;
                const std::string name(symbol);
                std::string cubin;
                try {
                    cubin = assembled(*compiler, {modules[at]}, capability, cancelled);
                } catch (const CompileFailed&) {
                    if (modules.size() == 1) throw;
                    cubin = assembled(*compiler, modules, capability, cancelled);
                }
                return CompiledResources{resourcesOf(cubin, name), computeCapability,
                                         "nvcc " + programs::versionOf(*compiler)};
            }
        }
        return Failure{FailureKind::failed, "the compiled code has no kernel " + instance};
    } catch (const Cancelled& error) {
        return Failure{FailureKind::cancelled, error.what()};
    } catch (const std::exception& error) {
        return Failure{FailureKind::failed, error.what()};
    }
}

}  // namespace warplens
