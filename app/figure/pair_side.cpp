#include "app/figure/pair_side.h"

#include <bit>
#include <cmath>
#include <ranges>
#include <tuple>

#include "app/figure/compose.h"
#include "core/access/line_cost.h"
#include "core/measurement/measurement.h"
#include "core/program/branch_reasons.h"
#include "core/program/joined_atomics.h"
#include "core/program/line_costs.h"
#include "core/program/program_sources.h"
#include "core/program/warnings.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

/// `16 sectors`, with what it is of below it.
void tell(PairSide& side, const Cause& cause, bool isA, const std::vector<CodeLine>& changed) {
    const double amount = isA ? cause.a : cause.b;
    const std::string& unit = cause.unit;
    if (side.telling && drawsStep(side.cause)) {
        const WarpTrace& trace = side.telling->trace;
        const WarpStep& step = trace.steps[side.telling->step];
        const LineCost cost = costOf(step);
        const std::string title = drawing::titleOf(trace, step);
        side.units = static_cast<double>(unitsOf(step.kind, cost));
        if (side.cause == CauseKind::atomics) {
            const double shared = isA ? cause.sharedA : cause.sharedB;
            const bool none = amount > 0 && !(isA ? cause.meetA : cause.meetB);
            const std::string apart = none ? ": no two lanes meet" : "";
            // The memory that is drawn first; where lanes are joined nothing waits there.
            const bool isFirst = step.isShared() && !step.isJoined;
            side.units = isFirst ? shared : amount;
            side.headline = amountInWords(side.units, isFirst ? "turns" : unit);
            const std::string all =
                isFirst ? "in shared memory, whole launch; " + compactCount(amount) +
                              " in global memory"
                        : "in global memory, whole launch" + apart +
                              (shared > 0 ? "; " + compactCount(shared) + " in shared memory" : "");
            side.captions = {all + "; drawn: w" + title.substr(1), all};
            if (step.isJoined && step.isShared()) {
                side.captions = {"in global memory" + apart +
                                     "; in shared memory lanes at one address add together",
                                 "in global memory; lanes at one shared address add together"};
            } else if (step.isJoined && cost.mostSameAddress > 1) {
                const std::string lanes = std::to_string(cost.mostSameAddress) + " lanes";
                side.captions = {title + ", " + lanes + " at once: " + joinedInWords(step.kind),
                                 lanes + ": " + joinedInWords(step.kind), joinedInWords(step.kind)};
            }
            return;
        } else if (step.isShared()) {
            side.headline = counted(cost.wavefronts, "wavefront");
        } else if (step.isConstant()) {
            side.headline = counted(cost.wavefronts, "turn");
        } else {
            side.headline = counted(cost.sectors, "sector");
        }
        if (step.isConstant()) {
            side.captions = {title};
        } else if (step.isGlobal()) {
            side.captions = {title + ": " +
                             formatNumber(100.0 * static_cast<double>(cost.uniqueBytes) /
                                              (static_cast<double>(cost.sectors) * bytesPerSector),
                                          Unit::percent) +
                             " of the bytes are used"};
        } else {
            const std::string one = "One request: w" + title.substr(1);
            const std::string all = "; whole launch: " + compactCount(amount);
            side.captions = {one + all + ' ' + unit, one + all, one};
        }
        return;
    }
    if (unit.empty()) return;
    side.headline = compactCount(amount) + ' ' + unit;
    if (amount == 1 && unit == "divergent branches") side.headline = "1 divergent branch";
    if (unit.starts_with("blocks"))
        side.headline = counted(std::lround(amount), "block") + " for each SM";
    if (side.cause == CauseKind::divergence || side.cause == CauseKind::trips) side.units = amount;
    if (side.cause == CauseKind::trips) {
        const auto found = side.subject.loops.find(isA ? cause.loopA : cause.loopB);
        side.headline = amountInWords(amount, unit);
        side.captions = {"in the whole launch"};
        if (found == side.subject.loops.end()) return;
        const auto& [line, cost] = *found;
        const std::string times = "in the whole launch: a warp is " + groupedDigits(cost.requests) +
                                  " times at line " + std::to_string(line);
        const double lanes =
            static_cast<double>(cost.activeLanes) / static_cast<double>(cost.requests);
        side.captions = {times + ", with " + fixedNumber(lanes, 1) + " of 32 lanes", times};
        return;
    }
    if (side.cause == CauseKind::divergence && !side.subject.kernel.empty()) {
        std::string guards = guardsInWords(side.subject, changed);
        if (const std::size_t times = guards.find(' '); times != std::string::npos)
            guards = "; " + guards.insert(times, " more");
        if (const std::uint64_t loops = divergentLoops(side.subject); loops != 0)
            guards += "; " + groupedDigits(loops) + " more at loops";
        std::uint32_t drawn = side.telling ? side.telling->trace.steps[side.telling->step].line : 0;
        if (side.subject.loops.contains(drawn)) drawn = 0;
        // Others that were changed, or of which nothing was, are in the number.
        const bool isAll = amount > divergentAt(side.subject, {{drawn}});
        const auto& calls = side.subject.divergentCalls;
        const std::string others =
            divergentBeside(side.subject, isAll && calls.contains(drawn) ? 0 : drawn);
        const std::string beside =
            others.empty() ? others : (isAll ? "; of them " : "; beside it ") + others;
        const std::string whole =
            (beside.empty() || isAll ? "" : "at line " + std::to_string(drawn) + ", ") +
            "in the whole launch" +
            (!isAll && calls.contains(drawn) ? ", in " + calls.at(drawn) + " there, too" : "") +
            beside + guards;
        side.captions = {"times that a warp diverges, " + whole, whole};
        if (isAll && !calls.empty() && guards.empty()) side.captions.push_back(others);
        // Each case but the last parts from those behind it.
        const Launch& launch = side.subject.view.experiment.launch;
        const std::uint64_t warps = launch.grid.count() * warpCountPerBlock(launch.block);
        const std::uint64_t each = static_cast<std::uint64_t>(amount) / warps;
        if (const std::size_t paths = side.branch ? mostPaths(*side.branch) : 0;
            paths > 1 && each > 0 && amount == static_cast<double>(each * warps) && guards.empty())
            side.captions = {(each + 1 == paths ? std::to_string(paths) + " paths" : "paths") +
                             " part " + std::to_string(each) + " times in each of " +
                             counted(warps, "warp") + " of the launch"};
        return;
    }
    std::string caption =
        side.cause == CauseKind::requests ? "loads and stores of global memory, in the whole launch"
        : side.cause == CauseKind::sharedRequests ? "of shared memory, in the whole launch"
        : side.cause == CauseKind::waits
            ? "of a warp, one after the other: loads issued together wait together"
        : side.cause == CauseKind::instructions ? "of a warp, in the optimized PTX"
        : unit.starts_with("sectors of local")  ? "as compiled, in the whole launch"
        : side.cause == CauseKind::code         ? std::string()
                                                : captionOf(side.subject).statement;
    if (caption.empty()) return;
    const std::size_t where = caption.find(" where ");
    const std::string brief = caption.substr(0, caption.rfind(", ", where));
    side.captions = {std::move(caption)};
    if (where != std::string::npos) side.captions.push_back(brief);
}

