#include "app/cli/kept_measurement.h"

#include <algorithm>

#include "app/cli/options.h"
#include "app/cli/subcommand.h"
#include "core/measurement/value_text.h"
#include "core/text/atomic_file.h"
#include "kernels/trace/measure_request.h"

namespace warplens {

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
