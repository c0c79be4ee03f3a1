#include "app/cli/program_launch.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "core/measurement/measurement.h"
#include "core/program/joined_atomics.h"
#include "core/program/line_costs.h"
#include "core/text/files.h"
#include "kernels/device/measure_request.h"
#include "kernels/ptx/open/file_trace.h"

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

void sideBySide(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < count; ++at) threads.emplace_back([&task, at] { task(at); });
}

}  // namespace

TracedProgram tracePtxFile(const TraceRequest& request) {
    const std::filesystem::path& path = request.source.files.front();
    const auto begin = std::chrono::steady_clock::now();
    ptx::FileRequest file{.path = path.string(),
                          .kernel = request.kernel,
                          .wishes = request.source.launch,
                          .width = std::max(1u, std::thread::hardware_concurrency()),
                          .sideBySide = sideBySide};
    file.wishes.grid = request.grid;
    file.wishes.block = request.block;
    file.wishes.take(request.source.settings);
    file.isStopped = [&] {
        return InterruptNoted::happened() || std::chrono::steady_clock::now() - begin >
                                                 std::chrono::duration<double>(request.secondsMost);
    };
    TracedProgram traced;
    traced.hasMain = false;
    try {
        traced.trace = ptx::traceFile(textOf(path), file);
    } catch (const InvalidRequest&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw CommandFailed(ExitCode::invalid, error.what());
    }
    return traced;
}

const LaunchReport& launchSpokenOf(const ProgramTrace& trace) {
    const auto first = std::ranges::find_if(trace.launches, &LaunchReport::traced);
    if (first != trace.launches.end()) {
        const auto others = std::count_if(first + 1, trace.launches.end(),
                                          [](const auto& launch) { return launch.traced; });
        if (others != 0) {
            complain("this is launch " + std::to_string(first->index) + " of " +
                     std::to_string(others + 1) + ", " + first->kernel +
                     toLaunchSyntax(first->launch) + "; --launch chooses another");
        }
        return *first;
    }
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::notSupported) {
            throw CommandFailed(ExitCode::impossible, trace.program + ": " + finding.words);
        }
    }
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::launchRefused)
            throw CommandFailed(ExitCode::invalid, trace.program + ": " + finding.words);
    }
    throw CommandFailed(ExitCode::failed, trace.program + ": no such launch was made");
}

std::shared_ptr<const BlockSteps> stepsOf(TraceRequest request, const LaunchReport& launch) {
    request.launch = launch.index;
    request.stepsOf = Index3{};
    TracedProgram traced = tracedShowing(request);
    if (traced.steps) {
        // Blocks at the edge of the data may leave out what all others do.
        const WarpReach first = mostReaching(*traced.steps, launch);
        const Extents& grid = launch.launch.grid;
        request.stepsOf = {grid.x / 2, grid.y / 2, grid.z / 2};
        if (first.places < first.ofPlaces && request.stepsOf != traced.steps->block) {
            TracedProgram other = tracedShowing(request);
            if (other.steps && mostReaching(*other.steps, launch).places > first.places)
                traced = std::move(other);
        }
    }
    if (!traced.steps) {
        const std::vector<Finding>& findings = traced.trace.findings;
        throw CommandFailed(
            ExitCode::failed,
            traced.trace.program + ": " +
                (!findings.empty() ? findings.front().words : "the launch did not come up again"));
    }
    tellJoined(*traced.steps, launch);
    return std::make_shared<const BlockSteps>(*std::move(traced.steps));
}

void addMeasuredOption(CLI::App& parser, std::string& path) {
    addText(parser, "--measured", path, value::file,
            "of a .cu file: show what was measured of it, as `measure FILE.cu --save` kept it");
}

std::shared_ptr<const MeasuredProgram> measuredFrom(const std::string& path,
                                                    const TraceRequest& request) {
    if (path.empty()) return nullptr;
    const auto refuse = [&](const std::string& why) {
        throw InvalidRequest({{"--measured", '\'' + path + '\'', why}});
    };
    const std::string file = request.source.files.front().string();
    auto program = std::make_shared<MeasuredProgram>();
    std::string digest;
    try {
        *program = measuredProgramFromJson(readFile(path, mostKeptBytes));
        digest = programDigest(request, sourcesOf(request));
    } catch (const std::runtime_error& wrong) {
        refuse(wrong.what());
    }
    if (digest != program->digest) {
        refuse("must have been measured of " + file +
               " as its text is now, and with the same options");
    }
    rename(*program, file);
    return program;
}

const ProgramMeasurement* measurementIn(const MeasuredProgram* measured,
                                        const LaunchReport& launch) {
    if (measured == nullptr) return nullptr;
    const auto found = std::ranges::find_if(measured->launches, [&](const MeasuredLaunch& one) {
        return one.predicted.index == launch.index && one.measured.launch == launch.launch;
    });
    return found == measured->launches.end() ? nullptr : &found->measured;
}

std::string recordingChoices(const RecordingLibrary& library, const std::string& scenario) {
    std::string lines;
    for (const auto& [name, measurement] : library.recordings) {
        if (measurement.experiment.scenario != scenario) continue;
        lines += "\n  " + toOptions(measurement.experiment) + "  (" + takenOn(measurement) + ")";
    }
    if (lines.empty()) return "there is no recording of " + scenario + " either";
    return "recordings of " + scenario + " that `warplens list` offers instead:" + lines;
}

}  // namespace warplens
