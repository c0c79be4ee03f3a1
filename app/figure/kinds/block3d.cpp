#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/kinds/kind.h"
#include "core/launch/mapping.h"

namespace warplens::figure {
namespace {

/// Seen from the front, a little from the right and above: x to the right, y down, z away.
class Corners final {
  public:
    Corners(Extents block, const Box& room) {
        const auto x = static_cast<float>(block.x);
        const auto y = static_cast<float>(block.y);
        const auto z = static_cast<float>(block.z);
        unit_ = std::min(room.width() / (x + z * across), room.height() / (y + z * up));
        unit_ = std::min(unit_, 64.0F);
        const float width = unit_ * (x + z * across);
        const float height = unit_ * (y + z * up);
        left_ = room.left + (room.width() - width) / 2;
        top_ = room.top + (room.height() - height) / 2 + unit_ * z * up;
    }
    [[nodiscard]] Point at(float x, float y, float z) const {
        return {left_ + unit_ * (x + z * across), top_ + unit_ * (y - z * up)};
    }
    [[nodiscard]] float unit() const { return unit_; }

  private:
    static constexpr float across = 0.5F;
    static constexpr float up = 0.4F;
    float unit_ = 0;
    float left_ = 0;
    float top_ = 0;
};

}  // namespace

void drawBlock3d(Canvas& canvas, const Subject& subject, const Box& whole) {
    const Extents block = subject.experiment.launch.block;
    const float word = size::name + 8;
    const Box room{whole.left + 2 * word, whole.top + word, whole.right - word,
                   whole.bottom - word};
    if (room.width() < 60 || room.height() < 60) return;
    const Corners corners(block, room);
    drawing::Items items;
    const auto colorAt = [&](Index3 thread) {
        const WarpRank warp = warpRankInBlock(threadRankInBlock(thread, block));
        return subject.warp && *subject.warp != warp
                   ? mixed(canvas.colors().background, colorOf(warp), 0.3F)
                   : colorOf(warp);
    };
    const float in = corners.unit() > 8 ? 0.03F : 0.0F;
    const auto quad = [&](std::array<std::array<float, 3>, 4> at, Rgb color) {
        drawing::Quad one{.corners = {}, .color = color};
        for (std::size_t i = 0; i < 4; ++i) {
            one.corners.at(i) = corners.at(at.at(i)[0], at.at(i)[1], at.at(i)[2]);
        }
        items.emplace_back(one);
    };
    // The top from behind, the right side, then the front: each hides what lies behind it.
    for (std::uint32_t z = block.z; z-- > 0;) {
        for (std::uint32_t x = 0; x < block.x; ++x) {
            const auto fx = static_cast<float>(x);
            const auto fz = static_cast<float>(z);
            quad({{{fx + in, 0, fz + in},
                   {fx + 1 - in, 0, fz + in},
                   {fx + 1 - in, 0, fz + 1 - in},
                   {fx + in, 0, fz + 1 - in}}},
                 mixed(colorAt({x, 0, z}), 0xffffff, 0.25F));
        }
        for (std::uint32_t y = 0; y < block.y; ++y) {
            const auto fy = static_cast<float>(y);
            const auto fz = static_cast<float>(z);
            const auto end = static_cast<float>(block.x);
            quad({{{end, fy + in, fz + in},
                   {end, fy + in, fz + 1 - in},
                   {end, fy + 1 - in, fz + 1 - in},
                   {end, fy + 1 - in, fz + in}}},
                 mixed(colorAt({block.x - 1, y, z}), 0x000000, 0.25F));
        }
    }
    for (std::uint32_t y = 0; y < block.y; ++y) {
        for (std::uint32_t x = 0; x < block.x; ++x) {
            const auto fx = static_cast<float>(x);
            const auto fy = static_cast<float>(y);
            quad({{{fx + in, fy + in, 0},
                   {fx + 1 - in, fy + in, 0},
                   {fx + 1 - in, fy + 1 - in, 0},
                   {fx + in, fy + 1 - in, 0}}},
                 colorAt({x, y, 0}));
        }
    }
    canvas.add(std::move(items), whole);
    // Numbers of warps where a face has room, and the three axes.
    for (std::uint32_t y = 0; y < block.y && corners.unit() >= 26; ++y) {
        for (std::uint32_t x = 0; x < block.x; ++x) {
            const WarpRank warp = warpRankInBlock(threadRankInBlock({x, y, 0}, block));
            const Point from = corners.at(static_cast<float>(x), static_cast<float>(y), 0);
            canvas.write({from.x, from.y, from.x + corners.unit(), from.y + corners.unit()},
                         {std::to_string(warp.value), Face::strong, size::smallest,
                          inkOn(colorAt({x, y, 0}))},
                         0.5F);
        }
    }
    const auto axis = [&](const char* name, std::uint32_t count, Point at) {
        const std::string words = std::string(name) + " 0 … " + std::to_string(count - 1);
        const Words label{words, Face::words, size::name, canvas.colors().text};
        canvas.write({at.x, at.y, at.x + canvas.width(label) + 1, at.y + size::name}, label);
    };
    const Point below = corners.at(0, static_cast<float>(block.y), 0);
    axis("x", block.x, {below.x, below.y + 6});
    const Point side = corners.at(0, static_cast<float>(block.y) / 2, 0);
    const float width = canvas.width({"y 0 … 1023", Face::words, size::name, 0});
    axis("y", block.y, {std::max(whole.left, side.x - width), side.y});
    // Below the right side's lower edge.
    const Point back = corners.at(static_cast<float>(block.x), static_cast<float>(block.y),
                                  static_cast<float>(block.z) / 2);
    axis("z", block.z, {back.x + 10, back.y + 6});
}

}  // namespace warplens::figure
