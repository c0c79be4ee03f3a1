#include <algorithm>

#include "app/drawing/lesson_pictures.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "core/access/shared_access.h"
#include "core/access/warp_access.h"

namespace warplens::figure {
namespace {

/// Lane numbers and addresses are 0.81 of it, and are no smaller than the smallest text even where
/// they are made a little smaller to fit.
constexpr float textSize = size::smallestNumber / 0.78F;
constexpr float leastHeight = 172;
constexpr float leastWidth = 620;

WarpTrace traceOf(const Subject& subject) {
    const WarpPlace place{subject.view.experiment, subject.view.block,
                          subject.view.warp.value_or(WarpRank{0}), subject.program};
    WarpTrace trace = traceWarp(place);
    return trace.steps.empty() && place.program == nullptr ? outputOfWarp(place) : trace;
}

std::uint32_t costOfStep(const WarpStep& step) {
    if (step.isShared()) {
        return sharedCostOf(ActiveOffsets(step).all(), step.bytes, step.isAtomic()).wavefronts;
    }
    return costOf(ActiveOffsets(step).all(), step.bytes).sectors;
}

/// The first of the costliest requests to each array in global memory, inputs first, and the
/// costliest one to shared memory: places in the trace's steps.
std::vector<std::size_t> stepsOf(const Subject& subject, const WarpTrace& trace) {
    const auto wanted = [&](const WarpStep& step) {
        const std::size_t array =
            step.subject + (step.isShared() ? trace.subjects.arrays.size() : 0);
        return step.kind != StepKind::branch &&
               (!subject.view.array || *subject.view.array == array);
    };
    std::vector<std::size_t> steps;
    std::vector<std::pair<StepKind, std::uint16_t>> seen;
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
        const std::pair key{step.kind, step.subject};
        const auto known = std::ranges::find(seen, key);
        if (known == seen.end()) {
            seen.push_back(key);
            steps.push_back(i);
        } else if (std::size_t& kept = steps[static_cast<std::size_t>(known - seen.begin())];
                   costOfStep(step) > costOfStep(trace.steps[kept])) {
            kept = i;
        }
    }
    std::ranges::stable_partition(steps,
                                  [&](std::size_t at) { return !trace.steps[at].isStore(); });
    if (shared != nullptr) {
        // Where banks are what the scenario is about they come first.
        const bool banks = drawing::costWords(trace, *shared).wasteful ||
                           subject.view.experiment.scenario.starts_with("shared-banks");
        steps.insert(banks ? steps.begin() : steps.end(), sharedAt);
    }
    return steps;
}

/// The request that says most: the costliest to global memory. None where shared memory is what
/// costs.
std::optional<std::size_t> tellingStep(const Subject& subject, const WarpTrace& trace,
                                       const std::vector<std::size_t>& steps,
                                       bool ofGlobal = false) {
    if (subject.view.step && *subject.view.step < trace.steps.size()) {
        const WarpStep& step = trace.steps[*subject.view.step];
        if (step.kind != StepKind::branch && !step.isShared()) return *subject.view.step;
    }
    const bool banks = !steps.empty() && trace.steps[steps.front()].isShared();
    if ((banks && !ofGlobal) || steps.empty()) return std::nullopt;
    if (!ofGlobal && drawing::tilePhasesOf(subject.view.experiment, subject.view.block))
        return std::nullopt;
    std::optional<std::size_t> most;
    for (const std::size_t step : steps) {
        if (trace.steps[step].isShared()) continue;
        if (!most || costOfStep(trace.steps[step]) > costOfStep(trace.steps[*most])) most = step;
    }
    return most;
}

/// `left: 32 sectors   ·   right: 1 sector`: the requests that are not drawn.
std::string othersInWords(const WarpTrace& trace, const std::vector<std::size_t>& steps,
                          std::size_t drawn) {
    std::string words;
    for (const std::size_t step : steps) {
        if (step == drawn) continue;
        const WarpStep& other = trace.steps[step];
        std::string title = drawing::titleOf(trace, other);
        if (const std::size_t begin = title.find(' ', 5); begin != std::string::npos) {
            title = title.substr(begin + 1);
        }
        const std::uint32_t cost = costOfStep(other);
        words += (words.empty() ? "It also " : "   ·   ") + title + ": " + std::to_string(cost) +
                 (other.isShared() ? (cost == 1 ? " wavefront" : " wavefronts")
                                   : (cost == 1 ? " sector" : " sectors"));
    }
    return words;
}

/// One request, large.
void drawRequest(Canvas& canvas, const WarpTrace& trace, const std::vector<std::size_t>& steps,
                 std::size_t step, Box room) {
    const drawing::ColorRoles& colors = canvas.colors();
    const drawing::CostWords cost = drawing::costWords(trace, trace.steps[step]);
    const Words title{drawing::titleOf(trace, trace.steps[step]), Face::strong, size::sentence,
                      colors.text};
    const Box line{room.left, room.top, room.right, room.top + size::sentence};
    canvas.write(line, title);
    const Rgb ink = cost.wasteful ? colors.warning : colors.muted;
    const Box beside{room.left + canvas.width(title) + 24, line.top, room.right, line.bottom};
    if (!canvas.writeFirst(beside,
                           {{cost.full, Face::words, size::name, ink},
                            {cost.brief, Face::words, size::name, ink},
                            {cost.brief, Face::words, size::smallest, ink}},
                           1)) {
        canvas.write({room.left, line.bottom + 4, room.right, line.bottom + 4 + size::name},
                     {cost.brief, Face::words, size::smallest, ink});
        room.top += size::name + 4;
    }
    room.top += size::sentence + 12;
    // Below a single row of sectors there is room for what the warp keeps of it in shared memory.
    std::vector<std::size_t> told = steps;
    const auto shared =
        std::ranges::find_if(told, [&](std::size_t at) { return trace.steps[at].isShared(); });
    if (shared != told.end() && costOfStep(trace.steps[step]) <= 4 &&
        room.height() > 2.4F * leastHeight) {
        const Box below{room.left, room.bottom - 1.2F * leastHeight, room.right, room.bottom};
        canvas.add(drawing::prepareWarpMemory(
                       trace, *shared, {below, canvas.colors(), canvas.textWidth(), textSize})
                       .items,
                   below);
        told.erase(shared);
        room.bottom = below.top - 10;
    }
    const std::string others = othersInWords(trace, told, step);
    if (!others.empty() && room.height() > 220) {
        const Box last{room.left, room.bottom - size::smallest, room.right, room.bottom};
        canvas.writeFirst(last, {{others, Face::words, size::name, colors.muted},
                                 {others, Face::words, size::smallest, colors.muted}});
        room.bottom -= size::name + 10;
    }
    canvas.add(
        drawing::prepareSectorGrid(trace, step, {room, colors, canvas.textWidth(), textSize}),
        room);
}

}  // namespace