/// Where what is compared is other once it is compiled, what the side's number is of, and that.
void tellCompiled(PairSide& side, const Cause& cause, bool isA) {
    if (!cause.compiled || (side.telling && drawsStep(side.cause))) return;  // of one request
    const std::string both = "in the source; compiled: " +
                             compactCount(isA ? cause.compiled->first : cause.compiled->second);
    for (std::string& caption : side.captions) caption += ", " + both;
    side.captions.push_back(both);
}

void tellFaults(PairSide& side, const Subject& other) {
    side.faults = ownFaults(side.subject, other);
    side.headline = side.faults.empty() ? "no such fault" : kindInWords(side.faults.front()->kind);
}

const Arguments& argumentsOf(const Subject& subject) {
    return subject.kernel.empty() ? subject.view.experiment.arguments : subject.arguments;
}

/// The sizes that the other launch has not, in words.
std::string ownSizes(const Subject& subject, const Subject& other) {
    std::string words;
    for (const auto& [name, value] : argumentsOf(subject).entries()) {
        const auto& others = argumentsOf(other);
        if (others.contains(name) && others.at(name) == value) continue;
        addWords(words, ", ", name + " = " + std::to_string(value));
    }
    return words;
}

/// The options of its program that the other launch's has not.
std::vector<std::string> ownOptions(const Subject& subject, const Subject& other) {
    std::vector<std::string> own;
    for (const std::string& option : subject.options) {
        if (std::ranges::count(other.options, option) == 0) own.push_back(option);
    }
    return own;
}

