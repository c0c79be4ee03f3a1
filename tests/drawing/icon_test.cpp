#include "app/icon/icon.h"

#include <array>
#include <gtest/gtest.h>
#include <map>

#include "core/launch/mapping.h"

namespace warplens {
namespace {

/// Pixels of each colour that are wholly opaque.
std::map<Rgb, int> opaqueColors(const icon::Pixels& picture) {
    std::map<Rgb, int> counts;
    for (std::size_t i = 0; i + 3 < picture.bytes.size(); i += 4) {
        if (picture.bytes[i + 3] < 255) continue;
        ++counts[Rgb{picture.bytes[i]} << 16 | Rgb{picture.bytes[i + 1]} << 8 |
                 picture.bytes[i + 2]];
    }
    return counts;
}

TEST(Icon, ShowsTheThreadsOfItsBlockInTheColoursOfTheirWarpsAtEverySize) {
    for (const int side : {16, 22, 24, 32, 48, 64, 128, 256, 512, 1024}) {
        const icon::Pixels picture = icon::pixels(side);
        ASSERT_EQ(picture.bytes.size(), static_cast<std::size_t>(side * side * 4));
        const std::map<Rgb, int> colors = opaqueColors(picture);
        EXPECT_EQ(colors.size(), 5U) << side;  // four warps on the background
        ASSERT_TRUE(colors.contains(icon::background)) << side;
        for (std::uint32_t warp = 0; warp < warpCountPerBlock(icon::block); ++warp) {
            ASSERT_TRUE(colors.contains(colorOf(WarpRank{warp}))) << side << ", warp " << warp;
        }
        EXPECT_GT(colors.at(colorOf(WarpRank{0})), 4 * colors.at(colorOf(WarpRank{3}))) << side;
    }
}

TEST(Icon, IsTransparentOnlyAtItsRoundedCorners) {
    const icon::Pixels picture = icon::pixels(64);
    const auto opacity = [&](int x, int y) {
        return picture.bytes.at(static_cast<std::size_t>((y * picture.side + x) * 4 + 3));
    };
    for (const int x : {0, 63}) {
        for (const int y : {0, 63}) EXPECT_EQ(opacity(x, y), 0) << x << ", " << y;
    }
    for (int i = 16; i < 48; ++i) {
        EXPECT_EQ(opacity(i, 0), 255);
        EXPECT_EQ(opacity(0, i), 255);
        EXPECT_EQ(opacity(i, i), 255);
    }
}

TEST(Icon, HasARectangleForEachThreadInItsGraphic) {
    const std::string file = icon::toSvg();
    std::size_t rectangles = 0;
    for (auto at = file.find("<rect "); at != std::string::npos; at = file.find("<rect ", at + 1)) {
        ++rectangles;
    }
    EXPECT_EQ(rectangles, icon::block.count() + 1);
}

}  // namespace
}  // namespace warplens
