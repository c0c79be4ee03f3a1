#include <bit>
#include <cmath>
#include <numeric>
#include <ranges>

#include "app/figure/kinds/kind.h"
#include "core/program/branch_reasons.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

using WarpMarks = std::vector<std::vector<LaneMark>>;  ///< by warp

/// The marks that the scenario is about: all but the guard, unless there is no other.
std::vector<std::size_t> marksThatMatter(const Kernel& kernel) {
    std::vector<std::size_t> matter;
    for (std::size_t b = 0; b < kernel.branches.size(); ++b) {
        if (kernel.branches[b].name != "inside") matter.push_back(b);
    }
    if (matter.empty() && !kernel.branches.empty()) matter.push_back(0);
    return matter;
}

bool isLoop(const WarpMarks& warps) {
    return std::ranges::any_of(warps, [](const auto& marks) { return marks.size() > 1; });
}

/// Times each lane goes in.
std::array<std::uint32_t, lanesPerWarp> roundsOf(const std::vector<LaneMark>& marks) {
    std::array<std::uint32_t, lanesPerWarp> rounds{};
    for (const LaneMark& mark : marks) {
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            rounds.at(lane) += mark.taken >> lane & 1;
        }
    }
    return rounds;
}

std::uint32_t mostRounds(const WarpMarks& warps) {
    std::uint32_t most = 0;
    for (const auto& marks : warps) most = std::max(most, std::ranges::max(roundsOf(marks)));
    return most;
}

/// Which of the ways the lane goes, 0 into it, 1 past it, of a switch further ones; or:
enum class LaneLook : std::size_t {
    away = 100,  ///< a thread that does not come to the mark
    none,        ///< no thread
};

void drawLane(Canvas& canvas, const Box& box, LaneLook look) {
    const Style& style = canvas.style();
    if (look == LaneLook::none) return canvas.frame(box, style.colors.faint, 1);
    if (look == LaneLook::away) {
        canvas.fill(box, style.colors.raised);
        return canvas.hatch(box, style.colors.faint, 6);
    }
    const std::array ways{style.first, style.second, style.third, style.fourth};
    const auto way = static_cast<std::size_t>(look);
    const auto lighter = 0.35F * static_cast<float>(way / ways.size() % 3);
    canvas.fill(box, mixed(ways.at(way % ways.size()), style.colors.background, lighter));
    if (way % 2 == 1) canvas.hatch(box, style.colors.text, 9);
    if (style.print) canvas.frame(box, style.colors.text, 1);
}

LaneLook lookOf(const LaneMark& mark, std::uint32_t lane) {
    const auto goes = [&](std::uint32_t lanes) { return (lanes >> lane & 1) != 0; };
    if (mark.ways.empty()) return LaneLook{goes(mark.taken) ? 0U : 1U};
    const auto way = std::ranges::find_if(mark.ways, goes) - mark.ways.begin();
    return LaneLook{static_cast<std::size_t>(way)};
}

/// What the looks of a lane mean.
struct ArmNames final {
    std::vector<std::string> ways;
    bool isOneWay = false;         ///< nothing is on its other side
    std::uint32_t mostRounds = 0;  ///< of a program's loop: what fills a lane
};