std::optional<Telling> tellingRequest(const Subject& subject, bool ofGlobal) {
    if (!subject.kernel.empty() && subject.program == nullptr) return std::nullopt;
    Telling telling{.trace = traceOf(subject)};
    const std::vector<std::size_t> steps = stepsOf(subject, telling.trace);
    const auto step = tellingStep(subject, telling.trace, steps, ofGlobal);
    if (!step) return std::nullopt;
    telling.step = *step;
    return telling;
}

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
    if (const auto telling = tellingStep(subject, trace, steps)) {
        drawRequest(canvas, trace, steps, *telling, room);
        return;
    }
    if (const auto phases = drawing::tilePhasesOf(subject.view.experiment, subject.view.block);
        phases && room.height() > 2 * leastHeight) {
        // The tiles while they are read, and the costliest request to shared memory below.
        drawing::TilePhases reading = *phases;
        const auto phaseCount = static_cast<double>((reading.n + reading.tile - 1) / reading.tile);
        reading.at = 0.8 / phaseCount;
        const float middle = room.top + room.height() * 0.5F;
        const Box above{room.left, room.top, room.right, middle - 10};
        canvas.add(drawing::prepareTilePhases(
                       reading, {above, canvas.colors(), canvas.textWidth(), size::smallest}),
                   above);
        for (const std::size_t step : steps) {
            if (!trace.steps[step].isShared()) continue;
            const Box below{room.left, middle + 10, room.right, room.bottom};
            canvas.add(drawing::prepareWarpMemory(
                           trace, step, {below, canvas.colors(), canvas.textWidth(), textSize})
                           .items,
                       below);
            return;
        }
    }
    constexpr float gap = 16;
    const float each = std::min(
        (room.height() - gap * static_cast<float>(count - 1)) / static_cast<float>(count), 300.0F);
    float top = room.top;
    for (std::size_t i = 0; i < count; ++i, top += each + gap) {
        const Box box{room.left, top, room.right, top + each};
        canvas.add(drawing::prepareWarpMemory(trace, steps[i],
                                              {box, canvas.colors(), canvas.textWidth(), textSize})
                       .items,
                   box);
    }
}

}  // namespace warplens::figure
