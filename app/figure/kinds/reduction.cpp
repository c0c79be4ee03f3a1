#include <cmath>
#include <cstdlib>

#include "app/figure/kinds/kind.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

/// The mark that says which threads work at a step.
constexpr std::string_view workMark = "works";

struct Step final {
    std::uint32_t stride = 0;
    std::uint32_t working = 0;        ///< threads
    std::uint32_t parting = 0;        ///< warps in which some lanes work and others do not
    std::vector<std::uint32_t> work;  ///< by warp, bit i: lane i works
};

struct Steps final {
    std::vector<Step> steps;
    std::string failure;
    std::size_t besides = 0;  ///< times that warps diverge at other marks
    std::string where{};      ///< `, 1 where the thread writes the block's sum`
};

/// The distance of partners: the number at the end of `stride 4`.
std::uint32_t strideIn(const std::string& round) {
    const std::size_t blank = round.rfind(' ');
    return blank == std::string::npos
               ? 0
               : static_cast<std::uint32_t>(std::strtoul(round.c_str() + blank, nullptr, 10));
}

Steps stepsOf(const Subject& subject) {
    const Kernel& kernel = kernelOf(subject.view.experiment);
    const BlockMarks block = marksOf(subject);
    if (!block.failure.empty()) return {.steps = {}, .failure = block.failure};
    const auto mark = std::ranges::find(kernel.branches, workMark, &KernelBranch::name);
    if (mark == kernel.branches.end()) return {.steps = {}, .failure = "no mark of work"};
    const auto& warps = block.marks.at(static_cast<std::size_t>(mark - kernel.branches.begin()));
    Steps result;
    const std::size_t count = warps.empty() ? 0 : warps.front().size();
    for (std::size_t s = 0; s < count; ++s) {
        Step step;
        for (const std::vector<LaneMark>& marks : warps) {
            const LaneMark now = s < marks.size() ? marks[s] : LaneMark{};
            step.work.push_back(now.taken);
            step.working += static_cast<std::uint32_t>(std::popcount(now.taken));
            step.parting += now.parts() ? 1 : 0;
        }
        step.stride = strideIn(warps.front().at(s).round);
        result.steps.push_back(std::move(step));
    }
    for (std::size_t b = 0; b < block.marks.size(); ++b) {
        std::size_t times = 0;
        for (const std::vector<LaneMark>& marks : block.marks[b])
            times += static_cast<std::size_t>(std::ranges::count_if(marks, &LaneMark::parts));
        if (times == 0 || &block.marks[b] == &warps) continue;
        result.besides += times;
        result.where +=
            ", " + groupedDigits(times) + " where " + std::string(kernel.branches[b].meaning);
    }
    return result;
}

/// The threads of the block side by side: those that work filled, runs of them as one box.
void drawThreadsAtWork(Canvas& canvas, const Step& step, const Box& box, std::uint32_t threads) {
    const float width = box.width() / static_cast<float>(threads);
    const auto works = [&](std::uint32_t rank) {
        return (step.work.at(rank / lanesPerWarp) >> rank % lanesPerWarp & 1) != 0;
    };
    for (std::uint32_t rank = 0; rank < threads;) {
        std::uint32_t end = rank + 1;
        while (end < threads && works(end) == works(rank)) ++end;
        if (works(rank)) {
            const float left = box.left + static_cast<float>(rank) * width;
            const float least = step.stride > 4 ? 2 : 0;  // where there is room between them
            const float right = std::max(left + least, box.left + static_cast<float>(end) * width);
            // Its sides are smooth: of a box that is hardly wider than a pixel some would take two.
            canvas.add({drawing::Quad{.corners = {{{left, box.top},
                                                   {right, box.top},
                                                   {right, box.bottom},
                                                   {left, box.bottom}}},
                                      .color = canvas.style().print ? canvas.colors().text
                                                                    : canvas.style().first}},
                       box);
        }
        rank = end;
    }
}

/// What each warp does: all of its lanes work, some do and the others wait, or none does.
void drawWarpStates(Canvas& canvas, const Step& step, const Box& box, std::uint32_t threads) {
    const Style& style = canvas.style();
    for (std::uint32_t w = 0; w < step.work.size(); ++w) {
        const auto from = static_cast<float>(w * lanesPerWarp);
        const auto to = static_cast<float>(std::min(threads, (w + 1) * lanesPerWarp));
        const float width = box.width() / static_cast<float>(threads);
        const Box warp{box.left + from * width + 0.5F, box.top, box.left + to * width - 0.5F,
                       box.bottom};
        const std::uint32_t lanes = std::min(threads - w * lanesPerWarp, lanesPerWarp);
        const auto working = static_cast<std::uint32_t>(std::popcount(step.work.at(w)));
        if (working == lanes) {
            canvas.fill(warp, style.first);
        } else if (working > 0) {
            canvas.fill(warp, style.second);
            canvas.hatch(warp, style.colors.text, 5);
        }
        canvas.frame(warp, style.colors.muted, 1);
    }
}