/// The lanes of one warp at a mark, and what it means for the warp.
void drawWarp(Canvas& canvas, const std::vector<LaneMark>& marks, const Box& lanes,
              const Box& beside, std::uint32_t threads, std::uint32_t most, const ArmNames& arms) {
    const drawing::ColorRoles& colors = canvas.colors();
    const float cell = lanes.width() / lanesPerWarp;
    const auto rounds = roundsOf(marks);
    const LaneMark first = marks.empty() ? LaneMark{} : marks.front();
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float left = lanes.left + static_cast<float>(lane) * cell;
        const Box box{left + 0.5F, lanes.top, left + cell - 0.5F, lanes.bottom};
        const bool active = (first.active >> lane & 1) != 0;
        if (lane >= threads || !active) {
            drawLane(canvas, box, lane >= threads ? LaneLook::none : LaneLook::away);
        } else if (most > 1) {
            float height =
                box.height() * static_cast<float>(rounds.at(lane)) / static_cast<float>(most);
            // Beside a launch that goes round more often a few times are seen, too.
            if (arms.mostRounds != 0 && height > 0) height = std::max(height, 3.0F);
            canvas.fill({box.left, box.bottom - height, box.right, box.bottom},
                        canvas.style().first);
            canvas.frame(box, colors.muted, 1);
        } else {
            drawLane(canvas, box, lookOf(first, lane));
        }
    }
    std::string words;
    bool parts = false;
    if (most > 1) {
        const std::uint32_t busiest = std::ranges::max(rounds);
        words = groupedDigits(busiest) + " iterations";
        parts = std::ranges::any_of(marks, &LaneMark::parts);
        std::uint32_t least = busiest;
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
            if ((first.active >> lane & 1) != 0) least = std::min(least, rounds.at(lane));
        if (arms.mostRounds != 0) {
            words = (least == busiest ? "each " : groupedDigits(least) + " to ") +
                    counted(busiest, "time");
            if (first.active == 0) words = "no lane";
        }
    } else if (first.active == 0) {
        words = "no lane";
    } else {
        parts = first.parts() && !arms.isOneWay;
        const int in = std::popcount(first.taken);
        words = parts ? (first.ways.empty() ? "both" : std::to_string(first.paths())) + " paths"
                : arms.isOneWay ? (in == 0 ? "none" : counted(in, "lane"))
                                : "one path";
    }
    canvas.writeFirst(beside, {{words, parts ? Face::strong : Face::words, size::name,
                                parts ? colors.text : colors.muted},
                               {words, parts ? Face::strong : Face::words, size::smallest,
                                parts ? colors.text : colors.muted}});
}

constexpr float leastPitch = 24;  ///< from warp to warp
/// Of rows below what is written above them: two looks of a lane, one below the other, its numbers.
constexpr float rowsTop = 2 * size::name + 6 + 10 + size::smallestNumber + 4;

/// One mark for the warps of the ranks, as many as there is room for, each at most so high;
/// returns where it ends.
float drawMark(Canvas& canvas, const ArmNames& arms, Extents block, const WarpMarks& warps,
               const std::vector<std::uint32_t>& ranks, float highest, Box room) {
    const drawing::ColorRoles& colors = canvas.colors();
    const bool loop = arms.mostRounds != 0 || isLoop(warps);
    const std::uint32_t most = loop ? std::max({2u, arms.mostRounds, mostRounds(warps)}) : 1;

    Box legend{room.left, room.top, room.right, room.top + size::name};
    float x = legend.left;
    const auto entry = [&](LaneLook look, const std::string& words) {
        const Words label{words, Face::words, size::smallest, colors.text};
        // Two launches beside each other have as many lines of it.
        const bool narrow = room.width() < 640 && arms.ways.size() == 2;
        if (x > legend.left && (narrow || x + 34 + canvas.width(label) > legend.right)) {
            x = legend.left;
            legend.top = legend.bottom + 6;
            legend.bottom = legend.top + size::name;
        }
        drawLane(canvas, {x, legend.top + 1, x + 24, legend.bottom - 1}, look);
        canvas.writeShortened({x + 32, legend.top, legend.right, legend.bottom}, label);
        x += 32 + canvas.width(label) + 26;
    };
    if (loop) {
        canvas.writeFirst(legend,
                          {{"Filled as high as the lane goes round" +
                                std::string(arms.mostRounds != 0 ? "; full: " : ", at most ") +
                                groupedDigits(most) + " times",
                            Face::words, size::smallest, colors.text}});
    } else {
        for (std::size_t way = 0; way < arms.ways.size(); ++way)
            entry(LaneLook{way}, arms.ways[way]);
        bool away = false;
        bool none = false;
        for (std::size_t w = 0; w < warps.size(); ++w) {
            const std::uint32_t threads = threadCountInWarp({ranks[w]}, block);
            const std::uint32_t all = threads == lanesPerWarp ? ~0U : (1U << threads) - 1;
            away |= ((warps[w].empty() ? 0 : warps[w].front().active) & all) != all;
            none |= threads < lanesPerWarp;
        }
        if (away) entry(LaneLook::away, "does not come here");
        if (none) entry(LaneLook::none, "no thread");
    }
    room.top = legend.bottom + 10;

    const float label = 84;
    const float words = room.width() > 560 ? 130.0F : 0.0F;
    const float width = std::floor((room.width() - label - words) / lanesPerWarp) * lanesPerWarp;
    if (width < lanesPerWarp * 5) return room.bottom;
    const float left = room.left + label;
    drawLaneNumbers(canvas, room.left, left, room.top, width / lanesPerWarp);
    room.top += size::smallestNumber + 4;

    auto shown = std::min(warps.size(),
                          static_cast<std::size_t>(std::max(0.0F, room.height() / leastPitch)));
    if (shown == 0) return room.bottom;
    const bool more = shown < warps.size();
    const float pitch = std::min(room.height() / static_cast<float>(shown), highest);
    if (more) --shown;
    float top = room.top;
    for (std::uint32_t w = 0; w < shown; ++w, top += pitch) {
        const float bottom = top + pitch - 5;
        canvas.write({room.left, top, left, bottom}, {"warp " + std::to_string(ranks[w]),
                                                      Face::words, size::smallest, colors.text});
        drawWarp(canvas, warps[w], {left, top, left + width, bottom},
                 {left + width + 14, top, room.right, bottom}, threadCountInWarp({ranks[w]}, block),
                 most, arms);
    }
    if (more) {
        canvas.write({left, top, room.right, top + pitch},
                     {"… and " + std::to_string(warps.size() - shown) + " more warps", Face::words,
                      size::smallest, colors.muted});
        return room.bottom;
    }
    return top;
}