/// `PAD = 1` of a macro that has a value, the other options as they are given.
std::string optionsInWords(const std::vector<std::string>& options) {
    std::string words;
    for (std::string option : options) {
        const std::size_t value = option.find('=');
        if (option.starts_with("-D") && value != std::string::npos)
            option = option.substr(2).replace(value - 2, 1, " = ");
        addWords(words, ", ", option);
    }
    return words;
}

/// The lines that name a size which the other launch has not, or a macro that either was made with,
/// and the loops that go round by what they set: `int left = i % trips; while (left > 0)`.
std::vector<CodeLine> linesOfOwnSizes(const Subject& subject, const Subject& other) {
    std::vector<std::string> names;
    const auto& others = argumentsOf(other);
    for (const auto& [name, value] : argumentsOf(subject).entries()) {
        if (!others.contains(name) || others.at(name) != value) names.push_back(name);
    }
    for (const auto& options : {ownOptions(subject, other), ownOptions(other, subject)}) {
        for (const std::string& option : options) {
            if (option.starts_with("-D"))
                names.push_back(option.substr(2, option.find_first_of("(=") - 2));
        }
    }
    std::vector<CodeLine> lines = bodyOf(subject);
    const auto doesName = [](const CodeLine& line, const std::vector<std::string>& any) {
        return std::ranges::any_of(any, [&](const std::string& name) {
            return source::findWord(line.text, name) != source::nowhere;
        });
    };
    std::vector<std::string> made;
    for (const CodeLine& line : lines) {
        const std::size_t end = line.text.find(" = ");
        if (end == std::string::npos || !doesName(line, names)) continue;
        const std::size_t begin = line.text.rfind(' ', end - 1) + 1;
        made.push_back(line.text.substr(begin, end - begin));
    }
    std::erase_if(lines, [&](const CodeLine& line) {
        return !doesName(line, names) && !(isLoopCondition(line.text) && doesName(line, made));
    });
    return lines;
}

/// Where the warps that are drawn cost the same, of the side that costs more a warp that shows it
/// at the same line.
void tellDearer(PairSide& side, const Cause& cause, bool isA,
                const std::vector<CodeLine>& changed) {
    Subject other = side.subject;
    const WarpStep drawn = side.telling->trace.steps[side.telling->step];
    const double units = side.units;
    for (std::uint32_t w = 0; side.units <= units && w < other.program->warps.size(); ++w) {
        other.view.warp = WarpRank{w};
        auto telling = tellingStep(other, side.cause, cause.array, drawn.kind, {drawn.line});
        if (!telling) continue;
        const WarpStep& step = telling->trace.steps[telling->step];
        if (step.line != drawn.line ||
            static_cast<double>(unitsOf(step.kind, costOf(step))) <= units)
            continue;
        side.telling = std::move(telling);
        tell(side, cause, isA, changed);
    }
}

/// Of the atomics on both sides the same warp's, as often as it has come to them, where the side
/// comes to its own as often.
void tellSameRound(PairSide& side, const PairSide& other, const Cause& cause, bool isA,
                   const std::vector<CodeLine>& changed) {
    const auto isLike = [](const WarpStep& drawn) {
        return [&](const WarpStep& step) {
            return step.kind == drawn.kind && step.subject == drawn.subject &&
                   step.line == drawn.line;
        };
    };
    const std::span<const WarpStep> others = other.telling->trace.steps;
    const auto times = std::ranges::count_if(others.first(other.telling->step),
                                             isLike(others[other.telling->step]));
    const WarpStep drawn = side.telling->trace.steps[side.telling->step];
    WarpPlace place = side.telling->trace.place;
    place.warp = other.telling->trace.place.warp;
    Telling same{.trace = traceWarp(place)};
    auto like = same.trace.steps | std::views::filter(isLike(drawn)) | std::views::drop(times);
    if (like.empty()) return;
    same.step = static_cast<std::size_t>(&like.front() - same.trace.steps.data());
    side.telling = std::move(same);
    tell(side, cause, isA, changed);
}

