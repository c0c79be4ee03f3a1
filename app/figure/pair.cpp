#include <cmath>
#include <cstdio>

#include "app/figure/compose.h"
#include "app/figure/kinds/kind.h"
#include "core/access/line_cost.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "core/text/joined.h"

namespace warplens::figure {
namespace {

constexpr float bigNumber = 48;

/// What a side comes to.
struct PairSide final {
    const Subject& subject;
    CauseKind cause{};
    bool chosen = false;  ///< what is drawn was asked for; the cause is told below
    bool bySms = false;   ///< as of the subject that is drawn
    RequestsTo requests = RequestsTo::global;
    std::optional<Telling> telling{};
    std::string headline{};            ///< `16 sectors`
    std::string caption{};             ///< `for 32 lanes: 25.0 % of the bytes are used`
    std::string options{};             ///< `-DN=64`: those that the other side has not
    std::string sizes{};               ///< `stride 8`: of these, too
    std::vector<CodeLine> lines{};     ///< that the other side has not, next to the step
    std::vector<std::uint32_t> own{};  ///< the numbers of all of them
    const Value* time = nullptr;
};

bool drawsStep(CauseKind cause) {
    return cause == CauseKind::sectors || cause == CauseKind::wavefronts ||
           cause == CauseKind::atomics;
}

/// What differs is what the code does after what, which its lines show.
bool drawsSource(CauseKind cause) {
    return cause == CauseKind::code || cause == CauseKind::waits ||
           cause == CauseKind::instructions;
}

std::string guardsInWords(const PairSide& side) {
    const std::uint64_t guards = side.subject.divergentGuards;
    return guards == 0 ? std::string() : "; " + groupedDigits(guards) + " more at a guard";
}

/// `16 sectors`, with what it is of below it.
void tell(PairSide& side, double amount, const std::string& unit) {
    if (side.telling && drawsStep(side.cause)) {
        const WarpTrace& trace = side.telling->trace;
        const WarpStep& step = trace.steps[side.telling->step];
        const LineCost cost = costOf(step);
        side.caption = drawing::titleOf(trace, step);
        if (step.isShared()) {
            side.headline = counted(cost.wavefronts, "wavefront");
        } else if (step.isConstant()) {
            side.headline = counted(cost.wavefronts, "turn");
            return;
        } else if (side.cause == CauseKind::atomics) {
            side.headline = counted(cost.mostSameAddress, "lane") + " at one address";
        } else {
            side.headline = counted(cost.sectors, "sector");
            side.caption += ": " +
                            formatNumber(100.0 * static_cast<double>(cost.uniqueBytes) /
                                             (static_cast<double>(cost.sectors) * bytesPerSector),
                                         Unit::percent) +
                            " of the bytes are used";
            return;
        }
        side.caption += "; in the whole launch " + compactCount(amount) + ' ' + unit;
        if (step.isShared()) side.caption += " of all its accesses";
        return;
    }
    if (unit.empty()) return;
    side.headline = compactCount(amount) + ' ' + unit;
    if (amount == 1 && unit == "divergent branches") side.headline = "1 divergent branch";
    if (unit.starts_with("blocks"))
        side.headline = counted(std::lround(amount), "block") + " for each SM";
    side.caption =
        side.cause == CauseKind::requests ? "loads and stores of global memory, in the whole launch"
        : side.cause == CauseKind::sharedRequests ? "of shared memory, in the whole launch"
        : side.cause == CauseKind::divergence && !side.subject.kernel.empty()
            ? "times that a warp diverges, in the whole launch" + guardsInWords(side)
        : side.cause == CauseKind::waits
            ? "of a warp, one after the other: loads issued together wait together"
        : side.cause == CauseKind::instructions ? "of a warp, in the optimized PTX"
        : side.cause == CauseKind::code         ? std::string()
                                                : captionOf(side.subject).statement;
}

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

/// The sizes that the other launch has not, in words.
std::string ownSizes(const Subject& subject, const Subject& other) {
    std::string words;
    const Experiment& shown = subject.view.experiment;
    for (const auto& [name, value] : shown.arguments.entries()) {
        const auto& others = other.view.experiment.arguments;
        if (others.contains(name) && others.at(name) == value) continue;
        addWords(words, ", ", name + " = " + std::to_string(value));
    }
    return words;
}

/// The options of its program that the other launch's has not.
std::string ownOptions(const Subject& subject, const Subject& other) {
    std::string words;
    for (const std::string& option : subject.options) {
        if (std::ranges::count(other.options, option) == 0) addWords(words, " ", option);
    }
    return words;
}

/// Whether it accesses an array or calls an intrinsic.
bool accesses(const CodeLine& line) {
    return line.text.find('[') != std::string::npos ||
           (line.text.find("__") != std::string::npos &&
            line.text.find("__global__") == std::string::npos);
}

PairSide sideOf(const Subject& subject, const Subject& other, const Cause& cause, double amount,
                std::vector<CodeLine> changed) {
    PairSide side{.subject = subject, .cause = cause.kind};
    side.chosen = subject.view.picture != PictureKind::scenario;
    const bool asksRequest = side.chosen && subject.view.picture == PictureKind::request;
    const bool asksOther = side.chosen && !asksRequest;
    if (!asksOther) {
        // A request that was asked for is one, whatever makes the difference.
        if (asksRequest && !drawsStep(cause.kind)) side.cause = CauseKind::sectors;
        std::vector<std::uint32_t> lines;
        if (side.cause == CauseKind::divergence) {
            for (const CodeLine& line : changed) lines.push_back(line.number);
        }
        side.telling = tellingStep(subject, side.cause, cause.array, cause.access, lines);
        if (!side.telling) side.telling = tellingStep(subject, side.cause, {}, cause.access);
        if (!side.telling) side.telling = tellingStep(subject, side.cause);
    }
    if (asksOther) {
        side.caption = captionOf(subject).statement;
    } else {
        tell(side, amount, cause.unit);
    }
    side.time = timeOf(subject);
    side.options = ownOptions(subject, other);
    side.sizes = ownSizes(subject, other);
    if (const std::string theirs = ownOptions(other, subject);
        side.options.empty() && !theirs.empty() && titleOf(subject) == titleOf(other)) {
        side.sizes = "without " + theirs;
    }
    // The lines that the other has not: those that access arrays or call intrinsics, and those next
    // to the step, first.
    const std::uint32_t line =
        side.telling ? side.telling->trace.steps[side.telling->step].line : 0;
    const auto distance = [&](const CodeLine& each) {
        return std::pair(!accesses(each),
                         each.number > line ? each.number - line : line - each.number);
    };
    for (const CodeLine& each : changed) side.own.push_back(each.number);
    std::ranges::stable_sort(changed, {}, distance);
    if (changed.size() > 3) changed.resize(3);
    std::ranges::sort(changed, {}, &CodeLine::number);
    side.lines = std::move(changed);
    return side;
}

/// `1.68`, `16.5`, `32`: three figures, so that who divides what stands above finds the same.
std::string factorText(double ratio) {
    std::string text = fixedNumber(ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
    while (text.find('.') != std::string::npos && (text.ends_with('0') || text.ends_with('.')))
        text.pop_back();
    return text;
}

/// How many times as much one side has to do as the other, and in words. Of two scenarios the bytes
/// that their kernels must move, whatever their sizes are called; else the threads, which need not
/// do the same.
struct ComparedSizes final {
    bool sameWork = true;  ///< within a factor of two, or not known
    std::string words{};   ///< empty where they are alike
};

ComparedSizes comparedSizes(const Subject& a, const Subject& b) {
    const auto bytesOf = [](const Subject& subject) {
        const Experiment& shown = subject.view.experiment;
        return kernelOf(shown).algorithmBytes(shown.arguments, shown.launch);
    };
    const auto threadsOf = [](const Subject& subject) {
        const Launch& launch = subject.view.experiment.launch;
        return launch.grid.count() * launch.block.count();
    };
    const auto differ = [](auto x, auto y) { return std::min(x, y) * 2 <= std::max(x, y); };
    if (!a.kernel.empty() || !b.kernel.empty()) {
        const std::uint64_t x = threadsOf(a);
        const std::uint64_t y = threadsOf(b);
        if (!differ(x, y)) return {};
        return {true, "by " + counted(y, "thread") + " where A has " + groupedDigits(x)};
    }
    for (const Subject* subject : {&a, &b}) {
        if (kernelOf(subject->view.experiment).work.empty())
            return {};  // the grid is what is tried
    }
    const auto x = static_cast<std::uint64_t>(bytesOf(a));
    const auto y = static_cast<std::uint64_t>(bytesOf(b));
    if (!differ(x, y)) return {};
    return {false, "Not the same work: A has " + formatBytes(x) + " to move, B " + formatBytes(y) +
                       ": times and counts are not compared"};
}

/// `1.6 times as slow`: how b's time compares with a's; empty where one was not timed.
std::string comparedTimes(const PairSide& a, const PairSide& b) {
    if (a.time == nullptr || b.time == nullptr) return {};
    const double ratio = *b.time->number() / *a.time->number();
    if (ratio > 0.95 && ratio < 1.05) return "As fast, within 5 %";
    return factorText(ratio > 1 ? ratio : 1 / ratio) +
           (ratio > 1 ? " times as slow" : " times as fast");
}

/// `4 times as many sectors`: of the whole launches.
std::string comparedCause(const Cause& cause, bool sameCode) {
    if (cause.unit.empty()) {
        return sameCode ? "the same code, requests and branches"
                        : "the same requests and branches: the code differs";
    }
    if (cause.a <= 0 || cause.b <= 0) {
        const std::string amount = compactCount(std::max(cause.a, cause.b)) + ' ' + cause.unit;
        return cause.b > 0 ? amount + ", where A has none" : "none of the " + amount;
    }
    const bool more = cause.b > cause.a;
    return factorText(more ? cause.b / cause.a : cause.a / cause.b) +
           (more ? " times as many " : " times fewer ") + cause.unit +
           (drawsStep(cause.kind) ? " in all" : "");
}

std::string whereFrom(const PairSide& a, const PairSide& b) {
    if (a.subject.provenance.empty()) return {};
    std::string words = a.subject.provenance.front();
    const bool isOther = !b.subject.kernel.empty() && !b.subject.provenance.empty() &&
                         b.subject.provenance.front() != words;
    if (isOther) words += "   ·   " + b.subject.provenance.front();
    const std::string sizes = toString(b.subject.view.experiment.arguments);
    return sizes.empty() ? words : words + "   ·   " + sizes;
}

/// Between rows that do not follow each other in `all` one that says how many lines are left out.
std::vector<SourceRow> withGaps(std::vector<SourceRow> rows, const std::vector<CodeLine>& all) {
    std::vector<SourceRow> told;
    for (SourceRow& row : rows) {
        const auto isBetween = [&](const CodeLine& line) {
            return line.number > told.back().number && line.number < row.number;
        };
        const auto between =
            told.empty() ? 0 : static_cast<std::size_t>(std::ranges::count_if(all, isBetween));
        if (between != 0) told.push_back({.number = 0, .code = "", .leftOut = between});
        told.push_back(std::move(row));
    }
    return told;
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
    const std::vector<CodeLine> lines = linesOf(side.subject);
    for (const CodeLine& line : lines) {
        const bool own = std::ranges::find(side.own, line.number) != side.own.end();
        if (!side.own.empty() && !own && !accesses(line)) continue;
        const std::size_t indent = line.line.find_first_not_of(' ');
        all.push_back({{.number = line.number, .code = line.line, .marked = own},
                       indent,
                       (own ? 0 : 2000) + (accesses(line) ? 0 : 1000) - static_cast<int>(indent)});
    }
    if (all.empty()) return;
    Box room = whole;
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
            if (size > 0 || all.size() < 2) break;
        }
        if (dropped == 0) room.bottom -= size::smallest + 4;
        ++dropped;
        const auto first = std::ranges::max_element(all.rbegin(), all.rend(), {}, &Ranked::rank);
        all.erase(std::prev(first.base()));
    }
    drawSourceRows(canvas, rows, room, size * 1.35F, std::max(size, size::code));
    if (dropped == 0) return;
    canvas.write({whole.left, whole.bottom - size::smallest, whole.right, whole.bottom},
                 {"… and " + counted(dropped, "more line"), Face::words, size::smallest,
                  canvas.colors().muted});
}

/// What the side's warp does, or its launch.
void drawSidePicture(Canvas& canvas, const PairSide& side, Box room) {
    const Subject& subject = side.subject;
    const drawing::ColorRoles& colors = canvas.colors();
    constexpr float text = size::smallestNumber / 0.9F;
    const bool asked = side.chosen && subject.view.picture != PictureKind::request;
    if (asked ? subject.view.picture == PictureKind::source : drawsSource(side.cause)) {
        return drawSideSource(canvas, side, room);
    }
    if (asked) return drawKind(canvas, subject, room);
    if (side.cause == CauseKind::requests || side.cause == CauseKind::sharedRequests) {
        return drawRequestSquares(canvas, subject, side.requests, room);
    }
    const bool ofProgram = !subject.kernel.empty();
    const bool isStep = drawsStep(side.cause) || (ofProgram && side.cause != CauseKind::fragments);
    if (side.telling && isStep) {
        const WarpTrace& trace = side.telling->trace;
        const WarpStep& step = trace.steps[side.telling->step];
        const drawing::DrawArea area{room, colors, canvas.textWidth(), text};
        canvas.add(step.isGlobal()
                       ? drawing::prepareSectorGrid(trace, side.telling->step, area)
                       : drawing::prepareWarpMemory(trace, side.telling->step, area).items,
                   room);
        return;
    }
    Subject drawn = subject;
    drawn.view.picture = pictureOf(subject, side.cause);
    drawn.bySms = side.bySms;
    drawKind(canvas, drawn, room);
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
    rows = withGaps(std::move(rows), linesOf(side.subject));
    const float pitch = size + 5;
    const float height = pitch * static_cast<float>(countOfRows(canvas, rows, room, size));
    canvas.fill({room.left - 6, room.top, room.right, room.top + height}, canvas.colors().raised);
    drawSourceRows(canvas, rows, {room.left, room.top, room.right, room.top + height + 1}, pitch,
                   size);
    return height + 10;
}

void drawSide(Canvas& canvas, const PairSide& side, Box room, int better) {
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
    const float foot = (tells ? bigNumber : 0) + (side.caption.empty() ? 0 : size::smallest + 6);
    const Box numbers{room.left, room.bottom - foot, room.right, room.bottom};
    const Style& style = canvas.style();
    const Rgb verdict = better == 0 || style.print ? colors.text
                        : better > 0               ? mixed(style.third, colors.text, 0.25F)
                                                   : mixed(style.fourth, colors.text, 0.1F);
    const Box line{numbers.left, numbers.top, numbers.right, numbers.top + bigNumber};
    float left = numbers.left;
    for (const float height : {bigNumber, 36.0F, 28.0F, size::name}) {
        const Words words{side.headline, Face::strong, height, verdict};
        const float time = side.time == nullptr ? 0 : 210;
        if (canvas.width(words) > line.width() - time) continue;
        canvas.write(line, words);
        left += canvas.width(words);
        break;
    }
    if (side.time != nullptr) {
        canvas.writeFirst({left + 12, line.top, line.right, line.bottom},
                          {{compact(*side.time), Face::numbers, bigNumber, colors.text},
                           {compact(*side.time), Face::numbers, 34, colors.text}},
                          1);
    }
    if (!side.caption.empty()) {
        canvas.writeFirst(
            {numbers.left, numbers.bottom - size::smallest - 2, numbers.right, numbers.bottom},
            {{side.caption, Face::words, size::name, colors.muted},
             {side.caption, Face::words, size::smallest, colors.muted}});
    }
    room.bottom = numbers.top - 12;
    const bool isSource =
        side.chosen ? side.subject.view.picture == PictureKind::source : drawsSource(side.cause);
    if (room.height() > 240 && !isSource) room.top += drawChangedCode(canvas, side, room);
    if (room.height() > 60) drawSidePicture(canvas, side, room);
}

}  // namespace