/// What the compiler made of the marks, upwards from the bottom; returns the height it takes.
float drawCompiled(Canvas& canvas, const Subject& subject, const Box& room) {
    std::vector<MarkLine> lines = compiledMarks(subject.evidence);
    // A slide shows code with its lines' numbers, not the branches' names.
    for (MarkLine& line : lines) {
        const std::vector<KernelBranch>& all = kernelOf(subject.view.experiment).branches;
        const auto found = std::ranges::find(all, line.mark, &KernelBranch::name);
        if (found != all.end()) line.mark = "line " + std::to_string(found->line);
    }
    constexpr float pitch = size::sentence + 4;
    const auto wordsOf = [&](const MarkLine& line) {
        return Words{line.words, Face::words, size::name,
                     line.diverges ? canvas.colors().text : canvas.colors().muted};
    };
    const auto left = [&](const MarkLine& line) {
        return room.left +
               std::max(110.0F, canvas.width({line.mark, Face::numbers, size::name}) + 16);
    };
    const auto rowsOf = [&](const MarkLine& line) {
        return canvas.width(wordsOf(line)) > room.right - left(line) ? 2 : 1;
    };
    int rows = 1;
    for (const MarkLine& line : lines) rows += rowsOf(line);
    const float height = static_cast<float>(rows) * pitch;
    if (lines.empty() || height > room.height() * 0.5F) return 0;
    const drawing::ColorRoles& colors = canvas.colors();
    float top = room.bottom - height;
    canvas.write({room.left, top, room.right, top + pitch},
                 {"What the compiler made of it", Face::strong, size::sentence, colors.text});
    top += pitch;
    for (const MarkLine& line : lines) {
        canvas.write({room.left, top, room.right, top + pitch},
                     {line.mark, Face::numbers, size::name, colors.text});
        const int lineRows = rowsOf(line);
        const float below = top + pitch * static_cast<float>(lineRows);
        if (lineRows == 1) {
            canvas.write({left(line), top, room.right, below}, wordsOf(line));
        } else {
            canvas.writeLines({left(line), top + 3, room.right, below + 3}, wordsOf(line),
                              lineRows);
        }
        top = below;
    }
    return height + 14;
}

}  // namespace

std::string branchStatement(const Subject& subject) {
    const BlockMarks block = marksOf(subject);
    const Kernel& kernel = kernelOf(subject.view.experiment);
    if (!block.failure.empty()) return threadsStatement(subject);
    const std::size_t branch = marksThatMatter(kernel).front();
    const WarpMarks& warps = block.marks.at(branch);
    if (isLoop(warps)) {
        return "A warp goes round as often as its busiest lane: " +
               groupedDigits(mostRounds(warps)) + " times";
    }
    const auto parting = static_cast<std::uint64_t>(
        std::ranges::count_if(warps, [](const std::vector<LaneMark>& marks) {
            return std::ranges::any_of(marks, &LaneMark::parts);
        }));
    const std::string name = "line " + std::to_string(kernel.branches[branch].line);
    if (parting == 0) return "No warp takes both paths of " + name;
    if (parting == warps.size()) {
        return warps.size() == 1 ? "The one warp takes both paths of " + name
                                 : "Every warp takes both paths of " + name;
    }
    return std::to_string(parting) + " of " + std::to_string(warps.size()) +
           " warps take both paths of " + name;
}

