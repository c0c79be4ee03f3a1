#include "app/window/panels/items_painter.h"

#include <cfloat>
#include <cmath>

namespace warplens::window {
namespace {

using namespace drawing;

/// The face's font nearest in size: the fewer pixels it is scaled by, the sharper.
ImFont* fontOf(const Fonts& fonts, Face face, float size) {
    if (fonts.slideWords[0] != nullptr) {
        const auto& both = face == Face::words    ? fonts.slideWords
                           : face == Face::strong ? fonts.slideStrong
                                                  : fonts.slideNumbers;
        return size <= both[0]->FontSize * 1.25F ? both[0] : both[1];
    }
    if (face == Face::strong) return fonts.strong;
    const bool words = face == Face::words;
    ImFont* const small = words ? fonts.small : fonts.smallNumber;
    ImFont* const large = words ? fonts.body : fonts.number;
    return std::abs(small->FontSize - size) <= std::abs(large->FontSize - size) ? small : large;
}

class Painter final {
  public:
    Painter(ImDrawList& list, const Fonts& fonts) : list_(list), fonts_(fonts) {}

    void operator()(const Fill& fill) const {
        list_.AddRectFilled({fill.box.left, fill.box.top}, {fill.box.right, fill.box.bottom},
                            packed(fill.color, fill.opacity));
    }
    void operator()(const Hatch& hatch) const {
        const Box& box = hatch.box;
        // Stripes x + y = k · spacing, so that those of neighbours meet.
        const float last = box.right + box.bottom;
        float sum = std::ceil((box.left + box.top) / hatch.spacing) * hatch.spacing;
        for (; sum < last; sum += hatch.spacing) {
            const float right = std::min(box.right, sum - box.top);
            const float left = std::max(box.left, sum - box.bottom);
            list_.AddLine({left, sum - left}, {right, sum - right}, packed(hatch.color, 0.55F));
        }
    }
    void operator()(const Frame& frame) const {
        const Box& box = frame.box;
        const float width = std::max(1.0F, std::round(frame.width));
        const ImU32 color = packed(frame.color);
        list_.AddRectFilled({box.left, box.top}, {box.right, box.top + width}, color);
        list_.AddRectFilled({box.left, box.bottom - width}, {box.right, box.bottom}, color);
        list_.AddRectFilled({box.left, box.top + width}, {box.left + width, box.bottom - width},
                            color);
        list_.AddRectFilled({box.right - width, box.top + width}, {box.right, box.bottom - width},
                            color);
    }
    void operator()(const Line& line) const {
        list_.AddLine({line.from.x, line.from.y}, {line.to.x, line.to.y},
                      packed(line.color, line.opacity), line.width);
    }
    void operator()(const Disc& disc) const {
        const ImVec2 at{disc.at.x, disc.at.y};
        if (disc.width <= 0) {
            list_.AddCircleFilled(at, disc.radius, packed(disc.color));
        } else {
            list_.AddCircle(at, disc.radius - disc.width / 2, packed(disc.color), 0, disc.width);
        }
    }
    void operator()(const Quad& quad) const {
        const auto corner = [&](std::size_t i) {
            return ImVec2(quad.corners.at(i).x, quad.corners.at(i).y);
        };
        if (quad.opacity > 0) {
            // Smooth sides cost thrice the triangles, and an edge covers them.
            const ImDrawListFlags flags = list_.Flags;
            if (quad.edgeWidth > 0) list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;
            list_.AddQuadFilled(corner(0), corner(1), corner(2), corner(3),
                                packed(quad.color, quad.opacity));
            list_.Flags = flags;
        }
        if (quad.edgeWidth > 0) {
            const std::array corners{corner(0), corner(1), corner(2), corner(3)};
            list_.AddPolyline(corners.data(), 4, packed(quad.edge, quad.edgeOpacity),
                              ImDrawFlags_Closed, std::max(1.0F, std::round(quad.edgeWidth)));
        }
    }
    void operator()(const Text& text) const {
        ImFont* const font = fontOf(fonts_, text.face, text.size);
        const char* const begin = text.words.data();
        const char* const end = begin + text.words.size();
        float left = text.at.x;
        if (text.align != 0) {
            left -= text.align * font->CalcTextSizeA(text.size, FLT_MAX, 0, begin, end).x;
        }
        list_.AddText(font, text.size, {std::round(left), std::round(text.at.y)},
                      packed(text.color), begin, end);
    }

  private:
    ImDrawList& list_;
    const Fonts& fonts_;
};

}  // namespace

void paint(ImDrawList& list, const Fonts& fonts, const Items& items) {
    const Painter painter(list, fonts);
    for (const Item& item : items) std::visit(painter, item);
}

DrawArea drawArea(const Look& look, ImVec2 from, ImVec2 to, float textSize) {
    const Colors& c = look.colors;
    return {.box = {from.x, from.y, to.x, to.y},
            .colors = {.background = c.panel,
                       .raised = c.raised,
                       .text = c.text,
                       .muted = c.muted,
                       .faint = c.faint,
                       .accent = c.accent,
                       .good = c.good,
                       .warning = c.warning,
                       .bad = c.bad},
            .textWidth =
                [&fonts = look.fonts](std::string_view words, Face face, float size) {
                    return fontOf(fonts, face, size)
                        ->CalcTextSizeA(size, FLT_MAX, 0, words.data(), words.data() + words.size())
                        .x;
                },
            .textSize = look.fonts.small->FontSize * textSize};
}

std::optional<Point> pointerOnItem() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return ImGui::IsItemHovered() ? std::optional(Point{mouse.x, mouse.y}) : std::nullopt;
}

}  // namespace warplens::window
