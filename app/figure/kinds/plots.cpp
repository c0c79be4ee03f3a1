
#include "app/drawing/plot_sweep.h"
#include "app/figure/compose.h"

namespace warplens::figure {
namespace {

/// `n=16777216  <<<dim3(65536), dim3(256)>>>` without what the sweep varies.
std::string fixedPart(const Sweep& sweep) {
    Arguments arguments;
    const std::string varied = nameOf(sweep.plan.axis);
    for (const auto& [name, value] : sweep.plan.base.arguments.entries()) {
        if (name != varied) arguments.set(name, value);
    }
    std::string text = toString(arguments);
    if (std::holds_alternative<ArgumentAxis>(sweep.plan.axis)) {
        const auto sameBlock = [&](const SweepPoint& point) {
            return point.experiment.launch.block == sweep.plan.base.launch.block;
        };
        if (std::ranges::all_of(sweep.points, sameBlock)) {
            text += (text.empty() ? "" : "  ") + std::string("block ") +
                    toString(sweep.plan.base.launch.block);
        }
    }
    return text;
}

float drawHeader(Canvas& canvas, const Sweep& sweep, bool hasTitle, const Box& page) {
    const drawing::ColorRoles& colors = canvas.colors();
    const Scenario& scenario = scenarioNamed(sweep.plan.base.scenario);
    const std::string over = "over " + toString(sweep.plan.axis);
    const Words called{over, Face::numbers, size::launch, colors.text};
    const Words fixed{fixedPart(sweep), Face::numbers, size::name, colors.muted};
    float top = page.top;
    const auto room = [&](float height) { return Box{page.left, top, page.right, top + height}; };
    if (hasTitle) {
        canvas.writeShortened(room(size::launch), called);
        top += size::launch;
    }
    for (const float large : {size::title, 36.0F, 30.0F, 26.0F, size::sentence}) {
        if (hasTitle) break;
        const Words heading{std::string(scenario.title), Face::strong, large, colors.text};
        const float beside = canvas.width(heading) + 48 + canvas.width(called);
        if (beside <= page.width() && canvas.write(room(large), heading)) {
            canvas.write({page.left, top + large * 0.12F, page.right, top + large * 1.12F}, called,
                         1);
            top += large;
            break;
        }
        if (large > 30 || !canvas.write(room(large), heading)) continue;
        top += large + 4;
        canvas.writeShortened(room(size::launch), called);
        top += size::launch;
        break;
    }
    if (top == page.top) {
        canvas.writeShortened(room(size::sentence), {std::string(scenario.title), Face::strong,
                                                     size::sentence, colors.text});
        top += size::sentence;
    }
    if (page.height() < 420) return top;
    top += 6;
    const Box line = room(size::name);
    const std::string kernel = std::string(kernelOf(scenario.kernel).name);
    canvas.writeFirst(line,
                      {{kernel + "  " + fixed.words, fixed.face, fixed.size, fixed.color}, fixed});
    return top + size::name;
}

/// Beside one another for shapes of blocks and on wide pages, else one below the other.
std::vector<Box> roomsFor(std::size_t count, const Sweep& sweep, const Box& body) {
    if (count < 2) return {body};
    constexpr float gap = 34;
    const bool shapes = std::holds_alternative<BlockAxis>(sweep.plan.axis);
    const bool beside = body.width() > (shapes ? 1.1F : 2.2F) * body.height();
    if (beside) {
        const float half = (body.width() - gap) / 2;
        return {{body.left, body.top, body.left + half, body.bottom},
                {body.right - half, body.top, body.right, body.bottom}};
    }
    const float half = (body.height() - gap / 2) / 2;
    return {{body.left, body.top, body.right, body.top + half},
            {body.left, body.bottom - half, body.right, body.bottom}};
}

constexpr const char* rooflineTitle = "Arithmetic and memory";

/// The points by number, each in two lines.
void drawPoints(Canvas& canvas, const Roofline& roofline, Box room) {
    const drawing::ColorRoles& colors = canvas.colors();
    const std::vector<drawing::RoofRow> rows = drawing::rowsOf(roofline);
    constexpr float pitch = size::name + size::smallest + 18;
    float top = room.top;
    for (std::size_t i = 0; i < rows.size() && top + pitch <= room.bottom; ++i, top += pitch) {
        const Words number{std::to_string(i + 1), Face::strong, size::name, colors.text};
        canvas.write({room.left, top, room.left + 26, top + size::name}, number);
        const float left = room.left + 28;
        const Words name{rows[i].name, Face::words, size::name, colors.text};
        canvas.writeShortened({left, top, room.right, top + size::name}, name);
        const std::string said = rows[i].perAccess + " FLOP per access  ·  " + rows[i].rate;
        const float below = top + size::name + 3;
        canvas.writeFirst(
            {left, below, room.right, below + size::smallest},
            {{said, Face::words, size::smallest, colors.muted},
             {rows[i].perAccess + " FLOP per access", Face::words, size::smallest, colors.muted}});
    }
}

}  // namespace

Picture composeSweep(const SweepSubject& subject, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    Box body = sheet.body;
    const float gap = sheet.height > 480 ? 18.0F : 8.0F;

    const std::vector<std::string> lines =
        drawing::provenanceOf(subject.sweep, subject.recorded, subject.quantities);
    const float headerEnd = drawHeader(canvas, subject.sweep, !page.title.empty(), body);
    const float footer = drawProvenance(canvas, lines, body);
    body.top = headerEnd + gap;
    body.bottom = footer - (footer < body.bottom ? gap : 0);
    body.bottom = sheet.drawCaption(body);

    const bool small = body.height() < 300 || body.width() < 420;
    const std::size_t count = std::min<std::size_t>(subject.quantities.size(), small ? 1 : 2);
    const std::vector<Box> rooms = roomsFor(count, subject.sweep, body);
    for (std::size_t i = 0; i < count && body.height() > 80 && body.width() > 120; ++i) {
        const drawing::DrawArea area = canvas.area(rooms[i], size::smallestNumber);
        canvas.add(drawing::prepareSweep(subject.sweep, subject.quantities[i], area).items,
                   rooms[i]);
    }

    const SweepPlan& plan = subject.sweep.plan;
    Picture picture = std::move(sheet).picture(
        std::string(scenarioNamed(plan.base.scenario).title) + " over " + toString(plan.axis));
    picture.command = "warplens sweep " + plan.base.scenario + ' ' + toOptions(plan.base) +
                      " --over " + toString(plan.axis) + toOptions(page) + " -o FILE";
    return picture;
}

Picture composeRoofline(const Roofline& roofline, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    Box body = sheet.body;
    const drawing::ColorRoles& colors = canvas.colors();
    for (const float large : {size::title, 30.0F, size::sentence}) {
        if (!page.title.empty()) break;
        const Box room{body.left, body.top, body.right, body.top + large};
        if (!canvas.write(room, {rooflineTitle, Face::strong, large, colors.text})) continue;
        body.top += large + 14;
        break;
    }
    if (sheet.height > 300) {
        const std::vector<std::string> lines = drawing::provenanceOf(roofline);
        for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
            canvas.writeShortened(
                {body.left, body.bottom - size::smallest, body.right, body.bottom},
                {*line, Face::words, size::smallest, colors.muted});
            body.bottom -= size::smallest * 1.25F;
        }
        body.bottom -= 12;
    }
    body.bottom = sheet.drawCaption(body);
    if (body.width() > 900) {
        const float column = std::clamp(body.width() * 0.30F, 330.0F, 420.0F);
        drawPoints(canvas, roofline, {body.right - column, body.top + 30, body.right, body.bottom});
        body.right -= column + 24;
    } else if (body.height() > 620) {
        const float share = body.height() * 0.38F;
        drawPoints(canvas, roofline, {body.left, body.bottom - share, body.right, body.bottom});
        body.bottom -= share + 16;
    }
    if (body.height() > 140 && body.width() > 200) {
        canvas.add(drawing::prepareRoof(roofline, canvas.area(body, size::smallestNumber)).items,
                   body);
    }
    Picture picture = std::move(sheet).picture(rooflineTitle);
    picture.command = "warplens roofline" + toOptions(page) + " -o FILE";
    return picture;
}

}  // namespace warplens::figure