Picture composePair(const Subject& a, const Subject& b, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    const drawing::ColorRoles& colors = canvas.colors();
    Box body = sheet.body;
    const Cause cause = causeOf(a, b);
    ChangedLines changed = changedLines(a, b);
    const bool sameCode = changed.a.empty() && changed.b.empty();
    PairSide left = sideOf(a, b, cause, cause.a, std::move(changed.a));
    PairSide right = sideOf(b, a, cause, cause.b, std::move(changed.b));
    // Both sides by warps, or both by SMs.
    if (cause.kind == CauseKind::sharedRequests) {
        // What one side does in shared memory the other, which has none, does in global memory.
        const bool both = cause.a != 0 && cause.b != 0;
        left.requests = right.requests = both ? RequestsTo::shared : RequestsTo::any;
    }
    left.bySms = right.bySms =
        a.schedule && b.schedule && aboutWaits(*a.schedule) != aboutWaits(*b.schedule);

    const Box bar{body.left, body.bottom - 62, body.right, body.bottom};
    canvas.fill(bar, colors.raised);
    const ComparedSizes sizes = comparedSizes(a, b);
    const std::string times = sizes.sameWork ? comparedTimes(left, right) : std::string();
    std::string why = sizes.sameWork ? comparedCause(cause, sameCode) : sizes.words;
    if (sizes.sameWork && !sizes.words.empty()) why += ", " + sizes.words;
    const std::string compared =
        times.empty() ? why : times + (cause.explains ? "   ·   " : ", though ") + why;
    const std::string from = whereFrom(left, right);
    const Box above{bar.left + 16, bar.top + 5, bar.right - 16, bar.top + 33};
    canvas.writeFirst(above,
                      {{compared, Face::strong, size::statement, colors.text},
                       {compared, Face::strong, size::sentence, colors.text},
                       {times.empty() ? why : times, Face::strong, size::sentence, colors.text}},
                      0.5F);
    canvas.writeShortened({bar.left + 16, bar.bottom - 26, bar.right - 16, bar.bottom - 6},
                          {from, Face::words, size::smallest, colors.muted}, 0.5F);
    body.bottom = bar.top - 16;
    const float middle = (body.left + body.right) / 2;
    canvas.line({middle, body.top}, {middle, body.bottom}, colors.faint, 1);
    const bool less = cause.kind == CauseKind::residency ? cause.a > cause.b : cause.a < cause.b;
    const int better = cause.a == cause.b || !sizes.sameWork ? 0 : less ? 1 : -1;
    drawSide(canvas, left, {body.left, body.top, middle - 24, body.bottom}, better);
    drawSide(canvas, right, {middle + 24, body.top, body.right, body.bottom}, -better);

    return std::move(sheet).picture(titleOf(a) + " / " + titleOf(b));
}

}  // namespace warplens::figure
