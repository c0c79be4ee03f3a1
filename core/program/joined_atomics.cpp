#include "core/program/joined_atomics.h"

#include <algorithm>

namespace warplens {

void tellJoined(BlockSteps& steps, const LaunchReport& launch) {
    std::vector<const ProgramLine*> joined;
    for (const ProgramLine& line : launch.lines)
        if (line.isJoined && line.source == Source::predicted) joined.push_back(&line);
    if (joined.empty()) return;
    for (WarpSteps& warp : steps.warps) {
        for (BlockStep& step : warp.steps) {
            if (!isAtomic(step.kind)) continue;
            const std::string& array = isShared(step.kind) ? steps.shared[step.subject].name
                                                           : steps.arrays[step.subject].name;
            step.isJoined = std::ranges::any_of(joined, [&](const ProgramLine* line) {
                return line->kind == step.kind && line->array == array &&
                       line->place == steps.places[step.place];
            });
        }
    }
}

}  // namespace warplens
