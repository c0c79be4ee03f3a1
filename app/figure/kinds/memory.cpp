#include <algorithm>

#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"

namespace warplens::figure {
namespace {

/// Lane numbers and addresses are 0.81 of it, and are no smaller than the smallest text even where
/// they are made a little smaller to fit.
constexpr float textSize = size::smallestNumber / 0.78F;
constexpr float leastHeight = 172;
constexpr float leastWidth = 620;

WarpTrace traceOf(const Subject& subject) {
    const WarpPlace place{subject.experiment, subject.block, subject.warp.value_or(WarpRank{0})};
    WarpTrace trace = traceWarp(place);
    return trace.steps.empty() ? outputOfWarp(place) : trace;
}

/// The first request to each array in global memory, inputs first, and the costliest one to shared
/// memory: places in the trace's steps.
std::vector<std::size_t> stepsOf(const Subject& subject, const WarpTrace& trace) {
    const Kernel& kernel = kernelOf(scenarioNamed(subject.experiment.scenario).kernel);
    const auto wanted = [&](const WarpStep& step) {
        const std::size_t array = step.subject + (step.isShared() ? kernel.arrays.size() : 0);
        return step.kind != StepKind::branch && (!subject.array || *subject.array == array);
    };
    std::vector<std::size_t> steps;
    std::vector<std::pair<bool, std::uint16_t>> seen;
    const WarpStep* shared = nullptr;
    std::size_t sharedAt = 0;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const WarpStep& step = trace.steps[i];
        if (!wanted(step)) continue;
        if (step.isShared()) {
            const auto cost = [&](const WarpStep& of) {
                return drawing::costWords(trace, of).wasteful;
            };
            if (shared == nullptr || (!cost(*shared) && cost(step))) {
                shared = &step;
                sharedAt = i;
            }
            continue;
        }
        const std::pair key{step.isStore(), step.subject};
        if (std::ranges::find(seen, key) != seen.end()) continue;
        seen.push_back(key);
        steps.push_back(i);
    }
    std::ranges::stable_partition(steps,
                                  [&](std::size_t at) { return !trace.steps[at].isStore(); });
    if (shared != nullptr) {
        // Where banks are what the scenario is about they come first.
        const bool banks = drawing::costWords(trace, *shared).wasteful ||
                           subject.experiment.scenario.starts_with("shared-banks");
        steps.insert(banks ? steps.begin() : steps.end(), sharedAt);
    }
    return steps;
}

}  // namespace

std::string memoryStatement(const Subject&) {
    return {};  // each request says it of itself
}

void drawMemory(Canvas& canvas, const Subject& subject, const Box& room) {
    const WarpTrace trace = traceOf(subject);
    const std::vector<std::size_t> steps = stepsOf(subject, trace);
    const auto most = static_cast<std::size_t>(std::max(0.0F, room.height() / leastHeight));
    const std::size_t count = std::min(steps.size(), most);
    if (count == 0 || room.width() < leastWidth) {
        drawThreads(canvas, subject, room);
        return;
    }
    constexpr float gap = 16;
    const float each = std::min(
        (room.height() - gap * static_cast<float>(count - 1)) / static_cast<float>(count), 300.0F);
    float top = room.top;
    for (std::size_t i = 0; i < count; ++i, top += each + gap) {
        const Box box{room.left, top, room.right, top + each};
        canvas.add(drawing::prepareWarpMemory(trace, steps[i],
                                              {box, canvas.inks(), canvas.textWidth(), textSize})
                       .items,
                   box);
    }
}

}  // namespace warplens::figure
