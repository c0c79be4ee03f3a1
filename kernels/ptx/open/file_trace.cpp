#include "kernels/ptx/open/file_trace.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "core/launch/limit_violation.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {
namespace {

/// A kernel's name without its template arguments and namespaces.
std::string shortName(const std::string& name) {
    const std::string plain = name.substr(0, name.find('<'));
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

}  // namespace

ProgramTrace traceFile(std::string text, const FileRequest& request) {
    auto read = readModule(std::move(text));
    if (const auto* error = std::get_if<ReadError>(&read)) {
        throw std::runtime_error(request.path + ":" + std::to_string(error->row) + ": " +
                                 error->message);
    }
    Module& module = std::get<Module>(read);
    const bool isDebug = module.isDebug;
    Memory memory;
    Program program(memory);
    if (const auto problem = program.add(std::move(module))) {
        throw std::runtime_error(request.path + ": " + *problem);
    }
    ProgramTrace trace;
    trace.program = request.path;
    trace.exit.status = 0;
    Surroundings surroundings;
    surroundings.print = [&](std::string_view printed) {
        constexpr std::size_t mostOutput = 1 << 20;
        const std::size_t room = mostOutput - std::min(mostOutput, trace.exit.output.size());
        trace.exit.output += printed.substr(0, room);
        trace.exit.outputCut |= printed.size() > room;
    };
    surroundings.width = request.width;
    surroundings.sideBySide = request.sideBySide;
    surroundings.isStopped = request.isStopped;
    const auto begin = std::chrono::steady_clock::now();
    std::string others;
    for (const Function* kernel : program.kernels()) {
        const std::string name = signatureOf(*kernel).kernel;
        if (!request.kernel.empty() && request.kernel != name &&
            request.kernel != shortName(name) && request.kernel != kernel->name) {
            others += (others.empty() ? "" : ", ") + shortName(name);
            continue;
        }
        const auto index = static_cast<std::uint32_t>(trace.launches.size());
        ProposedLaunch proposed = proposeLaunch(memory, *kernel, request.choices);
        std::string with =
            shortName(name) + " is launched as " + toLaunchSyntax(proposed.launch.launch);
        for (const std::string& note : proposed.notes) with += ", " + note;
        trace.notes.push_back(with);
        const auto start = std::chrono::steady_clock::now();
        LaunchResult result = run(program, proposed.launch, surroundings);
        ProgramLaunch& launch = trace.launches.emplace_back();
        launch.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        launch.index = index;
        launch.kernel = shortName(name);
        launch.instance = name;
        launch.launch = proposed.launch.launch;
        launch.overridden = request.choices.grid || request.choices.block;
        launch.blocks = proposed.launch.launch.grid.count();
        launch.blocksTraced = result.blocks;
        launch.exact = result.ended.empty();
        launch.laneAccesses = result.laneAccesses;
        launch.lines = linesOf(
            program, result, isDebug ? Source::predicted : Source::compiled,
            [&](std::uint32_t array) {
                if ((array & inShared) != 0 && array != noArray) return program.sharedName(array);
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
        if (others.empty()) throw std::runtime_error(request.path + ": there is no kernel in it");
        throw InvalidRequest({{"--kernel", "'" + request.kernel + "'", "one of " + others}});
    }
    trace.notes.push_back(isDebug ? "compiled with -G: counts are what the source asks for"
                                  : "optimised code: counts are what the compiled code asks for");
    trace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return trace;
}

}  // namespace warplens::ptx
