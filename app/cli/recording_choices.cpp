#include "app/cli/recording_choices.h"

#include "app/cli/options.h"

namespace warplens {

std::string dayOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

std::string recordingChoices(const RecordingLibrary& library, const std::string& scenario) {
    std::string lines;
    for (const auto& [name, measurement] : library.recordings) {
        if (measurement.experiment.scenario != scenario) continue;
        lines += "\n  " + toOptions(measurement.experiment) + "  (" + measurement.device.name +
                 ", " + dayOf(measurement.takenAt) + ")";
    }
    if (lines.empty()) return "there is no recording of " + scenario + " either";
    return "recordings of " + scenario + " that `warplens list` offers instead:" + lines;
}

}  // namespace warplens
