#include <cmath>
#include <set>
#include <span>

#include "app/drawing/lesson_pictures.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"

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

std::uint64_t costOfStep(const WarpStep& step) {
    const LineCost cost = costOf(step);
    return step.isGlobal() ? cost.sectors : cost.wavefronts;
}

/// The first of the costliest requests to each array in global memory, inputs first, then in
/// constant memory, and the costliest one to shared memory: places in the trace's steps.
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
    std::ranges::stable_partition(steps,
                                  [&](std::size_t at) { return !trace.steps[at].isConstant(); });
    if (shared != nullptr) {
        // Where banks are what the scenario is about they come first.
        const bool banks = drawing::costWords(trace, *shared).wasteful || isOfBanks(subject);
        steps.insert(banks ? steps.begin() : steps.end(), sharedAt);
    }
    return steps;
}

/// The request that is asked for, else the one that says most: the costliest to global memory. None
/// where shared memory is what costs.
std::optional<std::size_t> largestOf(const Subject& subject, const WarpTrace& trace,
                                     const std::vector<std::size_t>& steps) {
    if (subject.view.step && *subject.view.step < trace.steps.size()) {
        if (trace.steps[*subject.view.step].kind != StepKind::branch) return *subject.view.step;
    }
    const bool banks = !steps.empty() && trace.steps[steps.front()].isShared();
    if (banks || steps.empty()) return std::nullopt;
    if (const auto phases = drawing::tilePhasesOf(subject.view.experiment, subject.view.block);
        phases && phases->shared)
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
        const std::uint64_t cost = costOfStep(other);
        words += (words.empty() ? "It also " : "   ·   ") + title + ": " + std::to_string(cost) +
                 (other.isConstant() ? (cost == 1 ? " turn" : " turns")
                  : other.isShared() ? (cost == 1 ? " wavefront" : " wavefronts")
                                     : (cost == 1 ? " sector" : " sectors"));
    }
    return words;
}

/// Of a request to shared memory below sectors: lines that can be told apart, and a row for each
/// wavefront.
float leastBelow(const WarpStep& step) {
    return 240 + 18 * static_cast<float>(std::min<std::uint64_t>(costOfStep(step), 8));
}

