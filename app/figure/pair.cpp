#include <cctype>
#include <cmath>
#include <cstdio>

#include "app/figure/compose.h"
#include "app/figure/kinds/kind.h"
#include "app/figure/pair_side.h"
#include "core/access/line_cost.h"
#include "core/measurement/measurement.h"
#include "core/program/warnings.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

constexpr float bigNumber = 48;
constexpr float timeWidth = 210;
/// Of words that are read from the last row.
constexpr float readable = size::sentence;

PictureKind pictureOf(const Subject& subject, CauseKind cause) {
    const std::string_view about =
        subject.kernel.empty() ? scenarioNamed(subject.view.experiment.scenario).figure : "";
    switch (cause) {
        case CauseKind::divergence:
            return about == "reduction" ? PictureKind::reduction : PictureKind::branches;
        case CauseKind::fragments:
            return about == "coverage" ? PictureKind::coverage : PictureKind::threads;
        case CauseKind::residency:
            return PictureKind::times;
        default:
            return PictureKind::request;
    }
}

/// `1.68`, `16.5`, `32`: three figures, so that who divides what stands above finds the same.
std::string factorText(double ratio) {
    std::string text = fixedNumber(ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
    while (text.find('.') != std::string::npos && (text.ends_with('0') || text.ends_with('.')))
        text.pop_back();
    return text;
}

/// How many times as much one side has to do as the other, and in words. Of two scenarios the bytes
/// that their kernels must move, whatever their sizes are called; of two programs those that they
/// move where both loads and stores are as many times more; else the threads, which need not do the
/// same.
struct ComparedSizes final {
    bool sameWork = true;  ///< within a factor of two, or not known
    std::string words{};   ///< empty where they are alike
};

ComparedSizes comparedSizes(const Subject& a, const Subject& b) {
    const auto threadsOf = [](const Subject& subject) {
        const Launch& launch = subject.view.experiment.launch;
        return launch.grid.count() * launch.block.count();
    };
    const auto unlike = [](std::uint64_t left, std::uint64_t right) {
        return ComparedSizes{false, "Not the same work: the left has " + formatBytes(left) +
                                        " to move, the right " + formatBytes(right) +
                                        ": times and counts are not compared"};
    };
    if (!a.kernel.empty() || !b.kernel.empty()) {
        const auto ratioOf = [](std::uint64_t left, std::uint64_t right) {
            return left == 0 || right == 0 ? 1
                                           : static_cast<double>(left) / static_cast<double>(right);
        };
        const double loads = ratioOf(a.loadedBytes, b.loadedBytes);
        const double stores = ratioOf(a.storedBytes, b.storedBytes);
        if ((std::min(loads, stores) > 2.5 || std::max(loads, stores) < 0.4) &&
            std::abs(loads / stores - 1) < 0.2)
            return unlike(a.loadedBytes + a.storedBytes, b.loadedBytes + b.storedBytes);
        const std::uint64_t x = threadsOf(a);
        const std::uint64_t y = threadsOf(b);
        if (std::min(x, y) * 2 > std::max(x, y)) return {};
        return {true, "by " + counted(y, "thread") + " where the left has " + groupedDigits(x)};
    }
    const auto bytes = unequalWork(a.view.experiment, b.view.experiment);
    if (!bytes) return {};
    return unlike(bytes->first, bytes->second);
}

/// Whether the machine code of neither has a branch left at which a warp could diverge, and the
/// GPU counted none that did.
bool leaveNoBranch(const PairSide& a, const PairSide& b) {
    return std::ranges::all_of(std::array{&a, &b}, [](const PairSide* side) {
        const Evidence& evidence = side->subject.evidence;
        const Value* const counted =
            evidence.find(Metric::divergentBranches, Source::counted, Variant::none, "kernel");
        return counted != nullptr && counted->number() != nullptr && *counted->number() == 0 &&
               !evidence.compiled.empty() &&
               std::ranges::count(evidence.compiled, BranchForm::branch, &CompiledBranch::form) ==
                   0;
    });
}

/// `The right is 1.6 times as slow`: how b's time compares with a's; empty where one was not
/// timed.
std::string comparedTimes(const PairSide& a, const PairSide& b) {
    if (a.time == nullptr || b.time == nullptr) return {};
    const double ratio = *b.time->number() / *a.time->number();
    if (ratio > 0.95 && ratio < 1.05) return "Equally fast, within 5 %";
    return "The right is " + factorText(ratio > 1 ? ratio : 1 / ratio) +
           (ratio > 1 ? " times as slow" : " times as fast");
}

/// Of what the ratio is: not of the request that is drawn, where that differs by more or less.
std::string ofAll(const PairSide& a, const PairSide& b, double ratio) {
    if (!drawsStep(a.cause)) return {};
    const double drawn =
        a.units > 0 && b.units > 0 ? std::max(a.units / b.units, b.units / a.units) : 0;
    return drawn > 0.95 * ratio && drawn < 1.05 * ratio
               ? " in the whole launch"
               : " in the whole launch, loads and stores together";
}

/// `4 times as many sectors`: of the whole launches.
std::string comparedCause(const Cause& cause, const PairSide& a, const PairSide& b, bool sameCode) {
    if (cause.unit.empty()) {
        return sameCode ? "the same code, requests and branches"
                        : "the same requests and branches: the code differs";
    }
    const std::string& unit = cause.unit;
    if (cause.kind == CauseKind::faults) {
        const bool isLeft = cause.a > 0;
        const auto own = isLeft ? ownFaults(a.subject, b.subject) : ownFaults(b.subject, a.subject);
        return joined(own, " and ", [](const Finding* each) { return kindInWords(each->kind); }) +
               (isLeft ? " on the left alone" : " on the right alone");
    }
    if (cause.kind == CauseKind::atomics) {
        const std::string name = unit == "turns" ? "turns of atomics" : unit;
        const WarpStep* const drawn =
            b.telling ? &b.telling->trace.steps[b.telling->step] : nullptr;
        if (cause.a == cause.b)
            return "as many " + name + " in global memory, " + compactCount(cause.a) +
                   " each: the code differs";
        const bool waitsShared = drawn != nullptr && drawn->isShared() && !drawn->isJoined;
        return (cause.b > 0 ? amountInWords(cause.b, name) : "no " + name) + " in global memory" +
               (waitsShared ? " and " + compactCount(cause.sharedB) + " in shared" : "") +
               ", where the left has " + (cause.a > 0 ? compactCount(cause.a) : "none");
    }
    if (cause.a <= 0 || cause.b <= 0) {
        const std::string most = compactCount(std::max(cause.a, cause.b));
        if (unit.starts_with("bytes of local") && cause.b <= 0)
            return "no local memory, where the left has " + most + " bytes of it a thread";
        return cause.b > 0 ? most + ' ' + unit + ", where the left has none"
                           : "no " + unit + ", where the left has " + most;
    }
    if (cause.a == cause.b) return "as many " + unit;
    const bool more = cause.b > cause.a;
    const double ratio = more ? cause.b / cause.a : cause.a / cause.b;
    return factorText(ratio) + (more ? " times as many " : " times fewer ") + unit +
           (drawsStep(cause.kind) ? ofAll(a, b, ratio) : "");
}

/// `; compiled: 2,048 on both sides`, `; compiled: 2.5 times`
std::string comparedCompiled(const Cause& cause) {
    if (!cause.compiled) return {};
    const auto [a, b] = *cause.compiled;
    const bool isAlike = (a < b) == (cause.a < cause.b);
    return "; compiled: " + (a == b ? compactCount(a) + " on both sides"
                             : isAlike && a > 0 && b > 0
                                 ? factorText(std::max(a, b) / std::min(a, b)) + " times"
                                 : compactCount(a) + " and " + compactCount(b));
}

/// Of two that are drawn as SMs; more warps than one does not mean less time.
Cause residencyOf(const Subject& a, const Subject& b) {
    return {.kind = CauseKind::residency,
            .a = static_cast<double>(residentWarps(a)),
            .b = static_cast<double>(residentWarps(b)),
            .unit = "warps on an SM"};
}

std::string whereFrom(const PairSide& a, const PairSide& b, const Cause& cause) {
    if (a.subject.provenance.empty()) return {};
    const auto firstOf = [](const PairSide& side) {
        const bool drawsAll =
            side.cause == CauseKind::requests || side.cause == CauseKind::sharedRequests;
        if (!side.telling || (drawsAll && !side.drawsOneRequest))
            return side.subject.provenance.front();
        const std::vector<WarpStep>& steps = side.telling->trace.steps;
        const WarpStep& drawn = steps[side.telling->step];
        std::vector<std::uint32_t> lines;
        if (drawn.line != 0) lines.push_back(drawn.line);
        // Beside atomics in shared memory the turns in global memory are told; of those that are
        // joined no others.
        const auto global = std::ranges::find_if(
            steps, [](const WarpStep& step) { return step.isAtomic() && step.isGlobal(); });
        if (side.cause == CauseKind::atomics && drawn.isShared() && global != steps.end() &&
            global->line != 0) {
            if (drawn.isJoined) lines.clear();
            lines.push_back(global->line);
        }
        return namingLines(side.subject.provenance.front(), lines);
    };
    std::string words = firstOf(a);
    // What the measurement that is named first does not say.
    if (cause.predictedAlone && a.subject.provenance.size() > 1)
        words = cause.unit + ": predicted from the source   ·   " + words;
    const bool isOther =
        !b.subject.kernel.empty() && !b.subject.provenance.empty() && firstOf(b) != words;
    if (isOther) words += "   ·   " + firstOf(b);
    // Those that differ stand over the pictures.
    std::string sizes;
    const Arguments& theirs = b.subject.view.experiment.arguments;
    for (const auto& [name, value] : a.subject.view.experiment.arguments.entries()) {
        if (theirs.contains(name) && theirs.at(name) == value)
            addWords(sizes, " ", name + '=' + std::to_string(value));
    }
    return sizes.empty() ? words : words + "   ·   " + sizes;
}

/// The lines that the other has not, and those that access: as many as can be read from the last
/// row, of which the innermost access matters most. Where nothing differs, all.
void drawSideSource(Canvas& canvas, const PairSide& side, const Box& whole) {
    struct Ranked final {
        SourceRow row;
        std::size_t indent = 0;
        int rank = 0;  ///< the highest go first
    };
    std::vector<Ranked> all;
    std::vector<CodeLine> lines = linesOf(side.subject);
    // Of the host's code what differs.
    for (const CodeLine& line : side.lines) {
        if (std::ranges::count(lines, line.number, &CodeLine::number) == 0) lines.push_back(line);
    }
    std::ranges::sort(lines, {}, &CodeLine::number);
    // Asked for, it is the whole kernel with what a warp's requests cost.
    std::map<std::uint32_t, SourceCost> costs;
    if (side.chosen) costs = sourceCostsOf(side.subject);
    for (const CodeLine& line : lines) {
        // Of the same code on both sides those lines stand out that name what differs.
        const bool own = std::ranges::count(side.own, line.number) != 0 ||
                         (side.own.empty() &&
                          std::ranges::count(side.lines, line.number, &CodeLine::number) != 0);
        if (!side.chosen && !side.own.empty() && !own && !accesses(line)) continue;
        const std::size_t indent = line.line.find_first_not_of(' ');
        const SourceCost& cost = costs[line.number];
        const bool isWrong = std::ranges::any_of(
            side.faults, [&](const Finding* each) { return each->place.line == line.number; });
        all.push_back(
            {{.number = line.number,
              .code = line.line,
              .words = cost.words,
              .wasteful = cost.wasteful || isWrong,
              .worst = (side.chosen && own) || isWrong,
              .marked = own || isWrong},
             indent,
             (own || isWrong ? 0 : 2000) + (accesses(line) ? 0 : 1000) - static_cast<int>(indent)});
    }
    if (all.empty()) return;
    Box room = whole;
    // What is wrong, below the code.
    const std::size_t most = room.height() > 300 ? 2 : 1;
    for (std::size_t at = std::min(most, side.faults.size()); at-- > 0;) {
        const Finding& fault = *side.faults[at];
        const Words words{"Line " + std::to_string(fault.place.line) + ": " + fault.words,
                          Face::words, readable, canvas.colors().text};
        const auto count = static_cast<int>(canvas.linesOf(words, room.width()).size());
        const float height = 1.15F * readable * static_cast<float>(std::min(count, 4));
        canvas.writeLines({room.left, room.bottom - height, room.right, room.bottom}, words,
                          std::min(count, 4));
        room.bottom -= height + 10;
    }
    std::vector<SourceRow> rows;
    float size = 0;
    std::size_t dropped = 0;
    constexpr std::size_t mostRows = 40;  // no room holds more
    for (;;) {
        rows.clear();
        const std::size_t least = std::ranges::min_element(all, {}, &Ranked::indent)->indent;
        for (const Ranked& each : all) {
            rows.push_back(each.row);
            rows.back().code.remove_prefix(least);
        }
        rows = withGaps(std::move(rows), lines);
        if (all.size() <= mostRows) {
            size = sizeOfRows(canvas, rows, room, size::code, size::code + 2);
            // Beside its numbers a line is rather smaller than broken.
            float unbroken = size;
            while (side.chosen && unbroken > size::smallestNumber &&
                   countOfRows(canvas, rows, room, unbroken) > static_cast<int>(rows.size()))
                --unbroken;
            if (unbroken > 0 &&
                countOfRows(canvas, rows, room, unbroken) == static_cast<int>(rows.size()))
                size = unbroken;
            if (size > 0 || all.size() < 2) break;
        }
        if (dropped == 0) room.bottom -= size::smallest + 4;
        ++dropped;
        const auto first = std::ranges::max_element(all.rbegin(), all.rend(), {}, &Ranked::rank);
        all.erase(std::prev(first.base()));
    }
    std::string cut;
    if (size <= 0) {
        // Of the only one as much as there is room for.
        size = size::code;
        cut = rows.front().code;
        while (cut.size() > 4 && sizeOfRows(canvas, rows, room, size, size) <= 0) {
            cut.resize(cut.size() - (cut.ends_with("…") ? 4 : 1));
            rows.front().code = cut += "…";
        }
    }
    drawSourceRows(canvas, rows, room, size * 1.35F, size);
    if (dropped == 0) return;
    canvas.write({whole.left, whole.bottom - size::smallest, whole.right, whole.bottom},
                 {"… and " + counted(dropped, "more line"), Face::words, size::smallest,
                  canvas.colors().muted});
}

bool drawsCode(const PairSide& side) {
    if (side.chosen) return side.subject.view.picture == PictureKind::source;
    return drawsSource(side.cause) && !side.pictured;
}

/// What the request is, as banks have it over them, where sectors leave room for it. Returns the
/// height it takes.
float drawAtomicsHead(Canvas& canvas, const WarpTrace& trace, const WarpStep& step, float text,
                      const Box& room) {
    // Above many sectors a large one would cost the numbers in them their room.
    const bool isLarge = room.height() > (costOf(step).sectors > 9 ? 400 : 300);
    const float size = isLarge ? 1.2F * text : size::smallest;
    const Words title{drawing::titleOf(trace, step), Face::strong, size, canvas.colors().text};
    const Box line{room.left, room.top, room.right, room.top + size};
    const bool fits = room.height() > 200 && canvas.write(line, title);
    if (fits)
        canvas.write(
            {room.left + canvas.width(title) + size, line.top, line.right, line.bottom},
            {trace.rounds.at(step.rounds), Face::words, 0.9F * size, canvas.colors().accent});
    return fits ? size + (isLarge ? 12 : 5) : 0;
}

/// Whether nothing that was prepared leaves the room at its end.
bool endsWithin(const drawing::Items& items, const Box& room) {
    return std::ranges::all_of(items, [&](const drawing::Item& item) {
        return std::visit(
            [&](const auto& each) {
                if constexpr (requires { each.box; })
                    return each.box.bottom <= room.bottom + 1;
                else
                    return true;
            },
            item);
    });
}

/// Whether every other lane, and each sector, has its number among what was prepared.
bool namesAll(const drawing::Items& items, const WarpTrace& trace, const WarpStep& step) {
    const auto names = std::ranges::count_if(items, [](const drawing::Item& item) {
        const auto* const text = std::get_if<drawing::Text>(&item);
        return text != nullptr &&
               std::islower(static_cast<unsigned char>(text->words.front())) == 0;
    });
    const auto lanes =
        std::min<std::uint64_t>(lanesPerWarp, trace.place.experiment.launch.block.count());
    return static_cast<std::uint64_t>(names) >= lanes / 2 + costOf(step).sectors;
}

/// What the side's warp does, or its launch; false where its room is too low for that.
/// `height`: of the lower of both, so that what is alike is drawn alike.
bool drawSidePicture(Canvas& canvas, const PairSide& side, Box room, float height) {
    const Subject& subject = side.subject;
    constexpr float least = size::smallestNumber / 0.9F;
    constexpr float leastRoom = 150;  // of lanes, and of what they access below them
    const float large = std::clamp(std::min(height / 15, room.width() / 23), least, 25.0F);
    const bool asked = side.chosen && subject.view.picture != PictureKind::request;
    const bool fits = room.height() >= leastRoom;
    if (drawsCode(side)) {
        drawSideSource(canvas, side, room);
        return true;
    }
    if (asked) {
        drawKind(canvas, subject, room);
        return fits;
    }
    if (!side.drawsOneRequest &&
        (side.cause == CauseKind::requests || side.cause == CauseKind::sharedRequests)) {
        room.bottom = room.top + height;
        drawRequestSquares(canvas, subject, side.requests, side.mostRequests, room);
        return fits;
    }
    if (side.branch) {
        const std::uint32_t line = side.telling->trace.steps[side.telling->step].line;
        const bool isShown = std::ranges::count(side.lines, line, &CodeLine::number) != 0;
        return drawWarpsAtBranch(canvas, *side.branch, !isShown, side.warps,
                                 subject.view.experiment.launch.block, room);
    }
    const bool ofProgram = !subject.kernel.empty();
    const bool isStep = drawsStep(side.cause) || side.drawsOneRequest ||
                        (ofProgram && side.cause != CauseKind::fragments);
    if (side.telling && isStep) {
        const WarpTrace& trace = side.telling->trace;
        const WarpStep& step = trace.steps[side.telling->step];
        // What stands beside the banks has no room for more.
        if (side.mostSectors != 0) room.bottom = room.top + height;
        if (side.cause == CauseKind::atomics && step.isGlobal())
            room.top += drawAtomicsHead(canvas, trace, step, least, room);
        const drawing::DrawArea area = canvas.area(room, step.isShared() ? least : large);
        drawing::Items items =
            step.isGlobal()
                ? drawing::prepareSectorGrid(trace, side.telling->step, area, side.mostSectors)
                : drawing::prepareWarpMemory(trace, side.telling->step, area).items;
        const bool isWithin =
            fits && endsWithin(items, room) && (!step.isGlobal() || namesAll(items, trace, step));
        canvas.add(std::move(items), room);
        return isWithin;
    }
    Subject drawn = subject;
    drawn.view.picture = side.pictured ? PictureKind::scenario : pictureOf(subject, side.cause);
    drawn.codeApart = side.pictured;
    drawn.bySms = side.bySms;
    drawKind(canvas, drawn, room);
    return fits && !isTooLowFor(drawn, room);
}

/// The lines of code that the other side has not, as large as they are on one row each, or on two
/// where they are too long for that; returns the height that they take.
float drawChangedCode(Canvas& canvas, const PairSide& side, const Box& room) {
    if (side.lines.empty()) return 0;
    std::vector<CodeLine> lines = side.lines;
    float size = size::code;
    const auto fitsIn = [&](const CodeLine& line, float rows) {
        return canvas.width({line.text, Face::numbers, size}) <=
               rows * (room.width() - 3.6F * size);
    };
    const auto fits = [&](const CodeLine& line) { return fitsIn(line, 1); };
    while (size > size::smallestNumber && !std::ranges::all_of(lines, fits)) --size;
    size = std::max(size, size::smallestNumber);
    std::vector<SourceRow> rows;
    for (CodeLine& line : lines) {
        std::string& code = line.text;
        while (!fitsIn(line, 1.7F)) {
            code.resize(code.size() - (code.ends_with("…") ? 4 : 1));
            code += "…";
        }
        rows.push_back({.number = line.number, .code = code});
    }
    const float pitch = size + 5;
    const auto gapped = [&] { return withGaps(rows, linesOf(side.subject)); };
    const auto heightOf = [&](const std::vector<SourceRow>& all) {
        return pitch * static_cast<float>(countOfRows(canvas, all, room, size));
    };
    // Banks that are stacked are not read in a low band: the line that is drawn has to do.
    if (const auto* const step =
            side.telling ? &side.telling->trace.steps[side.telling->step] : nullptr;
        step != nullptr && step->isShared() && drawsStep(side.cause)) {
        constexpr float leastBanks = 260;
        while (rows.size() > 1 && room.height() - heightOf(gapped()) < leastBanks) {
            // What tells the sides apart stays longest.
            const auto farthest = std::ranges::max_element(rows, {}, [&](const SourceRow& row) {
                return std::pair(
                    std::ranges::count(side.own, row.number) == 0,
                    row.number > step->line ? row.number - step->line : step->line - row.number);
            });
            rows.erase(farthest);
        }
    }
    rows = gapped();
    const float height = heightOf(rows);
    canvas.fill({room.left - 6, room.top, room.right, room.top + height}, canvas.colors().raised);
    drawSourceRows(canvas, rows, {room.left, room.top, room.right, room.top + height + 1}, pitch,
                   size);
    return height + 10;
}

/// What stands below the numbers of both sides, in one size and as long as it fits on both.
struct Foot final {
    float size = readable;
    std::size_t caption = 0;  ///< which of the captions; the last where there are fewer
    bool hasCaption = false;
    bool hasWorse = false;
    float headline = bigNumber;  ///< as large as both are

    [[nodiscard]] float height() const {
        return (hasCaption ? size + 6 : 0) + (hasWorse ? readable + 6 : 0);
    }
    [[nodiscard]] Words captionOf(const PairSide& side, Rgb color) const {
        if (side.captions.empty()) return {};
        return {side.captions[std::min(caption, side.captions.size() - 1)], Face::words, size,
                color};
    }
};

Foot footOf(const Canvas& canvas, const std::array<const PairSide*, 2>& sides, float width) {
    Foot foot;
    std::size_t ways = 0;
    for (const PairSide* side : sides) {
        ways = std::max(ways, side->captions.size());
        foot.hasWorse |= !side->worse.empty();
    }
    foot.hasCaption = ways != 0;
    for (const float size : {bigNumber, 36.0F, 28.0F, size::name}) {
        foot.headline = size;
        if (std::ranges::all_of(sides, [&](const PairSide* side) {
                return canvas.width({side->headline, Face::strong, size}) <=
                       width - (side->time == nullptr ? 0 : timeWidth);
            }))
            break;
    }
    for (const float size : {readable, size::smallest}) {
        for (std::size_t way = 0; way < ways; ++way) {
            foot.size = size;
            foot.caption = way;
            if (std::ranges::all_of(sides, [&](const PairSide* side) {
                    return canvas.width(foot.captionOf(*side, 0)) <= width;
                }))
                return foot;
        }
    }
    return foot;
}

/// Its words and numbers; returns the room that is left for its picture. `fits` becomes false where
/// its lines of code have none.
Box drawSide(Canvas& canvas, const PairSide& side, Box room, int better, const Foot& below,
             bool& fits) {
    const drawing::ColorRoles& colors = canvas.colors();
    const Experiment& experiment = side.subject.view.experiment;
    const Box head{room.left, room.top, room.right, room.top + size::launch};
    std::string title = titleOf(side.subject);
    if (!side.options.empty()) title += ", " + side.options;
    if (!canvas.write(head, {title, Face::strong, size::launch, colors.text})) {
        canvas.writeShortened(head, {title, Face::strong, size::name, colors.text});
    }
    room.top += size::launch + 4;
    std::string call = toLaunchSyntax(experiment.launch);
    if (!side.sizes.empty()) call += "   " + side.sizes;
    canvas.writeShortened({room.left, room.top, room.right, room.top + size::smallestNumber},
                          {call, Face::numbers, size::smallestNumber, colors.muted});
    room.top += size::smallestNumber + 10;

    // What it comes to, from below.
    const bool tells = !side.headline.empty() || side.time != nullptr;
    const float foot = (tells ? bigNumber : 0) + below.height();
    const Box numbers{room.left, room.bottom - foot, room.right, room.bottom};
    const Style& style = canvas.style();
    // Where warps still diverge nothing is well.
    const bool isLess = better > 0 && side.cause == CauseKind::divergence && side.units > 0;
    const Rgb verdict = better == 0 || isLess || style.print ? colors.text
                        : better > 0 ? mixed(style.third, colors.text, 0.25F)
                                     : mixed(style.fourth, colors.text, 0.1F);
    const Box line{numbers.left, numbers.top, numbers.right, numbers.top + bigNumber};
    float left = numbers.left;
    const Words headline{side.headline, Face::strong, below.headline, verdict};
    if (canvas.write(line, headline)) left += canvas.width(headline);
    if (side.time != nullptr) {
        canvas.writeFirst({left + 12, line.top, line.right, line.bottom},
                          {{compact(*side.time), Face::numbers, bigNumber, colors.text},
                           {compact(*side.time), Face::numbers, 34, colors.text}},
                          1);
    }
    const float worse = numbers.bottom - (below.hasWorse ? readable + 6 : 0);
    canvas.writeShortened({numbers.left, worse - below.size - 2, numbers.right, worse},
                          below.captionOf(side, colors.muted));
    const Box last{numbers.left, worse, numbers.right, numbers.bottom};
    if (!canvas.write(last, {side.worse, Face::strong, readable, colors.warning}))
        canvas.writeShortened(last, {side.worse, Face::strong, size::smallest, colors.warning});
    room.bottom = numbers.top - 12;
    const bool isSlots = side.chosen && side.subject.view.picture == PictureKind::slots;
    // A sum's iterations come before the code that stands over them.
    constexpr float code = 100;
    Box picture = room;
    picture.top += code;
    const bool takesAll =
        !side.chosen && side.cause == CauseKind::divergence && isTooLowFor(side.subject, picture);
    if (drawsCode(side) || isSlots || takesAll) return room;
    if (room.height() > 240)
        room.top += drawChangedCode(canvas, side, room);
    else
        fits &= side.lines.empty();
    return room;
}

}  // namespace