/// The line at which warps diverge most often, a loop's condition left aside, be it the one in
/// place of the other's; empty where neither has one.
std::vector<std::uint32_t> mostDivergentLine(const Subject& subject, const Subject& other) {
    using Lines = std::map<std::uint32_t, std::uint64_t>;
    const auto mostOf = [](const Lines& lines) {
        const auto most = std::ranges::max_element(lines, {}, &Lines::value_type::second);
        return most == lines.end() || most->second == 0 ? std::pair(0U, std::uint64_t{0})
                                                        : std::pair(most->first, most->second);
    };
    const auto [line, times] = mostOf(subject.divergentLines);
    const auto [others, more] = mostOf(other.divergentLines);
    if (times == 0 && more == 0) return {};
    if (times >= more) return {line};
    const auto inPlace = lineInPlaceOf(other, subject, others);
    return inPlace ? std::vector{*inPlace} : std::vector<std::uint32_t>();
}

/// Of the branch a warp that takes both paths, the subject's or the first, where one does, and what
/// all of them do.
void tellOfWarps(PairSide& side, const std::vector<std::uint32_t>& lines) {
    Subject other = side.subject;
    const auto parts = [](const std::optional<Telling>& telling) {
        if (!telling) return false;
        const WarpStep& step = telling->trace.steps[telling->step];
        return step.taken != 0 && step.taken != step.active;
    };
    for (std::uint32_t w = 0; !parts(side.telling) && w < other.program->warps.size(); ++w) {
        other.view.warp = WarpRank{w};
        std::optional<Telling> telling = tellingStep(other, side.cause, {}, {}, lines);
        if (!side.telling || parts(telling)) side.telling = std::move(telling);
    }
    if (!side.telling) return;
    side.branch = warpsAtBranch(side.subject, *side.telling);
    side.warps = tellingWarps(*side.branch);
    if (const auto& own = side.subject.view.warp;
        own && std::ranges::count(side.warps, own->value) == 0) {
        side.warps.insert(std::ranges::upper_bound(side.warps, own->value), own->value);
    }
}

/// The costliest step on the lines that are shown that is of another array or kind than the one
/// drawn, by how many times the fewest it costs; 1 and nothing where none costs more than that.
struct Beside final {
    const WarpStep* step = nullptr;
    double times = 1;
};
Beside costliestBeside(const PairSide& side) {
    Beside most;
    if (!side.telling) return most;
    const std::vector<WarpStep>& steps = side.telling->trace.steps;
    const WarpStep& drawn = steps[side.telling->step];
    for (const WarpStep& step : steps) {
        const bool isShown = step.line == drawn.line ||
                             std::ranges::count(side.lines, step.line, &CodeLine::number) != 0;
        const bool isDrawn = step.kind == drawn.kind && step.subject == drawn.subject;
        if (!isShown || isDrawn || step.kind == StepKind::branch) continue;
        const LineCost cost = costOf(step);
        const double times =
            static_cast<double>(unitsOf(step.kind, cost)) /
            static_cast<double>(std::max<std::uint64_t>(1, idealOf(step.kind, cost)));
        if (times > most.times) most = {&step, times};
    }
    return most;
}

/// The line of the branch before a step that lets one lane come to it; 0 of others.
std::uint32_t guardOfOne(const Telling& telling) {
    const std::vector<WarpStep>& steps = telling.trace.steps;
    const std::uint32_t lanes = steps[telling.step].active;
    if (!std::has_single_bit(lanes)) return 0;
    for (std::size_t at = telling.step; at-- > 0;) {
        if (steps[at].kind != StepKind::branch) continue;
        const bool isOne =
            lanes == steps[at].taken || lanes == (steps[at].active & ~steps[at].taken);
        return isOne ? steps[at].line : 0;
    }
    return 0;
}