/// One request, large.
void drawRequest(Canvas& canvas, const Subject& subject, const WarpTrace& trace,
                 const std::vector<std::size_t>& steps, std::size_t step, Box room) {
    // Of an own file the code with its line, as of a branch.
    const bool isGlobal = trace.steps[step].isGlobal();
    const float code = isGlobal ? 92 : 150;
    if (subject.program != nullptr && room.height() > 2 * leastHeight + code) {
        Box below{room.left + 6, room.bottom - code, room.right, room.bottom};
        drawCodeRound(canvas, subject, trace.steps[step].line, false, below);
        room.bottom = below.top - 16;
    }
    if (!isGlobal) {
        canvas.add(drawing::prepareWarpMemory(trace, step, canvas.area(room, textSize)).items,
                   room);
        return;
    }
    const drawing::ColorRoles& colors = canvas.colors();
    const drawing::CostWords cost = drawing::costWords(trace, trace.steps[step]);
    // Below a single row of sectors there is room for what the warp keeps of it in shared memory.
    std::vector<std::size_t> told = steps;
    const auto shared =
        std::ranges::find_if(told, [&](std::size_t at) { return trace.steps[at].isShared(); });
    const bool hasBelow = subject.program == nullptr && shared != told.end() &&
                          costOfStep(trace.steps[step]) <= 4 &&
                          room.height() > 1.55F * leastHeight + leastBelow(trace.steps[*shared]);
    const float head = hasBelow ? 1.2F * textSize : size::sentence;
    const Words title{drawing::titleOf(trace, trace.steps[step]), Face::strong, head, colors.text};
    const Box line{room.left, room.top, room.right, room.top + head};
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
    room.top += head + 12;
    if (hasBelow) {
        const Box below{room.left, room.bottom - leastBelow(trace.steps[*shared]), room.right,
                        room.bottom};
        canvas.add(drawing::prepareWarpMemory(trace, *shared, canvas.area(below, textSize)).items,
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
    canvas.add(drawing::prepareSectorGrid(trace, step, canvas.area(room, textSize)), room);
}

}  // namespace

bool isOfBanks(const Subject& subject) {
    return subject.view.experiment.scenario.starts_with("shared-banks");
}

std::optional<Telling> tellingStep(const Subject& subject, CauseKind cause,
                                   const std::string& array, std::optional<AccessKind> access,
                                   const std::vector<std::uint32_t>& lines) {
    if (!subject.kernel.empty() && subject.program == nullptr) return std::nullopt;
    Telling telling{.trace = traceOf(subject)};
    const std::vector<WarpStep>& steps = telling.trace.steps;
    if (subject.view.step && *subject.view.step < steps.size()) {
        telling.step = *subject.view.step;
        return telling;
    }
    const auto isWanted = [&](const WarpStep& step) {
        switch (cause) {
            case CauseKind::divergence:
            case CauseKind::trips:
                return step.kind == StepKind::branch;
            case CauseKind::wavefronts:
            case CauseKind::sharedRequests:
                return step.isShared() && step.kind == access.value_or(step.kind);
            case CauseKind::constants:
                return step.isConstant();
            case CauseKind::atomics:
                return step.isAtomic();
            default:
                return step.isGlobal() && step.kind == access.value_or(step.kind) &&
                       (array.empty() ||
                        telling.trace.subjects.arrays.at(step.subject).name == array);
        }
    };
    const auto costAt = [&](std::size_t at) -> std::uint64_t {
        const WarpStep& step = steps[at];
        if (step.kind == StepKind::branch) {
            return step.taken != 0 && step.taken != step.active ? 1 : 0;
        }
        if (step.isAtomic() && cause == CauseKind::atomics) {
            return mostAtOneAddress(ActiveOffsets(step).all());
        }
        return costOfStep(step);
    };
    // By kind and array, in the order in which they come.
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (!isWanted(steps[at])) continue;
        const auto alike = std::ranges::find_if(groups, [&](const auto& group) {
            return steps[group.front()].kind == steps[at].kind &&
                   steps[group.front()].subject == steps[at].subject;
        });
        (alike == groups.end() ? groups.emplace_back() : *alike).push_back(at);
    }
    if (groups.empty()) return std::nullopt;
    if (cause == CauseKind::atomics) {
        // Where the work is: what was counted in shared memory is added up in global memory once.
        const auto work = [&](const auto& group) {
            return std::pair(group.size(), steps[group.front()].isShared());
        };
        const bool shared = steps[std::ranges::max_element(groups, {}, work)->front()].isShared();
        std::erase_if(groups,
                      [&](const auto& group) { return steps[group.front()].isShared() != shared; });
    }
    if (!lines.empty()) {
        constexpr std::uint32_t before = UINT32_MAX;
        const auto behind = [&](const auto& group) {
            std::uint32_t least = before;
            for (const std::uint32_t line : lines) {
                const std::uint32_t at = steps[group.front()].line;
                if (at >= line) least = std::min(least, at - line);
            }
            return least;
        };
        const std::uint32_t nearest = behind(*std::ranges::min_element(groups, {}, behind));
        std::erase_if(groups, [&](const auto& group) { return behind(group) != nearest; });
    }
    const bool typical = cause == CauseKind::sectors || cause == CauseKind::requests;
    std::optional<std::size_t> most;
    for (std::vector<std::size_t>& group : groups) {
        std::ranges::stable_sort(group, {}, costAt);
        const std::uint64_t cost = costAt(typical ? group[group.size() / 2] : group.back());
        const std::size_t first = *std::ranges::find(group, cost, costAt);
        // Of shared memory, what is loaded behind what was stored first.
        const bool later = cause == CauseKind::wavefronts && most && cost == costAt(*most);
        if (!most || cost > costAt(*most) || later) most = first;
    }
    telling.step = *most;
    return telling;
}

namespace {

bool isTo(const WarpStep& step, RequestsTo memory) {
    return (step.isGlobal() && memory != RequestsTo::shared) ||
           (step.isShared() && memory != RequestsTo::global);
}

}  // namespace

std::size_t countOfRequests(const Subject& subject, RequestsTo memory) {
    return static_cast<std::size_t>(std::ranges::count_if(
        traceOf(subject).steps, [&](const WarpStep& step) { return isTo(step, memory); }));
}