Subject asBeside(Subject a, Subject b) {
    a.view.step.reset();
    b.view.step.reset();
    const Cause cause = comparedSizes(a, b).sameWork ? causeOf(a, b) : causeByRequest(a, b);
    const ChangedLines changed = changedAnywhere(a, b);
    const PairSide side = sidesOf(a, b, cause, changed).a;
    if (side.telling && ((drawsStep(side.cause) && !drawsCode(side)) || side.branch)) {
        a.view.warp = side.telling->trace.place.warp;
        a.view.step = side.telling->step;
    }
    a.about = aboutOf(cause.kind);
    // What makes the difference is not told as a guard beside it.
    if (cause.kind == CauseKind::divergence) {
        for (const CodeLine& line : changed.a) a.divergentGuards.erase(line.number);
    }
    return a;
}

namespace {

/// The warp of a block whose requests differ most like those of the whole launches; nothing where
/// warp 0 does as well.
std::optional<WarpRank> likeTheLaunch(const PairSide& a, const PairSide& b, const Cause& cause) {
    const auto requests = [](const PairSide& side, WarpRank warp) {
        Subject subject = side.subject;
        subject.view.warp = warp;
        return static_cast<double>(countOfRequests(subject, side.requests));
    };
    const auto warps = [](const PairSide& side) {
        return warpCountPerBlock(side.subject.view.experiment.launch.block);
    };
    if (cause.a <= 0 || cause.b <= 0) return std::nullopt;
    const auto unlike = [&](WarpRank warp) {
        const double left = requests(a, warp);
        const double right = requests(b, warp);
        return left > 0 && right > 0 ? std::abs(std::log(right / left * cause.a / cause.b)) : 1e9;
    };
    WarpRank best{0};
    double least = unlike(best) - 0.1;
    for (std::uint32_t w = 1; w < std::min(warps(a), warps(b)); ++w) {
        const double each = unlike({w});
        if (each < least - 1e-9) {
            best = WarpRank{w};
            least = each;
        }
    }
    return best.value == 0 ? std::nullopt : std::optional(best);
}

}  // namespace

