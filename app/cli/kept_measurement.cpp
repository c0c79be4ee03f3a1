#include "app/cli/kept_measurement.h"

#include <algorithm>

#include "app/cli/declare.h"
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
                                        const ProgramLaunch& launch) {
    if (measured == nullptr) return nullptr;
    const auto found = std::ranges::find_if(measured->launches, [&](const MeasuredLaunch& one) {
        return one.predicted.index == launch.index && one.measured.launch == launch.launch;
    });
    return found == measured->launches.end() ? nullptr : &found->measured;
}

}  // namespace warplens