void drawRequestSquares(Canvas& canvas, const Subject& subject, RequestsTo memory, std::size_t most,
                        const Box& whole) {
    const WarpTrace trace = traceOf(subject);
    std::vector<const WarpStep*> requests;
    for (const WarpStep& step : trace.steps)
        if (isTo(step, memory)) requests.push_back(&step);
    const drawing::ColorRoles& colors = canvas.colors();
    Box room = whole;
    canvas.write({room.left, room.top, room.right, room.top + size::name},
                 {(trace.steps.size() < trace.total ? "the first " : "") +
                      counted(requests.size(), "request") + " of warp " +
                      std::to_string(trace.place.warp.value) + " to " +
                      (memory == RequestsTo::any      ? "memory"
                       : memory == RequestsTo::shared ? "shared memory"
                                                      : "global memory"),
                  Face::words, size::smallest, colors.text});
    room.top += size::name + 8;
    if (requests.empty() || room.height() < 60) return;
    const Style& style = canvas.style();
    const auto colorOf = [&](const WarpStep& step) {
        if (step.isStore()) return style.fourth;
        if (memory == RequestsTo::any && step.isShared()) return style.third;
        return step.subject == 0 ? style.first : style.second;
    };
    // What the colours mean, each once.
    std::vector<std::pair<Rgb, std::string>> legend;
    for (const WarpStep* step : requests) {
        const std::string name =
            drawing::nameOfArray(trace, *step) +
            (step->isJoined && step->isGlobal() ? " (one lane for its warp)" : "");
        const auto known =
            std::ranges::find(legend, colorOf(*step), &decltype(legend)::value_type::first);
        if (known == legend.end()) {
            legend.emplace_back(colorOf(*step), (step->isAtomic()  ? "atomics on "
                                                 : step->isStore() ? "stores to "
                                                                   : "loads from ") +
                                                    name);
        } else if ((' ' + known->second + ',').find(' ' + name + ',') == std::string::npos) {
            known->second += ", " + name;
        }
    }
    float x = room.left;
    for (const auto& [color, words] : legend) {
        const Words label{words, Face::words, size::smallest, colors.text};
        const Box box{x, room.top + 2, x + size::smallest, room.top + 2 + size::smallest};
        canvas.fill(box, color);
        if (style.print) canvas.frame(box, colors.text, 0.5F);
        canvas.write({box.right + 8, room.top, room.right, room.top + size::name}, label);
        x = box.right + 8 + canvas.width(label) + 26;
    }
    room.top += size::name + 8;
    // The largest squares that have room, and no larger than a request is worth.
    float side = 64;
    const auto fits = [&](float of) {
        const auto columns = std::floor(room.width() / of);
        return columns >= 1 &&
               std::ceil(static_cast<float>(std::max(most, requests.size())) / columns) * of <=
                   room.height();
    };
    while (side > 2 && !fits(side)) side *= 0.94F;
    const auto columns = static_cast<std::size_t>(std::max(1.0F, std::floor(room.width() / side)));
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const float left = room.left + side * static_cast<float>(i % columns);
        const float top = room.top + side * static_cast<float>(i / columns);
        if (top + side > room.bottom + 1) return;
        const float gap = side > 8 ? 2 : side > 4 ? 1 : 0.5F;
        const Box box{left, top, left + side - gap, top + side - gap};
        canvas.fill(box, colorOf(*requests[i]));
        if (style.print) canvas.frame(box, colors.text, 0.5F);
    }
}

std::string memoryStatement(const Subject&) {
    return {};  // each request says it of itself
}

std::vector<std::uint32_t> linesOfRequests(const Subject& subject) {
    const WarpTrace trace = traceOf(subject);
    std::vector<std::size_t> steps = stepsOf(subject, trace);
    if (const auto telling = largestOf(subject, trace, steps)) steps = {*telling};
    std::set<std::uint32_t> lines;
    for (const std::size_t step : steps) lines.insert(trace.steps[step].line);
    lines.erase(0);
    return {lines.begin(), lines.end()};
}

void drawMemory(Canvas& canvas, const Subject& subject, const Box& room) {
    const WarpTrace trace = traceOf(subject);
    const std::vector<std::size_t> steps = stepsOf(subject, trace);
    // Banks have rows of their own, and lines to them.
    const auto heightOf = [&](std::size_t step) {
        return (trace.steps[step].isShared() ? 1.4F : 1.0F) * leastHeight;
    };
    constexpr float gap = 16;
    std::size_t count = 0;
    float least = 0;  // of those that are drawn
    while (count < steps.size() &&
           least + heightOf(steps[count]) + gap * static_cast<float>(count) <= room.height())
        least += heightOf(steps[count++]);
    if (count == 0 || room.width() < leastWidth) {
        drawThreads(canvas, subject, room);
        return;
    }
    if (const auto telling = largestOf(subject, trace, steps)) {
        drawRequest(canvas, subject, trace, steps, *telling, room);
        return;
    }
    if (const auto phases = drawing::tilePhasesOf(subject.view.experiment, subject.view.block);
        phases && phases->shared && room.height() > 2 * leastHeight) {
        // The tiles while they are read, and the costliest request to shared memory below.
        drawing::TilePhases reading = *phases;
        const auto phaseCount = static_cast<double>((reading.n + reading.tile - 1) / reading.tile);
        reading.at = 0.8 / phaseCount;
        const float middle = room.top + room.height() * 0.5F;
        const Box above{room.left, room.top, room.right, middle - 10};
        canvas.add(drawing::prepareTilePhases(reading, canvas.area(above, size::smallest)), above);
        const auto shared =
            std::ranges::find_if(steps, [&](std::size_t at) { return trace.steps[at].isShared(); });
        const Box below{room.left, middle + 10, room.right, room.bottom};
        canvas.add(
            drawing::prepareWarpMemory(trace, shared == steps.end() ? steps.front() : *shared,
                                       canvas.area(below, textSize))
                .items,
            below);
        return;
    }
    constexpr float most = 1.75F;
    const float larger =
        std::min((room.height() - gap * static_cast<float>(count - 1)) / least, most);
    float top = room.top;
    for (const std::size_t step : std::span(steps).first(count)) {
        const Box box{room.left, top, room.right, top + larger * heightOf(step)};
        canvas.add(drawing::prepareWarpMemory(trace, step, canvas.area(box, textSize)).items, box);
        top = box.bottom + gap;
    }
}

}  // namespace warplens::figure
