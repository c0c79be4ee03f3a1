#include "app/cli/recording_choices.h"

#include "app/cli/options.h"
#include "core/measurement/value_text.h"

namespace warplens {

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
