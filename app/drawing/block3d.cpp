#include <cmath>

#include "app/drawing/block3d_layout.h"

namespace warplens::drawing {
namespace {

/// Of a side of a cube: its warp's own in front, lighter above, darker at the sides.
Rgb shadedColor(const Block3dFace& face) {
    const Rgb color = colorOf(warpRankInBlock({face.rank}));
    if (face.axis == 2) return color;
    if (face.axis == 1 && !face.high) return mixed(color, 0xffffff, 0.2F);
    return mixed(color, 0x000000, face.axis == 0 ? 0.24F : 0.36F);
}

/// Where the line x + y = sum enters and leaves the quad; none where it passes by.
std::optional<std::pair<Point, Point>> across(const std::array<Point, 4>& corners, float sum) {
    std::vector<Point> met;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point from = corners.at(i);
        const Point to = corners.at((i + 1) % corners.size());
        const float before = from.x + from.y - sum;
        const float after = to.x + to.y - sum;
        if ((before < 0) == (after < 0)) continue;
        const float share = before / (before - after);
        met.push_back({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
    }
    if (met.size() < 2) return std::nullopt;
    return std::pair{met[0], met[1]};
}

class Composer final {
  public:
    Composer(Block3dPicture& picture, const Block3dView& view, const Block3dLook& look,
             const DrawArea& area)
        : picture_(picture), items_(picture.items), view_(view), look_(look), area_(area) {
        const glm::vec3 middle = (picture.layout.low + picture.layout.high) / 2.0F;
        for (std::uint8_t axis = 0; axis < 3; ++axis) {
            const auto corners = cornersOf({.axis = axis, .corner = middle - 0.5F});
            const Point u{corners[1].x - corners[0].x, corners[1].y - corners[0].y};
            const Point v{corners[3].x - corners[0].x, corners[3].y - corners[0].y};
            const float longest = std::max(std::hypot(u.x, u.y), std::hypot(v.x, v.y));
            heights_.at(axis) = longest > 0 ? std::abs(u.x * v.y - u.y * v.x) / longest : 0;
        }
    }

    void draw() {
        const Block3dLayout& layout = picture_.layout;
        const auto faces = facesTowards(layout, picture_.camera.eye, look_.held);
        for (const Block3dFace& face : faces) drawFace(face);
        for (const Block3dFace& face : faces) drawNumber(face);
        for (const Block3dAxis& axis : axesOf(layout, view_, picture_.camera)) drawAxis(axis);
        if (look_.thread) outline(threadRankInBlock(*look_.thread, layout.block).value);
    }

  private:
    /// So many pixels of a window whose small words are 14.5 pixels high.
    [[nodiscard]] float u(float pixels) const { return pixels * area_.textSize / 14.5F; }
    [[nodiscard]] Point at(Point point) const {
        return {area_.box.left + point.x, area_.box.top + point.y};
    }
    [[nodiscard]] std::array<Point, 4> cornersOf(const Block3dFace& face) const {
        const auto corner = [&](float a, float b) {
            return at(picture_.camera.project(face.at(a, b)));
        };
        return {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
    }
    [[nodiscard]] bool isWasted(std::uint32_t rank) const {
        return rank < picture_.layout.block.count() &&
               (look_.wasted.at(rank / lanesPerWarp) >> rank % lanesPerWarp & 1) != 0;
    }

    void drawFace(const Block3dFace& face) {
        const Rgb background = area_.colors.background;
        const auto faded = [&](Rgb color) { return mixed(background, color, look_.fade); };
        const float line = std::max(1.0F, std::round(u(1)));
        // Lines give way where they would hide the cubes.
        const float strength = std::clamp(heights_.at(face.axis) / (4 * line) - 0.5F, 0.0F, 1.0F);
        const bool wasted = isWasted(face.rank);
        const Rgb color = shadedColor(face);
        Quad quad{.corners = cornersOf(face), .color = faded(color), .edgeWidth = line};
        switch (face.layer) {
            case Block3dLayer::full:
                if (wasted) quad.color = faded(mixed(background, color, 0.45F));
                quad.edge = mixed(quad.color, background, strength);
                quad.edgeWidth = 2 * line;
                break;
            case Block3dLayer::receded:
                quad.opacity = wasted ? 0.05F : 0.11F;
                quad.edge = quad.color;
                quad.edgeOpacity = 0.3F * strength;
                break;
            case Block3dLayer::hollow:
                quad.opacity = 0;
                quad.edge = faded(area_.colors.faint);
                quad.edgeOpacity = strength;
                break;
        }
        items_.emplace_back(quad);
        if (!wasted || face.layer != Block3dLayer::full) return;
        drawStripes(quad.corners, faded(mixed(background, color, 0.88F)));
        quad.opacity = 0;
        items_.emplace_back(quad);
    }

    /// Those of neighbours meet.
    void drawStripes(const std::array<Point, 4>& corners, Rgb color) {
        const float apart = u(6);
        const auto sum = [](Point point) { return point.x + point.y; };
        const auto [least, most] = std::ranges::minmax(corners, {}, sum);
        for (float at = std::ceil(sum(least) / apart) * apart; at < sum(most); at += apart) {
            if (const auto ends = across(corners, at)) {
                items_.emplace_back(Line{ends->first, ends->second, color, 0.35F * apart});
            }
        }
    }

    /// Of one size on all faces across an axis.
    void drawNumber(const Block3dFace& face) {
        const float size = std::min(u(20.4F), 0.62F * heights_.at(face.axis));
        if (face.layer != Block3dLayer::full || look_.fade < 1 || size < look_.smallestDigits) {
            return;
        }
        const Point centre = picture_.camera.project(face.centre());
        // Only warps that are apart can hide one another's faces.
        if (picture_.layout.apart &&
            cubeAt(picture_.layout, picture_.camera, centre, look_.held) != face.rank) {
            return;
        }
        const Rgb ink = isWasted(face.rank) ? area_.colors.text : inkOn(shadedColor(face));
        write(at(centre), std::to_string(warpRankInBlock({face.rank}).value), Face::strong, size,
              ink);
    }

    /// Its middle lies at the point.
    void write(Point middle, std::string words, Face face, float size, Rgb color) {
        items_.emplace_back(
            Text{{middle.x, middle.y - size / 2}, std::move(words), face, size, color, 0.5F});
    }

    void drawAxis(const Block3dAxis& axis) {
        const Point out = axis.outward;
        const auto beside = [&](Point point, float distance) {
            return at({point.x + out.x * distance, point.y + out.y * distance});
        };
        const float length = std::hypot(axis.to.x - axis.from.x, axis.to.y - axis.from.y);
        const float small = u(13.5F);
        // Numbers every 1, 2, 4, 8 … cubes, as far apart as they need along this axis.
        const float wide = area_.textWidth("000", Face::numbers, small);
        const float room = 1.2F * (std::abs(out.y) * wide + std::abs(out.x) * small);
        const float step = length / static_cast<float>(std::max<std::size_t>(1, axis.ticks.size()));
        std::size_t every = 1;
        while (static_cast<float>(every) * step < room && every < axis.ticks.size()) every *= 2;
        for (std::size_t i = 0; i < axis.ticks.size(); i += every) {
            write(beside(axis.ticks[i].at, u(14)), std::to_string(axis.ticks[i].number),
                  Face::numbers, small, area_.colors.faint);
        }
        const float away = u(axis.ticks.empty() ? 12 : 29);
        const Point from = beside(axis.from, away);
        const Point to = beside(axis.to, away);
        const float head = u(7);
        const Point along{(axis.to.x - axis.from.x) / length, (axis.to.y - axis.from.y) / length};
        const Point neck{to.x - along.x * head, to.y - along.y * head};
        const Rgb color = area_.colors.muted;
        items_.emplace_back(Line{from, neck, color, u(1.5F)});
        items_.emplace_back(Quad{{{to,
                                   {neck.x + out.x * head / 2, neck.y + out.y * head / 2},
                                   neck,
                                   {neck.x - out.x * head / 2, neck.y - out.y * head / 2}}},
                                 color});
        nameAxis(axis, {(from.x + to.x) / 2, (from.y + to.y) / 2});
    }

    /// Beside the middle of the arrow, on the outer side: in two lines at the left and right, where
    /// there is little width.
    void nameAxis(const Block3dAxis& axis, Point middle) {
        const Box& box = area_.box;
        const Point out = axis.outward;
        const float size = area_.textSize;
        std::vector<std::string> lines{axis.name + "  " + axis.extent};
        // Little room: below, the names of two axes stand side by side.
        if (box.width() < u(400)) lines = {axis.name};
        if (std::abs(out.x) > 0.8F) lines = {axis.name, axis.extent};
        const auto widest = [&] {
            float most = 0;
            for (const std::string& line : lines)
                most = std::max(most, area_.textWidth(line, Face::words, size));
            return most;
        };
        // `y` alone where its whole name would lie over the arrow.
        const float room = out.x < 0 ? middle.x - box.left : box.right - middle.x;
        if (std::abs(out.x) > 0.5F && widest() + u(8) > room)
            lines = {axis.name.substr(axis.name.rfind('.') + 1), axis.extent};
        const float width = widest();
        const float height = size * static_cast<float>(lines.size());
        const float clear = u(8) + std::abs(out.x) * width / 2 + std::abs(out.y) * height / 2;
        const auto within = [](float at, float low, float high) {
            return std::clamp(at, low, std::max(low, high));
        };
        middle = {within(middle.x + out.x * clear, box.left + width / 2, box.right - width / 2),
                  within(middle.y + out.y * clear, box.top + height / 2, box.bottom - height / 2)};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const float down = (static_cast<float>(i) + 0.5F) * size - height / 2;
            write({middle.x, middle.y + down}, lines[i], Face::words, size, area_.colors.muted);
        }
    }

    /// A line round the sides of a cube that look this way, through whatever lies before it.
    void outline(std::uint32_t rank) {
        const auto& cubes = picture_.layout.cubes;
        const auto cube = std::ranges::find(cubes, rank, &Block3dCube::rank);
        if (cube == cubes.end()) return;
        Block3dLayout alone;
        alone.block = picture_.layout.block;
        alone.cubes = {*cube};
        const auto faces = facesTowards(alone, picture_.camera.eye, {});
        for (const auto& [color, width] :
             {std::pair(area_.colors.background, 5.0F), std::pair(area_.colors.text, 2.0F)}) {
            for (const Block3dFace& face : faces) {
                items_.emplace_back(Quad{.corners = cornersOf(face),
                                         .opacity = 0,
                                         .edge = color,
                                         .edgeWidth = u(width)});
            }
        }
    }

    Block3dPicture& picture_;
    Items& items_;
    const Block3dView& view_;
    const Block3dLook& look_;
    const DrawArea& area_;
    std::array<float, 3> heights_{};  ///< of the faces across each axis, in the middle of the block
};

}  // namespace

Block3dPicture prepareBlock3d(Extents block, const Block3dView& view, const Block3dLook& look,
                              const DrawArea& area) {
    Block3dPicture picture{.items = {}, .layout = layOutBlock3d(block, view), .camera = {}};
    const float u = area.textSize / 14.5F;
    const float width = area.box.width();
    const float height = area.box.height();
    // The axes stand at the left and below.
    picture.camera = lookAt(picture.layout, view,
                            {.width = width,
                             .height = height,
                             .left = std::min(112 * u, width * 0.2F),
                             .right = std::min(60 * u, width * 0.1F),
                             .above = 8 * u,
                             .below = std::min(58 * u, height * 0.3F),
                             .largestCube = 84 * u});
    Composer(picture, view, look, area).draw();
    return picture;
}

}  // namespace warplens::drawing
