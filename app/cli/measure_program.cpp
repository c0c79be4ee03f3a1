#include "app/cli/measure_program.h"

#include <nlohmann/json.hpp>

#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/program_measurement_report.h"
#include "app/cli/program_options.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::vector<std::string> namesOf(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::string> names;
    for (const auto& path : paths) names.push_back(path.string());
    return names;
}

/// NVRTC knows no GNU dialects; nvcc's own default is C++17.
std::string standardForDevice(const std::string& standard) {
    if (standard.empty()) return "c++17";
    return standard.starts_with("gnu") ? "c" + standard.substr(3) : standard;
}

/// What a measurement of one launch takes: its inputs come with a trace of its own.
MeasureProgramRequest requestFor(const TraceRequest& request, const ProgramSources& sources,
                                 const ProgramLaunch& launch, const WorkerOptions& options) {
    TraceRequest again = request;
    again.launch = launch.index;
    again.inputsOf = launch.index;
    TracedProgram traced = traceProgram(again);
    if (!traced.inputs) {
        std::string why = "its inputs could not be kept";
        for (const std::string& note : traced.trace.notes) why = note;
        throw CommandFailed(ExitCode::failed, "launch " + std::to_string(launch.index) + " of " +
                                                  launch.kernel + " cannot be measured: " + why);
    }
    MeasureProgramRequest measure;
    measure.sources = sources;
    measure.defines = request.source.defines;
    if (traced.hasMain) {
        measure.defines.insert(measure.defines.end(), request.source.settings.begin(),
                               request.source.settings.end());
    }
    measure.standard = standardForDevice(request.source.standard);
    measure.inputs = std::move(*traced.inputs);
    measure.counters = !options.noCounters;
    measure.timing = options.timing;
    // Of the same run: what launches before it left may depend on the order of their threads. A
    // sample says what the whole is like, not what it is: nothing to compare line by line.
    for (ProgramLaunch& same : traced.trace.launches) {
        if (same.index == launch.index && same.exact) measure.predicted = std::move(same.lines);
    }
    return measure;
}

}  // namespace

ExitCode measureProgram(const TraceRequest& request, const WorkerOptions& options, bool json) {
    const ProgramSources sources =
        readProgramSources(namesOf(request.source.files), request.source.includes);
    WorkerClient worker(clientOptions(options));  // before anything is run: there may be none
    const TracedProgram traced = tracedShowing(request);
    nlohmann::ordered_json launches = nlohmann::ordered_json::array();
    std::string text;
    std::size_t measuredLaunches = 0;
    for (const ProgramLaunch& launch : traced.trace.launches) {
        if (!launch.traced) continue;
        const ProgramMeasurement measured =
            measureNow(worker, requestFor(request, sources, launch, options));
        ++measuredLaunches;
        if (json) {
            launches.push_back(nlohmann::ordered_json::parse(launchJson(launch, measured)));
        } else {
            text += reportOf(launch, measured) + '\n';
        }
    }
    if (measuredLaunches == 0) {
        throw CommandFailed(ExitCode::failed, traced.trace.program + ": no launch to measure");
    }
    if (json) {
        const nlohmann::ordered_json object{{"program", traced.trace.program},
                                            {"version", version()},
                                            {"launches", std::move(launches)},
                                            {"notes", traced.trace.notes}};
        printDocument(Document::programMeasurement, object.dump(2));
    } else {
        print(text);
    }
    return ExitCode::done;
}

}  // namespace warplens
