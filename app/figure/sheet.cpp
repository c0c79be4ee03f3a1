#include "app/figure/sheet.h"

#include <algorithm>

#include "app/figure/typeface.h"
#include "app/figure/unit.h"

namespace warplens::figure {

Sheet::Sheet(const Page& page)
    : canvas(styleOf(page.theme), figureTextWidth()), size_(page.size), unit_(unitOf(page.size)) {
    const float width = static_cast<float>(page.size.width) / unit_;
    height = static_cast<float>(page.size.height) / unit_;
    const float margin = std::clamp(0.04F * std::min(width, height), 10.0F, 30.0F);
    body = {margin, margin, width - margin, height - margin};
}

Picture Sheet::picture(std::string title) && {
    Picture picture{.size = size_,
                    .background = canvas.colors().background,
                    .title = std::move(title),
                    .items = canvas.take()};
    enlarge(picture.items, unit_);
    return picture;
}

float drawProvenance(Canvas& canvas, const std::vector<std::string>& lines, const Box& room) {
    if (room.height() < 260) return room.bottom;
    const Rgb color = canvas.colors().muted;
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "   ·   ") + line;
    const float top = room.bottom - size::smallest;
    if (canvas.write({room.left, top, room.right, room.bottom},
                     {all, Face::words, size::smallest, color})) {
        return top;
    }
    float next = top;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        canvas.writeShortened({room.left, next, room.right, next + size::smallest},
                              {*line, Face::words, size::smallest, color});
        next -= size::smallest * 1.2F;
    }
    return next + size::smallest * 1.2F;
}

}  // namespace warplens::figure
