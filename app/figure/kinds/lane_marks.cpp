#include "app/figure/kinds/lane_marks.h"

#include "app/drawing/warp_trace.h"

namespace warplens::figure {

BlockMarks marksOf(const Subject& subject) {
    const Kernel& kernel = kernelOf(subject.view.experiment);
    const std::uint32_t warps = warpCountPerBlock(subject.view.experiment.launch.block);
    BlockMarks result;
    result.marks.assign(kernel.branches.size(), std::vector<std::vector<LaneMark>>(warps));
    for (std::uint32_t w = 0; w < warps; ++w) {
        const WarpTrace trace = traceWarp({subject.view.experiment, subject.view.block, {w}});
        if (!trace.failure.empty()) return {.marks = {}, .failure = trace.failure};
        for (const WarpStep& step : trace.steps) {
            if (step.kind != StepKind::branch) continue;
            result.marks.at(step.subject)
                .at(w)
                .push_back({step.active, step.taken, trace.rounds.at(step.rounds)});
        }
    }
    return result;
}

}  // namespace warplens::figure