/// `isA` says which of the cause's two the subject is, `changed` the lines that the other has not;
/// `onLine`: of the requests those of that line, where it has one.
PairSide sideOf(const Subject& subject, const Subject& other, const Cause& cause, bool isA,
                std::vector<CodeLine> changed, std::optional<std::uint32_t> onLine = {});

const WarpStep* drawnStep(const PairSide& side) {
    return side.telling && drawsStep(side.cause) ? &side.telling->trace.steps[side.telling->step]
                                                 : nullptr;
}

}  // namespace

std::string amountInWords(double amount, std::string units) {
    if (amount == 1) {
        units += ' ';
        units.erase(units.find("s "), 1);
        units.pop_back();
    }
    return compactCount(amount) + ' ' + units;
}

bool drawsStep(CauseKind cause) {
    return cause == CauseKind::sectors || cause == CauseKind::wavefronts ||
           cause == CauseKind::constants || cause == CauseKind::atomics;
}

bool drawsSource(CauseKind cause) {
    return cause == CauseKind::code || cause == CauseKind::waits ||
           cause == CauseKind::instructions || cause == CauseKind::faults;
}

bool accesses(const CodeLine& line) {
    return line.text.find('[') != std::string::npos ||
           (line.text.find("__") != std::string::npos &&
            line.text.find("__global__") == std::string::npos);
}

PairSides sidesOf(const Subject& a, const Subject& b, const Cause& cause,
                  const ChangedLines& changed) {
    using Line = std::optional<std::uint32_t>;
    const auto make = [&](Line ofA, Line ofB) {
        return PairSides{sideOf(a, b, cause, true, changed.a, ofA),
                         sideOf(b, a, cause, false, changed.b, ofB)};
    };
    PairSides sides = make({}, {});
    const bool isOwn = !a.kernel.empty() && !b.kernel.empty();
    const bool isChosen = a.view.step || b.view.step || a.view.warp || b.view.warp;
    if (isOwn && !isChosen && drawnStep(sides.a) != nullptr && drawnStep(sides.b) != nullptr &&
        cause.kind != CauseKind::atomics && sides.a.units == sides.b.units && cause.a != cause.b) {
        const bool isLeft = cause.a > cause.b;
        tellDearer(isLeft ? sides.a : sides.b, cause, isLeft, isLeft ? changed.a : changed.b);
    }
    if (isOwn && !a.view.step && !b.view.step && !(a.view.warp && b.view.warp) &&
        cause.kind == CauseKind::atomics && drawnStep(sides.a) != nullptr &&
        drawnStep(sides.b) != nullptr) {
        if (b.view.warp)
            tellSameRound(sides.a, sides.b, cause, true, changed.a);
        else
            tellSameRound(sides.b, sides.a, cause, false, changed.b);
    }
    const WarpStep* const left = drawnStep(sides.a);
    const WarpStep* const right = drawnStep(sides.b);
    if (isOwn && left != nullptr && right != nullptr && left->kind != right->kind &&
        cause.kind == CauseKind::wavefronts) {
        // Beside what costs more the like of it.
        Cause like = cause;
        like.access = (cause.a > cause.b ? left : right)->kind;
        return {sideOf(a, b, like, true, changed.a), sideOf(b, a, like, false, changed.b)};
    }
    if (!isOwn || left == nullptr || right == nullptr || left->isShared() != right->isShared() ||
        (a.view.step && b.view.step))
        return sides;
    const bool toRight = b.view.step || (!a.view.step && cause.a <= cause.b);
    const Line line = toRight ? lineInPlaceOf(b, a, right->line) : lineInPlaceOf(a, b, left->line);
    if (!line || *line == (toRight ? left : right)->line) return sides;
    PairSides aligned = toRight ? make(line, {}) : make({}, line);
    const WarpStep* const found = drawnStep(toRight ? aligned.a : aligned.b);
    const bool isThere =
        found != nullptr && found->line == *line && found->kind == (toRight ? right : left)->kind;
    return isThere ? std::move(aligned) : std::move(sides);
}