void drawBranches(Canvas& canvas, const Subject& subject, const Box& whole) {
    const BlockMarks block = marksOf(subject);
    if (!block.failure.empty() || whole.width() < 300 || whole.height() < 110) {
        drawThreads(canvas, subject, whole);
        return;
    }
    Box room = whole;
    room.bottom -= drawCompiled(canvas, subject, room);
    std::vector<std::size_t> marks = marksThatMatter(kernelOf(subject.view.experiment));
    const auto most = std::max(1.0F, room.height() / 150);
    if (static_cast<float>(marks.size()) > most) marks.resize(static_cast<std::size_t>(most));
    const float each = room.height() / static_cast<float>(marks.size());
    const Extents shape = subject.view.experiment.launch.block;
    // The code stands below two of them.
    const float highest = warpCountPerBlock(shape) > 2 ? 54.0F : 46.0F;
    std::vector<std::uint32_t> ranks(warpCountPerBlock(shape));
    std::iota(ranks.begin(), ranks.end(), 0U);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const float top = room.top + each * static_cast<float>(i);
        const KernelBranch& mark = kernelOf(subject.view.experiment).branches[marks[i]];
        std::string meaning(mark.meaning);
        std::erase(meaning, '`');  // around code
        const float end =
            drawMark(canvas, {{meaning, "otherwise"}}, shape, block.marks.at(marks[i]), ranks,
                     highest, {room.left, top, room.right, top + each - 8});
        // The code, where there are few warps.
        if (marks.size() == 1 && subject.kernel.empty() && !subject.codeApart) {
            drawKernelCode(canvas, subject, mark.line,
                           {room.left, end + 4, room.right, room.bottom});
        }
    }
}

namespace {

/// Whether a loop goes on while all of so many conditions hold.
bool isAllOf(std::string_view name, std::size_t count) {
    std::size_t joints = 0;
    for (std::size_t at = name.find("&&"); at != name.npos; at = name.find("&&", at + 2)) ++joints;
    return joints + 1 == count && name.find("||") == name.npos && name.find('?') == name.npos;
}

/// Of each condition of the chain the branch that asks it, or its first part; nothing where they
/// are not all known, and where the last has several parts, which do not tell who goes in.
std::vector<std::size_t> headsOf(const IfChain& chain,
                                 const std::vector<StepSubjects::Branch>& branches) {
    std::vector<std::size_t> heads;
    for (const std::uint32_t line : chain.lines) {
        const auto found = std::ranges::find(branches, "line " + std::to_string(line),
                                             &StepSubjects::Branch::meaning);
        if (found == branches.end()) return {};
        heads.push_back(static_cast<std::size_t>(found - branches.begin()));
    }
    if (!heads.empty() && chain.ways[heads.size() - 1].find_first_of("&|?") != std::string::npos)
        return {};
    return heads;
}

}  // namespace