void drawLegend(Canvas& canvas, const Box& row) {
    const Style& style = canvas.style();
    const drawing::ColorRoles& colors = canvas.colors();
    constexpr std::array<std::array<const char*, 3>, 2> ways{
        {{"a thread, or all of a warp, works", "some of a warp work, the others wait",
          "none works"},
         {"a thread or a warp works", "some of a warp do", "none does"}}};
    const auto widthOf = [&](const auto& way) {
        float width = 0;
        for (const char* words : way)
            width += 56 + canvas.width({words, Face::words, size::smallest});
        return width - 24;
    };
    const auto& words = ways.at(widthOf(ways[0]) <= row.width() ? 0 : 1);
    float x = row.left;
    const auto entry = [&](const char* meaning, auto paint) {
        const Words label{meaning, Face::words, size::smallest, colors.text};
        if (x + 32 + canvas.width(label) > row.right) return;
        const Box box{x, row.top + 2, x + 24, row.bottom - 2};
        paint(box);
        canvas.frame(box, colors.muted, 1);
        canvas.write({x + 32, row.top, row.right, row.bottom}, label);
        x += 32 + canvas.width(label) + 24;
    };
    entry(words[0], [&](const Box& box) { canvas.fill(box, style.first); });
    entry(words[1], [&](const Box& box) {
        canvas.fill(box, style.second);
        canvas.hatch(box, colors.text, 5);
    });
    entry(words[2], [](const Box&) {});
}

bool fits(std::size_t iterations, const Box& room) {
    const float least = 24;
    return iterations > 0 && room.width() >= 420 &&
           room.height() >= static_cast<float>(iterations) * least + 56;
}

}  // namespace

std::string reductionStatement(const Subject& subject) {
    const Steps result = stepsOf(subject);
    if (result.steps.empty()) return threadsStatement(subject);
    std::uint32_t parting = 0;
    for (const Step& step : result.steps) parting += step.parting;
    const std::string all = "A block's warps diverge " + counted(parting + result.besides, "time");
    const std::string inLoop = " in " + std::to_string(result.steps.size()) + " iterations";
    return result.besides == 0 ? all + inLoop
                               : all + ": " + groupedDigits(parting) + inLoop + result.where;
}

bool fitsReduction(const Experiment& sum, const Box& room) {
    const auto marks = std::ranges::count(kernelOf(sum).branches, workMark, &KernelBranch::name);
    return marks == 1 && fits(std::bit_width(sum.launch.block.x) - 1, room);
}

void drawReduction(Canvas& canvas, const Subject& subject, const Box& whole) {
    const Steps result = stepsOf(subject);
    const auto rows = static_cast<float>(result.steps.size());
    Box room = whole;
    if (!fits(result.steps.size(), room)) {
        drawThreads(canvas, subject, whole);
        return;
    }
    const drawing::ColorRoles& colors = canvas.colors();
    const std::uint32_t threads = subject.view.experiment.launch.block.x;
    const float label = 96;
    const float words = 170;
    drawLegend(canvas, {room.left, room.bottom - size::name, room.right, room.bottom});
    room.bottom -= size::name + 10;
    const Box bars{room.left + label, room.top, room.right - words, room.bottom};
    const Box head{room.left, room.top, room.right, room.top + size::smallestNumber};
    canvas.write({head.left, head.top, bars.left - 8, head.bottom},
                 {"stride", Face::words, size::smallest, colors.muted});
    // The warp that is spoken of, over all rounds.
    const auto held = subject.view.warp;
    const float width =
        bars.width() * static_cast<float>(lanesPerWarp) / static_cast<float>(threads);
    const float from = bars.left + width * static_cast<float>(held.value_or(WarpRank{}).value);
    constexpr float half = 44;
    const float center = std::clamp(from + width / 2, bars.left + half, bars.right - half);
    if (!held || center > bars.left + 2.6F * half)
        canvas.write({bars.left, head.top, bars.left + 160, head.bottom},
                     {"thread 0", Face::words, size::smallest, colors.muted});
    if (!held || center < bars.right - 2 * half)
        canvas.write({bars.left + 160, head.top, bars.right, head.bottom},
                     {std::to_string(threads - 1), Face::words, size::smallest, colors.muted}, 1);
    if (held)
        canvas.write(
            {center - half, head.top, center + half, head.bottom},
            {"warp " + std::to_string(held->value), Face::strong, size::smallest, colors.text},
            0.5F);
    canvas.write({bars.right + 14, head.top, head.right, head.bottom},
                 {"lanes at work", Face::words, size::smallest, colors.muted});
    float top = head.bottom + 5;
    const float pitch = std::min((room.bottom - top) / rows, 56.0F);
    const float numbers = pitch > 30       ? size::sentence
                          : pitch >= 25.5F ? size::smallestNumber
                                           : size::smallest;
    for (const Step& step : result.steps) {
        const float bottom = top + pitch - 6;
        const float middle = top + (bottom - top) * 0.58F;
        canvas.write({room.left, top, bars.left - 14, top + pitch},
                     {std::to_string(step.stride), Face::numbers, numbers, colors.text}, 1);
        const Box lanes{bars.left, top, bars.right, middle};
        canvas.fill(lanes, colors.raised);
        canvas.frame(lanes, colors.muted, 1);
        drawThreadsAtWork(canvas, step, lanes, threads);
        drawWarpStates(canvas, step, {bars.left, middle + 2, bars.right, bottom}, threads);
        const std::string parts =
            step.parting == 0
                ? "0 diverge"
                : std::to_string(step.parting) + (step.parting == 1 ? " diverges" : " diverge");
        const Box beside{bars.right + 14, top, room.right, top + pitch};
        const std::string count = groupedDigits(step.working);
        const Words lanesWord{count, Face::numbers, numbers, colors.text};
        canvas.write(beside, lanesWord);
        canvas.write({beside.left + 52, top, room.right, top + pitch},
                     {parts, step.parting > 0 ? Face::strong : Face::words, size::smallest,
                      step.parting > 0 ? colors.text : colors.muted});
        top += pitch;
    }
    // Beside its lanes, of which the first alone works in the end.
    if (held) canvas.frame({from - 3, head.bottom + 1, from + width + 3, top - 3}, colors.text, 3);
}

}  // namespace warplens::figure