namespace {

PairSide sideOf(const Subject& subject, const Subject& other, const Cause& cause, bool isA,
                std::vector<CodeLine> changed, std::optional<std::uint32_t> onLine) {
    PairSide side{.subject = subject, .cause = cause.kind};
    side.chosen = subject.view.picture != PictureKind::scenario;
    const bool asksRequest = side.chosen && subject.view.picture == PictureKind::request;
    const bool asksOther = side.chosen && !asksRequest;
    const bool isOfFaults = cause.kind == CauseKind::faults && !side.chosen;
    if (!asksOther && !isOfFaults) {
        // A request that was asked for is one, whatever makes the difference.
        if (asksRequest && !drawsStep(cause.kind)) side.cause = CauseKind::sectors;
        std::vector<std::uint32_t> lines;
        if (const std::uint32_t loop = isA ? cause.loopA : cause.loopB; loop != 0)
            lines.push_back(loop);
        if (side.cause == CauseKind::divergence) {
            for (const CodeLine& line : linesOf(subject)) {
                if (std::ranges::count(changed, line.number, &CodeLine::number) != 0)
                    lines.push_back(line.number);
            }
            const bool isByData = subject.kernel == other.kernel;
            if (lines.empty() && (isByData || divergentLoops(subject) + divergentLoops(other) != 0))
                lines = mostDivergentLine(subject, other);
        }
        const auto tellingOf = [&](const Subject& of) {
            return onLine ? tellingStep(of, side.cause, {}, {}, {*onLine})
                          : tellingStep(of, side.cause, cause.array, cause.access, lines);
        };
        side.telling = tellingOf(subject);
        if ((side.cause == CauseKind::divergence || side.cause == CauseKind::trips) &&
            subject.program != nullptr && !subject.view.step) {
            tellOfWarps(side, lines);
        }
        if (!side.telling) side.telling = tellingStep(subject, side.cause, {}, cause.access);
        if (!side.telling) side.telling = tellingStep(subject, side.cause);
        // What is no longer in constant memory may be in global memory.
        if (!side.telling && cause.kind == CauseKind::constants)
            side.telling = tellingStep(subject, CauseKind::sectors, cause.array);
        // Of a warp that has none another one's.
        const bool isOfAny = drawsStep(side.cause) && subject.program != nullptr;
        Subject any = subject;
        for (std::uint32_t w = 0; isOfAny && !side.telling && w < any.program->warps.size(); ++w) {
            any.view.warp = WarpRank{w};
            side.telling = tellingOf(any);
        }
    }
    if (asksOther) {
        side.captions = {captionOf(subject).statement};
        if (subject.view.picture == PictureKind::slots) {
            side.headline = residentInWords(subject);
            // What stands over it need not be said again.
            std::string brief = side.captions.front();
            const std::string words = ", " + side.headline;
            if (const std::size_t at = brief.find(words); at != std::string::npos)
                brief.erase(at, words.size());
            side.captions.push_back(std::move(brief));
        }
    } else if (isOfFaults) {
        tellFaults(side, other);
    } else {
        tell(side, cause, isA, changed);
        tellCompiled(side, cause, isA);
    }
    side.time = timeOf(subject);
    side.options = optionsInWords(ownOptions(subject, other));
    side.sizes = ownSizes(subject, other);
    // Of one scenario its size is all that tells the two apart.
    const bool isAlike = titleOf(subject) == titleOf(other);
    if (isAlike && side.options.empty()) side.options = std::exchange(side.sizes, {});
    if (const auto theirs = ownOptions(other, subject);
        side.options.empty() && !theirs.empty() && isAlike) {
        side.sizes = "without " + optionsInWords(theirs);
        // The file may have a value for it.
        const std::string name = side.sizes.substr(8, side.sizes.find(" = ") - 8);
        const source::SourceEdit text(subject.source);
        if (const auto value = text.valueOf(name, 0); value && theirs.size() == 1)
            side.sizes = name + " = " + text.copyOf(*value);
    }
    // Two launches of one file.
    if (isAlike && subject.launch && subject.launch != other.launch) {
        const std::string number = "launch " + std::to_string(*subject.launch);
        if (side.options.empty())
            side.options = number;
        else if (side.sizes.empty())
            side.sizes = number;
    } else if (!subject.ofLaunches.empty()) {
        addWords(side.sizes, ", ", subject.ofLaunches);
    }
    // The lines that the other has not: those that access arrays or call intrinsics, and those next
    // to the step, first.
    const std::uint32_t line =
        side.telling ? side.telling->trace.steps[side.telling->step].line : 0;
    const auto distance = [&](const CodeLine& each) {
        const bool counts = each.text.find("__shared__") != std::string::npos ||
                            each.text.find("atomic") != std::string::npos;
        return std::tuple(cause.kind == CauseKind::atomics && !counts, !accesses(each),
                          each.number > line ? each.number - line : line - each.number);
    };
    for (const CodeLine& each : changed) side.own.push_back(each.number);
    if (changed.empty() && isAlike) changed = linesOfOwnSizes(subject, other);
    std::ranges::stable_sort(changed, {}, distance);
    if (changed.size() > 3) changed.resize(3);
    // What is drawn is among them, be it as the other side has it, with what lets one lane come to
    // it: an array that was declared otherwise is accessed somewhere else.
    const auto show = [&](std::uint32_t number, std::size_t most) {
        const bool isThere = std::ranges::count(changed, number, &CodeLine::number) != 0;
        const std::vector<CodeLine> lines = linesOf(subject);
        const auto found = std::ranges::find(lines, number, &CodeLine::number);
        if (isThere || changed.empty() || found == lines.end()) return;
        if (changed.size() >= most) changed.pop_back();
        changed.push_back(*found);
    };
    if (side.telling && drawsStep(side.cause)) {
        show(line, 3);
        show(guardOfOne(*side.telling), 4);
    }
    std::ranges::sort(changed, {}, &CodeLine::number);
    side.lines = std::move(changed);
    return side;
}

}  // namespace

