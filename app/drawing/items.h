#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/drawing/block_layout.h"
#include "app/drawing/palette.h"

/// What a picture consists of, before anybody draws it. A picture is prepared once, as a list of
/// items, and walked by whoever draws: the window's panels, and the figures for slides. Lengths are
/// in the unit of the target, pixels or points, from its top left corner, y downwards.
namespace warplens::drawing {

struct Box final {
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;
    [[nodiscard]] constexpr float width() const { return right - left; }
    [[nodiscard]] constexpr float height() const { return bottom - top; }
    /// The right and lower edges belong to the neighbours.
    [[nodiscard]] constexpr bool contains(Point point) const {
        return point.x >= left && point.x < right && point.y >= top && point.y < bottom;
    }
    friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// On the way from `a` (share 0) to `b` (share 1).
[[nodiscard]] constexpr Box between(const Box& a, const Box& b, float share) {
    const auto mix = [&](float from, float to) { return from + (to - from) * share; };
    return {mix(a.left, b.left), mix(a.top, b.top), mix(a.right, b.right), mix(a.bottom, b.bottom)};
}

/// The faces that both the window and the figures have.
enum class Face : std::uint8_t {
    words,    ///< Inter
    strong,   ///< Inter, semibold
    numbers,  ///< JetBrains Mono
};

struct Fill final {
    Box box;
    Rgb color = 0;
    float opacity = 1;
    friend constexpr bool operator==(const Fill&, const Fill&) = default;
};
/// Diagonal stripes over whatever lies below.
struct Hatch final {
    Box box;
    Rgb color = 0;
    float spacing = 6;  ///< from stripe to stripe
    friend constexpr bool operator==(const Hatch&, const Hatch&) = default;
};
/// A frame whose line lies inside the box.
struct Frame final {
    Box box;
    Rgb color = 0;
    float width = 1;
    friend constexpr bool operator==(const Frame&, const Frame&) = default;
};
struct Line final {
    Point from;
    Point to;
    Rgb color = 0;
    float width = 1;
    float opacity = 1;
    friend constexpr bool operator==(const Line&, const Line&) = default;
};
/// A disc, or with a width the ring that lies inside its edge.
struct Disc final {
    Point at;  ///< its middle
    float radius = 1;
    Rgb color = 0;
    float width = 0;
    friend constexpr bool operator==(const Disc&, const Disc&) = default;
};
/// Four corners, in turn, and with an edge the line along them.
struct Quad final {
    std::array<Point, 4> corners{};
    Rgb color = 0;
    float opacity = 1;
    Rgb edge = 0;
    float edgeWidth = 0;
    float edgeOpacity = 1;
    friend constexpr bool operator==(const Quad&, const Quad&) = default;
};
/// One line of text, UTF-8.
struct Text final {
    Point at;  ///< top of the line; left, middle or right end by `align`
    std::string words;
    Face face = Face::words;
    float size = 12;  ///< line height of capital and descender, as the font's size
    Rgb color = 0;
    float align = 0;  ///< 0 left, 0.5 middle, 1 right
    friend bool operator==(const Text&, const Text&) = default;
};

using Item = std::variant<Fill, Hatch, Frame, Line, Disc, Quad, Text>;
using Items = std::vector<Item>;

/// How wide a text comes out on the target.
using TextWidth = std::function<float(std::string_view words, Face face, float size)>;

/// The neutral colours of a picture, by role; the warps' own come from the palette.
struct ColorRoles final {
    Rgb background = 0;  ///< the picture lies on it
    Rgb raised = 0;      ///< empty cells
    Rgb text = 0;
    Rgb muted = 0;  ///< secondary text, frames
    Rgb faint = 0;  ///< axis numbers, thin lines
    Rgb accent = 0;
    Rgb good = 0;
    Rgb warning = 0;
    Rgb bad = 0;
    friend constexpr bool operator==(const ColorRoles&, const ColorRoles&) = default;
};

}  // namespace warplens::drawing
