#include "app/figure/roofline.h"

#include <algorithm>

#include "app/drawing/plot_roof.h"
#include "app/figure/sheet.h"

namespace warplens::figure {
namespace {

constexpr const char* title = "Arithmetic and memory";

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

Picture composeRoofline(const Roofline& roofline, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    Box body = sheet.body;
    const drawing::ColorRoles& colors = canvas.colors();
    for (const float large : {size::title, 30.0F, size::sentence}) {
        const Box room{body.left, body.top, body.right, body.top + large};
        if (!canvas.write(room, {title, Face::strong, large, colors.text})) continue;
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
        canvas.add(
            drawing::prepareRoof(roofline, {body, colors, canvas.textWidth(), size::smallestNumber})
                .items,
            body);
    }
    Picture picture = std::move(sheet).picture(title);
    picture.command = "warplens roofline" + toOptions(page) + " -o FILE";
    return picture;
}

}  // namespace warplens::figure
