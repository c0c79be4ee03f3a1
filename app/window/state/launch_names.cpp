#include "app/window/state/launch_names.h"

#include <algorithm>

namespace warplens::window {

std::string timesText(Extents extents) {
    std::string name = std::to_string(extents.x);
    if (extents.y != 1 || extents.z != 1) name += "×" + std::to_string(extents.y);
    if (extents.z != 1) name += "×" + std::to_string(extents.z);
    return name;
}

std::vector<std::string> labelsOf(const std::vector<const Recording*>& recordings) {
    const auto differs = [&](const std::string& size, std::int64_t value) {
        return std::ranges::any_of(recordings, [&](const Recording* other) {
            const Arguments& arguments = other->measurement.experiment.arguments;
            return !arguments.contains(size) || arguments.at(size) != value;
        });
    };
    // The grid follows from block and sizes, unless it is itself the problem.
    const auto onlyGridsDiffer = [&](const Experiment& experiment) {
        return std::ranges::any_of(recordings, [&](const Recording* other) {
            const Experiment& theirs = other->measurement.experiment;
            return theirs.launch.block == experiment.launch.block &&
                   theirs.arguments == experiment.arguments &&
                   theirs.launch.grid != experiment.launch.grid;
        });
    };
    std::vector<std::string> labels;
    for (const Recording* recording : recordings) {
        const Measurement& m = recording->measurement;
        std::string label = timesText(m.experiment.launch.block);
        if (onlyGridsDiffer(m.experiment)) {
            const Extents grid = m.experiment.launch.grid;
            label = timesText(grid) + (grid.count() == 1 ? " block of " : " blocks of ") + label;
        }
        for (const auto& [size, value] : m.experiment.arguments.entries()) {
            if (differs(size, value)) label += " · " + size + " " + std::to_string(value);
        }
        std::string_view device = m.device.name;
        constexpr std::string_view maker = "NVIDIA ";
        if (device.starts_with(maker)) device.remove_prefix(maker.size());
        labels.push_back(label + " · " + std::string(device));
    }
    return labels;
}

}  // namespace warplens::window
