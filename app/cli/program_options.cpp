#include "app/cli/program_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <set>

#include "app/cli/program_launch.h"
#include "app/cli/progress.h"
#include "app/lessons/library.h"
#include "core/occupancy/sm_limits.h"
#include "core/program/cuda_tokens.h"
#include "core/program/warnings.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/build_commands.h"
#include "kernels/programs/program_text.h"

namespace warplens {
namespace {

void refuseProgramOptions(const CLI::App& parser, const ProgramOptions& program, bool hasSources) {
    std::vector<LimitViolation> violations;
    if (!hasSources)
        refuseIdle(parser, {"--source", "--time-limit"}, "with a .cu file", violations);
    refuseIdle(parser,
               {"--kernel", "--launch", "--array", "--include", "--define", "--library",
                "--optimize", "--compiler-options", "--devices", "--std", "--build", "--compiler",
                "--fail-on-findings", "--measured", "FILE"},
               "with a .cu file", violations);
    if (!program.arguments.empty()) {
        violations.push_back({"--", "'" + program.arguments.front() + "'", "only with a .cu file"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

constexpr std::array<std::string_view, 2> programSources{"predicted", "compiled"};
constexpr std::array<std::string_view, 4> optimizations{"0", "1", "2", "3"};

void takeCompiler(TraceRequest& request, const ProgramOptions& options,
                  std::vector<LimitViolation>& violations) {
    if (options.source) requireOneOf(programSources, "--source", *options.source, violations);
    request.compiler = options.compiler.value_or("");
    if (!options.capability) return;
    const auto capability = parseComputeCapability(*options.capability);
    if (!capability) {
        violations.push_back(
            {"--cc", "'" + *options.capability + "'", "a compute capability, as in 9.0"});
        return;
    }
    request.computeCapability = 10 * capability->major + capability->minor;
}

/// Whether one of them is this file, whatever it is called.
bool names(const std::vector<std::filesystem::path>& files, const std::filesystem::path& file) {
    return std::ranges::any_of(files, [&](const std::filesystem::path& known) {
        std::error_code error;
        return known == file || std::filesystem::equivalent(known, file, error);
    });
}

/// A launch that was asked for, where the program made others alone.
void refuseMissing(const TraceRequest& request, const ProgramTrace& trace) {
    if (trace.launches.empty() || request.stepsOf) return;  // the run ends at its steps
    if (request.launch && *request.launch >= trace.launches.size()) {
        throw InvalidRequest({{"--launch", std::to_string(*request.launch),
                               "at most " + std::to_string(trace.launches.size() - 1)}});
    }
    const auto plain = [](const std::string& kernel) {
        return shortKernelName(kernel.substr(0, kernel.find('<')));
    };
    std::set<std::string> kernels;
    for (const LaunchReport& launch : trace.launches) kernels.insert(plain(launch.kernel));
    const std::string asked = plain(request.kernel);
    if (asked.empty() || kernels.contains(asked)) return;
    throw InvalidRequest({{"--kernel", "'" + request.kernel + "'",
                           "one that is launched: " + joined(kernels, ", ")}});
}

/// What a main allocates itself is not to be said.
void refuseArraysOfMain(const TraceRequest& request) {
    const ProgramSources sources = sourcesOf(request);
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            if (!definesMain(source::maskedText(file.text))) continue;
            throw InvalidRequest(
                {{"--array", "given", "is for files without main, and " + file.path + " has one"}});
        }
    }
}

}  // namespace

bool isSourceFile(const std::string& path) {
    return path.ends_with(".cu") || path.ends_with(".cpp") || path.ends_with(".cc") ||
           path.ends_with(".cxx") || path.ends_with(".c");
}

bool isProgramPath(const std::string& text) {
    if (findScenario(text) != nullptr || findLesson(text) != nullptr) return false;  // a course's
    return text.find('/') != std::string::npos || isSourceFile(text) || text.ends_with(".ptx");
}

ExitCode runSubject(const CLI::App& parser, const std::string& name, const ProgramOptions& program,
                    const SubjectWays& ways) {
    if (!isProgramPath(name)) {
        if (std::error_code none; findScenario(name) == nullptr && findLesson(name) == nullptr &&
                                  std::filesystem::is_regular_file(name, none))
            throw InvalidRequest({{"file", '\'' + name + '\'', "a program is a .cu or .cpp file"}});
        refuseProgramOptions(parser, program, ways.hasSources);
        return ways.scenario();
    }
    std::vector<LimitViolation> idle;
    refuseIdle(parser, ways.ofScenarios, "with a scenario", idle);
    return ways.program(std::move(idle));
}

void addBuildOptions(CLI::App& parser, ProgramOptions& options) {
    addText(parser, "-I,--include", options.includes, value::folder,
            "of a .cu file: folder with its headers");
    addText(parser, "-D,--define", options.defines, "NAME=VALUE",
            "of a .cu file: a macro, as in N=64");
    addText(parser, "-l,--library", options.libraries, "NAME",
            "of a .cu file: a library to link with");
    addText(
        parser, "-O,--optimize", options.optimization, choiceOf(optimizations),
        "of a .cu file: how far its host code is optimised, as nvcc's -O; left out, not at all");
    addText(parser, "--compiler-options", options.hostOptions, "OPTION",
            "of a .cu file: g++'s options for its host code, as nvcc's -Xcompiler, which does as "
            "well; may be repeated");
    addNumber(parser, "--devices", options.devices, {.least = 1, .most = 16},
              "of a .cu file: devices that the program is told of, which share one memory");
    if (parser.get_option_no_throw("--time-limit") == nullptr) {
        addNumber(
            parser, "--time-limit", options.timeLimit, {.least = 1, .most = 86400},
            "of a .cu file: seconds that the program may run; launches are sampled, then left out, "
            "to keep it");
    }
    addText(parser, "--std", options.standard, "STANDARD",
            "of a .cu file: the language, as in c++20");
    addText(
        parser, "--build", options.build, "MAKE",
        "of a .cu file: how its author builds it, as in \"make\": the program's other files and "
        "options are those that make would compile it with; or a compile_commands.json");
    addText(parser, "--compiler", options.compiler, "NVCC",
            "of a .cu file: nvcc, or the folder of its toolkit; left out, the first that "
            "`warplens doctor` names");
    if (parser.get_option_no_throw("--cc") == nullptr) {
        addText(
            parser, "--cc", options.capability, value::capability,
            "of a .cu file: the compute capability to compile for, as in 9.0, which it is where "
            "nothing says otherwise");
    }
    parser
        .add_option("FILE", options.files,
                    "more files of the program, .cu or .cpp; after --, its own arguments")
        ->type_name("");
}

void addProgramOptions(CLI::App& parser, ProgramOptions& options) {
    addText(parser, "--kernel", options.kernel, "NAME",
            "of a .cu file: only launches of this kernel");
    addNumber(parser, "--launch", options.launch, {.least = 0, .most = 999999},
              "of a .cu file: only this launch, in order of launching");
    addText(parser, "--array", options.arrays, "NAME=ELEMENTS,FILL",
            "of a .cu file without main: how many elements the array has that a kernel "
            "gets, and with what: random, ramp, a number or @FILE, as in a=n*n,ramp; may be "
            "repeated");
    addText(
        parser, "--source", options.source, choiceOf(programSources),
        "of a .cu file, by NVIDIA's compiler: predicted, what the source asks for, or compiled, "
        "what the compiler made of it; left out with --compiler, both");
    parser.add_flag("--fail-on-findings", options.failOnFindings,
                    "of a .cu file: exit with 1 where something is wrong with it");
    addBuildOptions(parser, options);
}

void addProgramOnlyOptions(CLI::App& parser, ExperimentOptions& launch, ProgramOptions& options) {
    constexpr const char* own = "in place of the program's own";
    addText(parser, "--grid", launch.grid, value::extents,
            std::string(own) + "; left out with --block, as many as have as many threads");
    addText(parser, "--block", launch.block, value::extents, own);
    addText(parser, "--set", launch.set, value::setting, "a macro, as in N=512; may be repeated");
    addProgramOptions(parser, options);
}

ExitCode exitCodeFor(const ProgramOptions& options, const std::vector<Finding>& findings) {
    const bool isWrong = std::ranges::any_of(
        findings, [](const Finding& finding) { return !ruleOf(finding.kind).isNote; });
    return options.failOnFindings && isWrong ? ExitCode::failed : ExitCode::done;
}

ExitCode exitCodeFor(const ProgramOptions& options, const ProgramTrace& trace) {
    return failureInWords(trace).empty() ? exitCodeFor(options, trace.findings) : ExitCode::failed;
}

std::optional<std::vector<std::string>> takeProgramArguments(std::vector<std::string>& words) {
    std::optional<std::vector<std::string>> arguments;
    if (const auto mark = std::ranges::find(words, "--"); mark != words.end()) {
        arguments.emplace(mark + 1, words.end());
        words.erase(mark, words.end());
    }
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].starts_with("-std=")) words[at].insert(0, "-");
        if ((words[at] != "-Xcompiler" && words[at] != "--compiler-options") ||
            at + 1 == words.size())
            continue;
        words[at] = "--compiler-options=" + words[at + 1];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at + 1));
    }
    return arguments;
}

