#include "app/icon/icon.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "core/launch/mapping.h"

namespace warplens::icon {
namespace {

/// Cells on a square with rounded corners; lengths in pixels.
struct Plan final {
    int side;
    int margin = std::max(1, side / 12);
    int gap = side < 48 ? 0 : std::max(1, side / 80);
    float radius = 0.18F * static_cast<float>(side);

    /// Where cell `index` of a row or column of `count` begins.
    [[nodiscard]] int begin(std::uint32_t index, std::uint32_t count) const {
        const int room = side - 2 * margin + gap;
        return margin + (2 * static_cast<int>(index) * room + static_cast<int>(count)) /
                            (2 * static_cast<int>(count));
    }
    [[nodiscard]] int end(std::uint32_t index, std::uint32_t count) const {
        return begin(index + 1, count) - gap;
    }
    /// Whether a point lies on the background.
    [[nodiscard]] bool covers(float x, float y) const {
        const float far = static_cast<float>(side) - radius;
        const float dx = x - std::clamp(x, radius, far);
        const float dy = y - std::clamp(y, radius, far);
        return dx * dx + dy * dy <= radius * radius;
    }
    /// The share of a pixel that lies on the background, 0 .. 255.
    [[nodiscard]] std::uint8_t opacity(int x, int y) const {
        constexpr int samples = 8;  // along each axis
        int inside = 0;
        for (int i = 0; i < samples * samples; ++i) {
            const auto offset = [](int step) {
                return (static_cast<float>(step) + 0.5F) / samples;
            };
            inside += covers(static_cast<float>(x) + offset(i % samples),
                             static_cast<float>(y) + offset(i / samples))
                          ? 1
                          : 0;
        }
        return static_cast<std::uint8_t>(255 * inside / (samples * samples));
    }
};

Rgb colorAt(std::uint32_t x, std::uint32_t y) {
    return colorOf(warpRankInBlock(threadRankInBlock({x, y, 0}, block)));
}

}  // namespace

Pixels pixels(int side) {
    assert(side >= 16 && side <= 1024);
    const Plan plan{side};
    Pixels picture{side, std::vector<std::uint8_t>(static_cast<std::size_t>(side * side * 4))};
    const auto put = [&](int x, int y, Rgb color, std::uint8_t opacity) {
        std::uint8_t* const at = &picture.bytes[static_cast<std::size_t>((y * side + x) * 4)];
        at[0] = static_cast<std::uint8_t>(color >> 16);
        at[1] = static_cast<std::uint8_t>(color >> 8 & 255);
        at[2] = static_cast<std::uint8_t>(color & 255);
        at[3] = opacity;
    };
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) put(x, y, background, plan.opacity(x, y));
    }
    for (std::uint32_t row = 0; row < block.y; ++row) {
        for (std::uint32_t column = 0; column < block.x; ++column) {
            for (int y = plan.begin(row, block.y); y < plan.end(row, block.y); ++y) {
                for (int x = plan.begin(column, block.x); x < plan.end(column, block.x); ++x) {
                    put(x, y, colorAt(column, row), plan.opacity(x, y));
                }
            }
        }
    }
    return picture;
}

std::string toSvg() {
    const Plan plan{256};
    std::string file;
    const auto rectangle = [&](int left, int top, int right, int bottom, int radius, Rgb color) {
        char text[160];
        std::snprintf(text, sizeof text,
                      R"(<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="#%06x"/>)"
                      "\n",
                      left, top, right - left, bottom - top, radius, color);
        file += text;
    };
    file +=
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256">)"
        "\n<title>Warplens</title>\n";
    rectangle(0, 0, plan.side, plan.side, static_cast<int>(plan.radius), background);
    for (std::uint32_t row = 0; row < block.y; ++row) {
        for (std::uint32_t column = 0; column < block.x; ++column) {
            rectangle(plan.begin(column, block.x), plan.begin(row, block.y),
                      plan.end(column, block.x), plan.end(row, block.y), 2, colorAt(column, row));
        }
    }
    return file + "</svg>\n";
}

}  // namespace warplens::icon