WarpsAtBranch warpsAtBranch(const Subject& subject, const Telling& telling) {
    const WarpStep& at = telling.trace.steps[telling.step];
    WarpsAtBranch result;
    result.name = telling.trace.subjects.branches.at(at.subject).name;
    result.place = telling.trace.subjects.branches.at(at.subject).meaning;
    const bool isLoop = isLoopCondition(result.name);
    result.isGuard = at.isGuard;
    result.isOneWay = at.isOneWay;
    // Of `if (a || b)` each part is a branch of its own, of a `switch` each case.
    std::vector<std::size_t> parts;
    for (std::size_t b = 0; b < telling.trace.subjects.branches.size(); ++b) {
        const bool isOfLine = telling.trace.subjects.branches[b].name == result.name &&
                              telling.trace.subjects.branches[b].meaning == result.place;
        if (isOfLine) parts.push_back(b);
    }
    const bool isSwitch = result.name.starts_with("switch") && parts.size() > 1;
    const source::SourceEdit text(subject.source);
    const bool isOfOtherFile = result.place.find(" of ") != std::string::npos;
    const IfChain chain = isSwitch || isOfOtherFile ? IfChain{} : chainOf(text, at.line);
    const std::vector<std::size_t> heads = headsOf(chain, telling.trace.subjects.branches);
    const bool isChain = !heads.empty();
    const bool hasWays = isSwitch || isChain;
    // Of a loop that goes on while all of several things are so, the last of them lets a lane in.
    const bool tellsRounds = isLoop && (parts.size() == 1 || (result.name.starts_with("for") &&
                                                              isAllOf(result.name, parts.size())));
    std::vector<std::size_t> wayOf;  // by part, and in the end what no part takes
    if (isChain) {
        parts = heads;
        result.name = telling.trace.subjects.branches.at(heads.front()).name + " … else …";
        result.place = "lines " + std::to_string(chain.lines.front()) + " to " +
                       std::to_string(chain.lines.back());
        result.isOneWay = false;
    }
    if (hasWays) {
        const auto names = isChain ? chain.ways : casesOf(text, at.line);
        const bool areKnown = names.size() > parts.size();
        for (std::size_t part = 0; part <= parts.size(); ++part) {
            const std::string name = !areKnown             ? "path " + std::to_string(part + 1)
                                     : part < parts.size() ? names[part]
                                                           : names.back();
            constexpr std::ptrdiff_t most = 8;  // that are told apart
            auto way = std::ranges::find(result.cases, name) - result.cases.begin();
            if (way == std::ssize(result.cases) && way < most) result.cases.push_back(name);
            if (way == most) result.cases[--way] = "others";
            wayOf.push_back(static_cast<std::size_t>(way));
        }
    } else if (parts.size() > 1 && !tellsRounds) {
        const auto nth = std::ranges::find(parts, at.subject) - parts.begin() + 1;
        result.place += ", decision " + std::to_string(nth) + " of " + std::to_string(parts.size());
    }
    const std::string& round = telling.trace.rounds.at(at.rounds);
    const bool isBehind = result.name.starts_with("}") || result.name.starts_with("do");
    if (!round.empty() && !tellsRounds) result.place += ", " + round;
    const auto isHere = [&](const WarpStep& step) {
        return step.kind == StepKind::branch &&
               step.subject == (hasWays || tellsRounds ? parts.front() : at.subject);
    };
    const auto behind = telling.trace.steps.begin() + static_cast<std::ptrdiff_t>(telling.step) + 1;
    const auto time = std::count_if(telling.trace.steps.begin(), behind, isHere);
    const std::uint32_t count = warpCountPerBlock(subject.view.experiment.launch.block);
    for (std::uint32_t w = 0; w < count; ++w) {
        const WarpTrace trace =
            traceWarp({subject.view.experiment, subject.view.block, {w}, subject.program});
        LaneMark& mark = result.warps.emplace_back();
        if (tellsRounds) {
            std::vector<LaneMark>& rounds = result.rounds.emplace_back();
            for (const WarpStep& step : trace.steps) {
                if (!rounds.empty() && step.kind == StepKind::branch && parts.size() > 1 &&
                    step.subject == parts.back())
                    rounds.back().taken |= step.taken;
                if (!isHere(step)) continue;
                // Before it comes to its end for the first time a `do` has gone round.
                if (isBehind && (rounds.empty() || rounds.back().taken == 0))
                    rounds.push_back({step.active, step.active});
                rounds.push_back({step.active, parts.size() == 1 ? step.taken : 0});
            }
            result.mostRounds = std::max(result.mostRounds, std::ranges::max(roundsOf(rounds)));
            result.isCut |= trace.steps.size() < trace.total;
        }
        std::ptrdiff_t times = 0;
        std::uint32_t rest = 0;
        for (const WarpStep& step : trace.steps) {
            times += isHere(step) ? 1 : 0;
            if (times < time || step.kind != StepKind::branch) continue;
            if (times > time) break;
            if (isHere(step)) {
                mark = {step.active, step.taken, trace.rounds.at(step.rounds), {}};
                mark.ways.resize(result.cases.size());
            }
            const auto found = std::ranges::find(parts, step.subject);
            if (!hasWays || found == parts.end()) continue;
            const auto part = static_cast<std::size_t>(found - parts.begin());
            const bool isLast = part + 1 == parts.size();
            // Whoever comes to a condition of a chain went in at none before.
            if (isChain && part > 0) mark.ways[wayOf[part - 1]] &= ~step.active;
            mark.ways[wayOf[part]] |= isChain && !isLast ? step.active : step.taken;
            if (isSwitch) rest = 0;
            if (isSwitch || isLast) rest |= step.active & ~step.taken;
        }
        if (hasWays && mark.active != 0) mark.ways[wayOf.back()] |= rest;
    }
    return result;
}

