#include "app/cli/ptx_file.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "kernels/ptx/open/proposed_launch.h"
#include "kernels/ptx/run/grid.h"

namespace warplens {
namespace {

constexpr std::uintmax_t mostBytes = 256u << 20;

std::string textOf(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw CommandFailed(ExitCode::invalid, path.string() + ": there is no such file");
    }
    if (std::filesystem::file_size(path, error) > mostBytes) {
        throw CommandFailed(ExitCode::invalid, path.string() + ": larger than 256 MiB");
    }
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

ptx::LaunchChoices choicesOf(const TraceRequest& request) {
    ptx::LaunchChoices choices;
    choices.grid = request.grid;
    choices.block = request.block;
    for (const std::string& setting : request.source.settings) {
        const std::size_t equals = setting.find('=');
        choices.values[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    for (const auto& [name, wish] : request.source.launch.arrays) {
        choices.arrays[name] = {wish.elements, wish.fill};
    }
    return choices;
}

void sideBySide(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < count; ++at) threads.emplace_back([&task, at] { task(at); });
}

/// A kernel's name without its template arguments and namespaces.
std::string shortName(const std::string& name) {
    const std::string plain = name.substr(0, name.find('<'));
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

}  // namespace

TracedProgram tracePtxFile(const TraceRequest& request) {
    const std::filesystem::path& path = request.source.files.front();
    auto read = ptx::readModule(textOf(path));
    if (const auto* error = std::get_if<ptx::ReadError>(&read)) {
        throw CommandFailed(ExitCode::invalid, path.string() + ":" + std::to_string(error->row) +
                                                   ": " + error->message);
    }
    ptx::Module& module = std::get<ptx::Module>(read);
    const bool isDebug = module.isDebug;
    ptx::Memory memory;
    ptx::Program program(memory);
    if (const auto problem = program.add(std::move(module))) {
        throw CommandFailed(ExitCode::invalid, path.string() + ": " + *problem);
    }
    TracedProgram traced;
    traced.hasMain = false;
    ProgramTrace& trace = traced.trace;
    trace.program = path.string();
    trace.exit.status = 0;
    ptx::Surroundings surroundings;
    surroundings.print = [&](std::string_view text) {
        constexpr std::size_t mostOutput = 1 << 20;
        const std::size_t room = mostOutput - std::min(mostOutput, trace.exit.output.size());
        trace.exit.output += text.substr(0, room);
        trace.exit.outputCut |= text.size() > room;
    };
    surroundings.width = std::max(1u, std::thread::hardware_concurrency());
    surroundings.sideBySide = sideBySide;
    const auto begin = std::chrono::steady_clock::now();
    surroundings.isStopped = [&] {
        return InterruptNoted::happened() || std::chrono::steady_clock::now() - begin >
                                                 std::chrono::duration<double>(request.secondsMost);
    };
    std::string others;
    for (const ptx::Function* kernel : program.kernels()) {
        const std::string name = ptx::signatureOf(*kernel).kernel;
        if (!request.kernel.empty() && request.kernel != name &&
            request.kernel != shortName(name) && request.kernel != kernel->name) {
            others += (others.empty() ? "" : ", ") + shortName(name);
            continue;
        }
        const auto index = static_cast<std::uint32_t>(trace.launches.size());
        ptx::ProposedLaunch proposed = ptx::proposeLaunch(memory, *kernel, choicesOf(request));
        std::string with =
            shortName(name) + " is launched as " + toLaunchSyntax(proposed.launch.launch);
        for (const std::string& note : proposed.notes) with += ", " + note;
        trace.notes.push_back(with);
        const auto start = std::chrono::steady_clock::now();
        ptx::LaunchResult result = ptx::run(program, proposed.launch, surroundings);
        ProgramLaunch& launch = trace.launches.emplace_back();
        launch.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        launch.index = index;
        launch.kernel = shortName(name);
        launch.instance = name;
        launch.launch = proposed.launch.launch;
        launch.overridden = request.grid || request.block;
        launch.blocks = proposed.launch.launch.grid.count();
        launch.blocksTraced = result.blocks;
        launch.exact = result.ended.empty();
        launch.laneAccesses = result.laneAccesses;
        launch.lines = ptx::linesOf(
            program, result, isDebug ? Source::predicted : Source::compiled,
            [&](std::uint32_t array) {
                if ((array & ptx::inShared) != 0 && array != ptx::noArray)
                    return program.sharedName(array);
                const auto known = proposed.arrays.find(array);
                return known == proposed.arrays.end() ? program.variableName(array) : known->second;
            });
        launch.values = valuesOf(launch.lines);
        for (Finding& finding : result.findings) {
            finding.kernel = launch.kernel;
            finding.launch = index;
            trace.findings.push_back(std::move(finding));
        }
        if (!result.ended.empty())
            trace.notes.push_back(shortName(name) + " did not run to its end: " + result.ended);
        if (result.inOrder)
            trace.notes.push_back(
                shortName(name) +
                ": blocks ran one after the other, since what one does depends on others");
    }
    if (trace.launches.empty()) {
        if (others.empty())
            throw CommandFailed(ExitCode::invalid, path.string() + ": there is no kernel in it");
        throw InvalidRequest({{"--kernel", "'" + request.kernel + "'", "one of " + others}});
    }
    trace.notes.push_back(isDebug ? "compiled with -G: counts are what the source asks for"
                                  : "optimised code: counts are what the compiled code asks for");
    trace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return traced;
}

}  // namespace warplens