std::filesystem::path fromHere(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path below =
        path.lexically_normal().lexically_relative(std::filesystem::current_path(error));
    return error || below.empty() || *below.begin() == ".." ? path : below;
}

TraceRequest traceRequestFrom(const ExperimentOptions& launch, const ProgramOptions& options) {
    TraceRequest request;
    std::vector<LimitViolation> violations;
    request.source.files = {launch.scenario};
    for (const std::string& file : options.files) {
        if (!isSourceFile(file)) {
            violations.push_back({"FILE", "'" + file + "'",
                                  "one more file of the program, .cu or .cpp; its own arguments go "
                                  "after --"});
        } else if (!names(request.source.files, file)) {
            request.source.files.emplace_back(file);
        }
    }
    request.arguments = options.arguments;
    request.source.includes = options.includes;
    request.source.defines = options.defines;
    request.source.libraries = options.libraries;
    if (options.optimization) requireOneOf(optimizations, "-O", *options.optimization, violations);
    request.source.optimization = options.optimization.value_or("0");
    request.source.hostOptions = options.hostOptions;
    request.source.standard = options.standard.value_or("");
    request.devices = options.devices.value_or(1);
    if (options.timeLimit) request.secondsMost = *options.timeLimit;
    request.kernel = options.kernel.value_or("");
    request.launch = options.launch;
    request.grid = extentsFrom("grid", launch.grid, violations);
    request.block = extentsFrom("block", launch.block, violations);
    std::ranges::move(validate({.grid = request.grid.value_or(Extents{}),
                                .block = request.block.value_or(Extents{})}),
                      std::back_inserter(violations));
    takeCompiler(request, options, violations);
    if (options.source == "predicted") request.shown = Source::predicted;
    if (options.source == "compiled") request.shown = Source::compiled;
    for (const std::string& setting : launch.set) {
        const std::size_t equals = setting.find('=');
        if (equals == 0 || equals == std::string::npos) {
            violations.push_back({"--set", "'" + setting + "'", "name=value as in N=512"});
        } else {
            request.source.settings.push_back(setting);
        }
    }
    for (const std::string& wish : options.arrays) {
        const std::size_t equals = wish.find('=');
        if (equals == 0 || equals == std::string::npos) {
            violations.push_back(
                {"--array", "'" + wish + "'", "name=elements,fill as in a=n*n,ramp"});
            continue;
        }
        const std::size_t comma = wish.find(',', equals);
        source::ArrayWish& array = request.source.launch.arrays[wish.substr(0, equals)];
        array.elements =
            wish.substr(equals + 1, comma == std::string::npos ? comma : comma - equals - 1);
        if (comma != std::string::npos) array.fill = wish.substr(comma + 1);
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    if (options.build) request.source.note = takeBuild(request.source, *options.build);
    for (std::string& folder : request.source.includes) folder = fromHere(folder).string();
    for (std::filesystem::path& file : request.source.files)
        if (&file != &request.source.files.front()) file = fromHere(file);
    if (!options.arrays.empty()) refuseArraysOfMain(request);
    return request;
}

std::vector<std::string> optionWordsOf(const TraceRequest& request) {
    std::vector<std::string> words;
    const auto add = [&](const std::string& option, const std::string& value) {
        if (!value.empty()) words.push_back(option + value);
    };
    for (const std::string& define : request.source.defines) add("-D", define);
    for (const std::string& setting : request.source.settings) add("--set=", setting);
    add("--std=", request.source.standard);
    if (request.grid) add("--grid=", toString(*request.grid));
    if (request.block) add("--block=", toString(*request.block));
    return words;
}

TracedProgram tracedShowing(const TraceRequest& request) {
    const InterruptNoted noted;
    if (request.source.files.front().extension() == ".ptx") {
        TracedProgram traced = tracePtxFile(request);
        endIfInterrupted();
        return traced;
    }
    if (request.compiler.empty()) offerCompiler();
    ProgressLine line("compiling");
    TraceListener listener;
    listener.launch = [&](const LaunchReport& launch) {
        line.show({}, "launch " + std::to_string(launch.index) + " traced");
    };
    try {
        TracedProgram traced = traceProgram(request, listener);
        line.clear();
        endIfInterrupted();
        refuseMissing(request, traced.trace);
        return traced;
    } catch (const CompileFailed& failed) {
        line.clear();
        throw CommandFailed(ExitCode::invalid, failed.what());
    }
}

}  // namespace warplens
