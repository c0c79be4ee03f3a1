#include "app/figure/compose.h"

namespace warplens::figure {
namespace {

struct Kind final {
    PictureKind picture;
    std::string (*statement)(const Subject&);
    void (*draw)(Canvas&, const Subject&, const Box&);
    std::vector<Number> (*numbers)(const Subject&);
};
constexpr std::array kinds{
    Kind{PictureKind::threads, threadsStatement, drawThreads, threadNumbers},
    Kind{PictureKind::block3d, threadsStatement, drawBlock3d, threadNumbers},
    Kind{PictureKind::request, memoryStatement, drawMemory, memoryNumbers},
    Kind{PictureKind::slots, slotsStatement, drawSlots, slotNumbers},
    Kind{PictureKind::times, scheduleStatement, drawSchedule, memoryNumbers},
    Kind{PictureKind::source, memoryStatement, drawSourceText, memoryNumbers},
    Kind{PictureKind::coverage, coverageStatement, drawCoverage, coverageNumbers},
    Kind{PictureKind::branches, branchStatement, drawBranches, branchNumbers},
    Kind{PictureKind::reduction, reductionStatement, drawReduction, reductionNumbers},
    Kind{PictureKind::runs, timesStatement, drawTimes, timeNumbers},
    Kind{PictureKind::waves, slotsStatement, drawWaves, slotNumbers},
};

/// What a warp asks at a step: of memory, or which way its lanes go.
constexpr Kind branchStep{PictureKind::request, branchStepStatement, drawBranchStep, branchNumbers};

constexpr Kind blocksOfGrid{PictureKind::coverage, gridStatement, drawGrid, threadNumbers};

/// What the launch's scenario is about.
PictureKind pictureOfScenario(const Subject& subject) {
    if (!subject.kernel.empty()) {
        return subject.program != nullptr ? PictureKind::request : PictureKind::threads;
    }
    const std::string_view about = scenarioNamed(subject.view.experiment.scenario).figure;
    const auto row = std::ranges::find(pictures, about, &PictureRow::figure);
    return about.empty() || row == pictures.end() ? PictureKind::threads : row->picture;
}

bool hasProblem(const Subject& subject) {
    return subject.kernel.empty() && !kernelOf(subject.view.experiment).work.empty();
}

const Kind& kindOf(const Subject& subject) {
    PictureKind picture = subject.view.picture;
    if (picture == PictureKind::coverage && subject.view.map == MapFollows::grid &&
        pictureOfScenario(subject) != PictureKind::coverage)
        return blocksOfGrid;
    // Without a problem there is nothing to cover.
    if (picture == PictureKind::coverage && !hasProblem(subject)) picture = PictureKind::threads;
    auto kind = std::ranges::find(kinds, picture, &Kind::picture);
    if (kind == kinds.end()) {
        kind = std::ranges::find(kinds, pictureOfScenario(subject), &Kind::picture);
    }
    if (kind->picture == PictureKind::request && branchStepOf(subject)) return branchStep;
    return *kind;
}

/// Title, unless the page has its own, launch and the scenario's sentence, unless it has a caption,
/// from the top of `page`; returns where they end.
float drawHeader(Canvas& canvas, const Subject& subject, const Page& of, const Box& page) {
    const drawing::ColorRoles& colors = canvas.colors();
    const bool ofSm = subject.view.picture == PictureKind::slots;
    const std::string title = !of.title.empty() ? std::string()
                              : ofSm            ? titleOf(subject) + ": occupancy"
                                                : titleOf(subject);
    const std::string lookFor(!of.caption.empty() || !subject.kernel.empty() || ofSm
                                  ? std::string_view()
                                  : scenarioNamed(subject.view.experiment.scenario).lookFor);
    const std::string launch = toLaunchSyntax(subject.view.experiment.launch);
    const std::string arguments = toString(subject.view.experiment.arguments);
    float top = page.top;
    const auto room = [&](float height) { return Box{page.left, top, page.right, top + height}; };

    const Words whole{title, Face::strong, size::title, colors.text};
    const Words called{launch, Face::numbers, size::launch, colors.text};
    const Words given{arguments, Face::numbers, size::name, colors.muted};
    const float gap = arguments.empty() ? 0.0F : 24.0F;
    const float call = canvas.width(called) + gap + canvas.width(given);
    if (!title.empty() && canvas.width(whole) + 48 + call <= page.width()) {
        // On one line, and on one baseline.
        canvas.write(room(size::title), whole);
        const float lift = (size::title - size::launch) * 0.3F;
        const Box beside{page.right - call - 0.5F, top + lift, page.right,
                         top + size::title + lift};
        canvas.write(beside, called);
        canvas.write(beside, given, 1);
        top += size::title;
    } else {
        for (const float smaller : {size::title, 36.0F, 30.0F, 26.0F, 22.0F}) {
            if (!canvas.write(room(smaller), {title, Face::strong, smaller, colors.text})) continue;
            top += smaller;
            break;
        }
        if (top == page.top && !title.empty()) {
            canvas.writeShortened(room(size::sentence),
                                  {title, Face::strong, size::sentence, colors.text});
            top += size::sentence;
        }
        if (!title.empty()) top += page.height() > 400 ? 8.0F : 3.0F;
        const float size = page.height() > 400 ? size::launch : size::smallestNumber;
        const Words words{launch, Face::numbers, size, colors.text};
        if (canvas.write(room(size), words)) {
            const float end = page.left + canvas.width(words) + size;
            canvas.write({end, top, page.right, top + size},
                         {arguments, Face::numbers, std::max(size * 0.85F, size::smallestNumber),
                          colors.muted});
        } else {
            canvas.writeShortened(room(size),
                                  {launch, Face::numbers, size::smallestNumber, colors.text});
        }
        top += size;
    }
    if (page.height() > 480 && !lookFor.empty()) {
        top += 8;
        top += canvas.writeLines({page.left, top, page.right, top + 60},
                                 {lookFor, Face::words, size::sentence, colors.muted}, 2);
    }
    return top;
}

/// Of the widest, for the columns of all.
float widthOf(const Canvas& canvas, const std::vector<Number>& numbers) {
    float widest = 0;
    for (const Number& number : numbers) {
        widest = std::max(widest, canvas.width({number.name, Face::words, size::name}));
        for (const Number::Line& line : number.lines)
            widest =
                std::max(widest, canvas.width({line.value, Face::numbers, size::value}) + 12 +
                                     canvas.width({line.sources, Face::words, size::smallest}));
    }
    return widest + 16;
}

float heightOf(const Number& number) {
    return size::name + 2 + static_cast<float>(number.lines.size()) * (size::value + 2) + 14;
}

void drawNumber(Canvas& canvas, const Number& number, Box room) {
    const drawing::ColorRoles& colors = canvas.colors();
    canvas.fill({room.left, room.top + 3, room.left + 4, room.bottom - 11}, colors.accent);
    room.left += 16;
    const Box first{room.left, room.top, room.right, room.top + size::name};
    canvas.writeShortened(first, {number.name, Face::words, size::name, colors.text});
    float top = room.top + size::name + 2;
    for (const Number::Line& line : number.lines) {
        const Words value{line.value, Face::numbers, size::value, colors.text};
        canvas.writeFirst({room.left, top, room.right, top + size::value},
                          {value, {line.value, Face::numbers, size::name, colors.text}});
        // On one baseline with the value, not in the middle of its height.
        const float lift = (size::value - size::smallest) * 0.28F;
        const Box beside{room.left + canvas.width(value) + 12, top + lift, room.right,
                         top + size::value + lift};
        std::string sources = line.sources;
        if (!number.remark.empty() && &line == &number.lines.back()) {
            sources += "  ·  " + number.remark;
        }
        if (canvas.write(beside, {sources, Face::words, size::smallest, colors.muted})) {
            top += size::value + 2;
            continue;
        }
        canvas.write(beside, {line.sources, Face::words, size::smallest, colors.muted});
        const float named = canvas.width({number.name, Face::words, size::name, colors.text}) + 12;
        canvas.write({first.left + named, first.top + 2, first.right, first.bottom + 2},
                     {number.remark, Face::words, size::smallest, colors.muted});
        top += size::value + 2;
    }
}

/// Fills the room with numbers, column by column, while there is room.
void drawNumbers(Canvas& canvas, const std::vector<Number>& numbers, const Box& room) {
    const int columns = std::max(1, static_cast<int>(room.width() / 340));
    const float width = room.width() / static_cast<float>(columns);
    int column = 0;
    float top = room.top;
    for (const Number& number : numbers) {
        const float height = heightOf(number);
        if (top + height - 14 > room.bottom) {
            if (++column >= columns) return;
            top = room.top;
            if (top + height - 14 > room.bottom) return;
        }
        const float left = room.left + width * static_cast<float>(column);
        drawNumber(canvas, number, {left, top, left + width - 20, top + height});
        top += height;
    }
}

}  // namespace

bool isTooLowFor(const Subject& subject, const Box& room) {
    constexpr float large = 4000;
    const Experiment& experiment = subject.view.experiment;
    return kindOf(subject).picture == PictureKind::reduction &&
           fitsReduction(experiment, {0, 0, large, large}) && !fitsReduction(experiment, room);
}

void drawKind(Canvas& canvas, const Subject& subject, const Box& room) {
    kindOf(subject).draw(canvas, subject, room);
}

std::vector<std::uint32_t> linesShown(const Subject& subject) {
    if (kindOf(subject).picture != PictureKind::request) return {};
    const auto step = branchStepOf(subject);
    return step ? std::vector{step->trace.steps[step->step].line} : linesOfRequests(subject);
}

Picture compose(const Subject& subject, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    Box body = sheet.body;

    const Kind& kind = kindOf(subject);
    const float gap = sheet.height > 480 ? 16.0F : 8.0F;
    const float headerEnd = drawHeader(canvas, subject, page, body);
    std::vector<std::string> provenance = subject.provenance;
    if (subject.program != nullptr) {
        const std::vector<std::uint32_t> lines = linesShown(subject);
        for (std::string& line : provenance) line = namingLines(line, lines);
    }
    const float footer = drawProvenance(canvas, provenance, body);
    body.top = headerEnd + gap;
    body.bottom = footer - (footer < body.bottom ? gap : 0);
    body.bottom = sheet.drawCaption(body);

    std::vector<Number> numbers = kind.numbers(subject);
    const bool ofThreads = kind.picture == PictureKind::threads;
    if (ofThreads) {
        std::erase_if(numbers, [](const Number& number) { return number.stated; });
        numbers.insert(numbers.begin(), threadExample(subject));
    }
    if (body.width() > 900 && body.height() > 220) {
        float column = std::clamp(body.width() * 0.31F, 360.0F, 460.0F);
        if (ofThreads) column = std::min(column, widthOf(canvas, numbers) + 20);
        drawNumbers(canvas, numbers, {body.right - column, body.top, body.right, body.bottom});
        body.right -= column + 24;
    } else if (body.height() > 420) {
        const float share = body.height() * 0.34F;
        drawNumbers(canvas, numbers, {body.left, body.bottom - share, body.right, body.bottom});
        body.bottom -= share + gap;
    }

    if (body.height() > 160) {
        const Words statement{kind.statement(subject), Face::strong, size::statement,
                              canvas.colors().text};
        float taken = canvas.writeLines(body, statement, 1);
        for (const float smaller : {size::sentence, size::smallest}) {
            if (taken == 0) {
                taken = canvas.writeLines(body,
                                          {statement.words, Face::strong, smaller, statement.color},
                                          body.height() > 300 ? 2 : 1);
            }
        }
        if (taken > 0) body.top += taken + gap / 2;
    }
    Subject drawn = subject;
    drawn.tellsExample = ofThreads && body.right < sheet.body.right;
    // Larger letters than the picture has room beside are made smaller.
    constexpr float least = 0.4F;  // of the page's height
    if (page.textSize > 1 && (body.height() < least * sheet.height || isTooLowFor(subject, body))) {
        Page smaller = page;
        smaller.textSize = std::max(1.0F, page.textSize - 0.1F);
        return compose(subject, smaller);
    }
    if (body.height() > 24 && body.width() > 24) kind.draw(canvas, drawn, body);

    return std::move(sheet).picture(titleOf(subject) + "  " +
                                    toLaunchSyntax(subject.view.experiment.launch));
}

Caption captionOf(const Subject& subject) {
    const Kind& kind = kindOf(subject);
    return {kind.statement(subject), kind.numbers(subject)};
}

}  // namespace warplens::figure