Picture composePair(const Subject& a, const Subject& b, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    const drawing::ColorRoles& colors = canvas.colors();
    Box body = sheet.body;
    const bool bySlots =
        a.view.picture == PictureKind::slots && b.view.picture == PictureKind::slots;
    const ComparedSizes sizes = comparedSizes(a, b);
    const Cause cause = bySlots          ? residencyOf(a, b)
                        : sizes.sameWork ? causeOf(a, b)
                                         : causeByRequest(a, b);
    const ChangedLines changed = changedAnywhere(a, b);
    const bool sameCode = changed.a.empty() && changed.b.empty();
    auto [left, right] = sidesOf(a, b, cause, changed);
    if (left.branch && right.branch) {
        std::vector<std::uint32_t> both;
        std::ranges::set_union(left.warps, right.warps, std::back_inserter(both));
        left.warps = right.warps = std::move(both);
        left.branch->mostRounds = right.branch->mostRounds =
            std::max(left.branch->mostRounds, right.branch->mostRounds);
        // A branch beside a loop has none.
        for (WarpsAtBranch* each : {&*left.branch, &*right.branch})
            if (each->rounds.empty()) each->mostRounds = 0;
    }
    if (cause.kind == CauseKind::sharedRequests) {
        // What one side does in shared memory the other, which has none, does in global memory.
        const bool both = cause.a != 0 && cause.b != 0;
        left.requests = right.requests = both ? RequestsTo::shared : RequestsTo::any;
    }
    tellOneRequest(left, right);
    const bool areRequests =
        (cause.kind == CauseKind::requests || cause.kind == CauseKind::sharedRequests) &&
        !left.drawsOneRequest;
    if (areRequests && !b.view.warp) {
        if (const auto warp = likeTheLaunch(left, right, cause)) {
            std::array sides{a, b};
            for (Subject& side : sides) side.view.warp = warp;
            return composePair(sides[0], sides[1], page);
        }
    }
    if (areRequests)
        left.mostRequests = right.mostRequests =
            std::max(countOfRequests(a, left.requests), countOfRequests(b, right.requests));
    tellScale(left, right);
    // The same code stands once over the pictures.
    if (sameCode && drawsSource(cause.kind) && !left.chosen && !right.chosen && a.kernel.empty() &&
        b.kernel.empty()) {
        for (PairSide* side : {&left, &right}) {
            side->pictured = true;
            side->captions = {captionOf(side->subject).statement};
        }
        body.top += drawChangedCode(canvas, left, body);
        left.lines.clear();
        right.lines.clear();
    }
    // Both sides by warps, or both by SMs.
    left.bySms = right.bySms =
        a.schedule && b.schedule && aboutWaits(*a.schedule) != aboutWaits(*b.schedule);

    std::string times = sizes.sameWork ? comparedTimes(left, right) : std::string();
    std::string why = sizes.sameWork
                          ? comparedCause(cause, left, right, sameCode) + comparedCompiled(cause)
                          : sizes.words;
    if (times.empty() && why.front() >= 'a' && why.front() <= 'z')
        why.front() = static_cast<char>(why.front() - 'a' + 'A');
    // Of what is not there any more none is better.
    const bool isGone = cause.kind == CauseKind::divergence && times.starts_with("Equally") &&
                        leaveNoBranch(left, right);
    if (isGone) {
        times = "Equally fast: the compiler left no branch, so no warp diverges";
        why =
            "divergences by the source: " + compactCount(cause.a) + " and " + compactCount(cause.b);
        for (PairSide* side : {&left, &right})
            side->headline = compactCount(side->units) + " by the source, 0 counted";
    }
    const std::string brief = why;
    // Of atomics the launches over the pictures say it.
    if (sizes.sameWork && !sizes.words.empty() && cause.kind != CauseKind::atomics)
        why += ", " + sizes.words;
    const std::string compared =
        times.empty() ? why : times + (cause.explains ? "   ·   " : ", though ") + why;
    const std::string from = whereFrom(left, right, cause);
    // How it was timed comes last.
    std::string shorter = from;
    if (const std::size_t timed = shorter.find("; timed "); timed != std::string::npos)
        shorter.erase(timed, shorter.find("   ·   ", timed) - timed);
    const Words least{shorter, Face::words, size::smallest, colors.muted};
    const std::size_t rows = canvas.linesOf(least, body.width() - 32).size();
    const Box bar{body.left,
                  body.bottom - 62 - size::smallest * 1.15F * static_cast<float>(rows - 1),
                  body.right, body.bottom};
    canvas.fill(bar, colors.raised);
    const Box above{bar.left + 16, bar.top + 5, bar.right - 16, bar.top + 33};
    canvas.writeFirst(above,
                      {{compared, Face::strong, size::statement, colors.text},
                       {compared, Face::strong, size::sentence, colors.text},
                       {times.empty() ? brief : times, Face::strong, size::sentence, colors.text}},
                      0.5F);
    const Box sources{bar.left + 16, bar.top + 34, bar.right - 16, bar.bottom - 5};
    if (!canvas.writeFirst(sources,
                           {{from, Face::words, readable, colors.muted},
                            {shorter, Face::words, readable, colors.muted},
                            {from, Face::words, size::smallest, colors.muted},
                            least},
                           0.5F))
        canvas.writeLines(sources, least, static_cast<int>(rows));
    body.bottom = bar.top - 16;
    body.bottom = sheet.drawCaption(body);
    const float middle = (body.left + body.right) / 2;
    canvas.line({middle, body.top}, {middle, body.bottom}, colors.faint, 1);
    const bool less = cause.kind == CauseKind::residency ? cause.a > cause.b : cause.a < cause.b;
    // Where compiled code has no more of it on that side none is better.
    const bool isLeft = !cause.compiled || (less ? cause.compiled->first < cause.compiled->second
                                                 : cause.compiled->first > cause.compiled->second);
    const int better = cause.a == cause.b || !isLeft || !sizes.sameWork || isGone ? 0
                       : less                                                     ? 1
                                                                                  : -1;
    if (better >= 0) tellWorse(left, right);
    if (better <= 0) tellWorse(right, left);
    const Foot foot = footOf(canvas, {&left, &right}, middle - 24 - body.left);
    // Of one request each, while the launches are compared: no colour where these do not differ so.
    const bool shows = !drawsStep(left.cause) || !left.telling || !right.telling ||
                       (less ? left.units < right.units : left.units > right.units);
    const int shown = shows ? better : 0;
    bool fits = true;
    const Box ofLeft =
        drawSide(canvas, left, {body.left, body.top, middle - 24, body.bottom}, shown, foot, fits);
    const Box ofRight = drawSide(canvas, right, {middle + 24, body.top, body.right, body.bottom},
                                 -shown, foot, fits);
    const float height = std::min(ofLeft.height(), ofRight.height());
    fits &= height > 60;
    if (ofLeft.height() > 60) fits &= drawSidePicture(canvas, left, ofLeft, height);
    if (ofRight.height() > 60) fits &= drawSidePicture(canvas, right, ofRight, height);
    // Larger letters than the pictures have room beside are made smaller.
    if (!fits && page.textSize > 1) {
        Page smaller = page;
        smaller.textSize = std::max(1.0F, page.textSize - 0.1F);
        return composePair(a, b, smaller);
    }

    return std::move(sheet).picture(titleOf(a) + " / " + titleOf(b));
}

}  // namespace warplens::figure