void tellWorse(PairSide& side, const PairSide& other) {
    const Beside most = costliestBeside(side);
    if (most.step == nullptr || most.times <= 1.05 * costliestBeside(other).times) return;
    const WarpStep& step = *most.step;
    const LineCost cost = costOf(step);
    const std::string title = drawing::titleOf(side.telling->trace, step);
    std::string_view unit = unitOf(step.kind);
    unit.remove_suffix(1);
    side.worse = "Line " + std::to_string(step.line) + " also " +
                 title.substr(title.find(' ', title.find(' ') + 1) + 1) + ": " +
                 counted(unitsOf(step.kind, cost), unit) + ", fewest " +
                 groupedDigits(idealOf(step.kind, cost));
}

void tellOneRequest(PairSide& a, PairSide& b) {
    if (a.cause != CauseKind::requests || !a.telling || !b.telling) return;
    const auto requests = [](const PairSide& side) {
        return std::ranges::count_if(side.telling->trace.steps, &WarpStep::isGlobal);
    };
    const auto drawn = [](const PairSide& side) -> const WarpStep& {
        return side.telling->trace.steps[side.telling->step];
    };
    const auto bytes = [&](const PairSide& side) { return costOf(drawn(side)).uniqueBytes; };
    if (requests(a) != requests(b) || bytes(a) == bytes(b) || !drawn(a).isGlobal() ||
        !drawn(b).isGlobal())
        return;
    for (PairSide* side : {&a, &b}) {
        side->drawsOneRequest = true;
        side->captions = {drawing::titleOf(side->telling->trace, drawn(*side)) + ": " +
                          counted(bytes(*side), "byte") + " a request"};
    }
}

void tellScale(PairSide& a, PairSide& b) {
    const auto sectors = [](const PairSide& side) -> std::size_t {
        if (!side.telling) return 0;
        const WarpStep& step = side.telling->trace.steps[side.telling->step];
        return step.isGlobal() ? costOf(step).sectors : 0;
    };
    if (sectors(a) == 0 || sectors(b) == 0 || sectors(a) == sectors(b)) return;
    a.mostSectors = b.mostSectors = std::max(sectors(a), sectors(b));
}

}  // namespace warplens::figure