std::size_t mostPaths(const WarpsAtBranch& branch) {
    return std::ranges::max(branch.warps | std::views::transform(&LaneMark::paths));
}

std::vector<std::uint32_t> tellingWarps(const WarpsAtBranch& branch) {
    std::vector<std::uint32_t> ranks;
    if (!branch.rounds.empty()) {
        // The lanes' own rounds are as many whichever come there together.
        const auto lost = [](const std::vector<LaneMark>& marks) {
            std::uint32_t lanes = 0;
            for (const LaneMark& mark : marks)
                lanes +=
                    static_cast<std::uint32_t>(std::popcount(marks.front().active & ~mark.active));
            return lanes;
        };
        const auto most = std::ranges::max_element(branch.rounds, {}, lost);
        return {static_cast<std::uint32_t>(most - branch.rounds.begin())};
    }
    std::vector<std::vector<bool>> seen;
    for (std::uint32_t w = 0; w < branch.warps.size(); ++w) {
        const LaneMark& mark = branch.warps[w];
        std::vector<bool> way{mark.active != 0, mark.taken != 0, mark.parts()};
        if (!mark.ways.empty()) way.assign(mark.ways.begin(), mark.ways.end());
        if (std::ranges::count(seen, way) != 0) continue;
        seen.push_back(way);
        ranks.push_back(w);
    }
    return ranks;
}

bool drawWarpsAtBranch(Canvas& canvas, const WarpsAtBranch& branch, bool named,
                       const std::vector<std::uint32_t>& ranks, Extents block, Box room) {
    const drawing::ColorRoles& colors = canvas.colors();
    if (named) {
        canvas.writeShortened({room.left, room.top, room.right, room.top + size::sentence},
                              {branch.name, Face::strong, size::sentence, colors.text});
        room.top += size::sentence + 6;
    }
    const bool isLoop = !branch.rounds.empty();
    const auto goesApart = [](const auto& marks) {
        return std::ranges::any_of(marks, &LaneMark::parts);
    };
    const auto parting = isLoop ? std::ranges::count_if(branch.rounds, goesApart)
                                : std::ranges::count_if(branch.warps, &LaneMark::parts);
    const std::size_t paths = mostPaths(branch);
    const std::string warps =
        std::to_string(parting) + " of the block's " + counted(branch.warps.size(), "warp");
    const std::string all = (paths == 0 ? "both" : std::to_string(paths)) + " paths";
    const std::uint32_t busiest = isLoop ? mostRounds(branch.rounds) : 0;
    Words words{branch.place + ": " +
                    (isLoop ? "a warp goes round as often as its busiest lane: " +
                                  counted(busiest, "time") + (branch.isCut ? " and more" : "")
                     : branch.isOneWay ? "it keeps lanes of " + warps + " out"
                     : paths == 1      ? "each warp takes one path"
                                       : warps + (parting == 1 ? " takes " : " take ") + all),
                Face::words, size::sentence,
                parting == 0 || (branch.isGuard && !isLoop) ? colors.muted : colors.warning};
    const Box line{room.left, room.top, room.right, room.top + size::sentence};
    Words longer = words;
    if (!isLoop && paths > 1) longer.words += ", one after the other";
    Words brief = words;
    brief.words.erase(0, branch.place.size() + 2);
    Words small = brief;
    small.size = size::smallest;
    if (!canvas.writeFirst(line, {longer, words, brief, small})) canvas.writeShortened(line, small);
    room.top += size::sentence + 12;
    WarpMarks marks;
    std::vector<std::uint32_t> drawn;
    const auto count = static_cast<std::uint32_t>(branch.warps.size());
    const float high = rowsTop + leastPitch * static_cast<float>(count);
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        if (high > room.height() && std::ranges::count(ranks, rank) == 0) continue;
        const LaneMark& mark = branch.warps[rank];
        marks.emplace_back();
        if (isLoop)
            marks.back() = branch.rounds[rank];
        else if (mark.active != 0)
            marks.back().push_back(mark);
        drawn.push_back(rank);
    }
    ArmNames arms{{"yes", branch.isOneWay ? "no: off meanwhile" : "no"}, branch.isOneWay};
    if (!branch.cases.empty()) arms.ways = branch.cases;
    arms.mostRounds = branch.mostRounds;
    drawMark(canvas, arms, block, marks, drawn, 84, room);
    return rowsTop + leastPitch * static_cast<float>(drawn.size()) <= room.height();
}

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
