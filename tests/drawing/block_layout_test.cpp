#include "app/drawing/block_layout.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

const std::vector<Extents> shapes{
    {1, 1, 1},   {31, 1, 1},  {32, 1, 1},  {33, 1, 1},   {7, 5, 1},    {4, 2, 8},
    {1, 1, 64},  {5, 7, 3},   {32, 32, 1}, {1024, 1, 1}, {1, 1024, 1}, {512, 2, 1},
    {2, 512, 1}, {1, 16, 64}, {16, 1, 64}, {1000, 1, 1}, {33, 31, 1},  {100, 10, 1},
    {2, 2, 2},   {1, 33, 1},  {341, 3, 1}, {64, 4, 4},   {1, 1, 2},    {3, 341, 1}};

TEST(BlockLayout, FindsEveryThreadUnderTheMiddleOfItsCell) {
    for (const Extents block : shapes) {
        for (const auto& [width, height] : {std::pair{700.0F, 560.0F}, std::pair{90.0F, 1400.0F}}) {
            const BlockLayout layout = layOutBlock(block, width, height, 20, 18, 72);
            for (std::uint32_t rank = 0; rank < block.count(); ++rank) {
                const Index3 thread = threadIndexInBlock({rank}, block);
                const Point corner = cornerOf(layout, thread);
                const Point middle{corner.x + layout.cell / 2, corner.y + layout.cell / 2};
                ASSERT_EQ(threadAt(layout, middle), thread) << toString(block) << " rank " << rank;
            }
        }
    }
}

TEST(BlockLayout, FindsNoThreadBetweenSlicesOrOutside) {
    const BlockLayout layout = layOutBlock({5, 7, 3}, 700, 560, 20, 18, 72);
    EXPECT_EQ(threadAt(layout, {-1, 3}), std::nullopt);
    EXPECT_EQ(threadAt(layout, {3, -1}), std::nullopt);
    EXPECT_EQ(threadAt(layout, {5 * layout.cell + 10, 3}), std::nullopt);
    EXPECT_EQ(threadAt(layout, {layout.width() + 1, 3}), std::nullopt);
    EXPECT_EQ(threadAt(layout, {3, layout.height() + 1}), std::nullopt);
}

TEST(BlockLayout, FindsNoThreadInTheIdleLanesOfAFoldedBlock) {
    const BlockLayout layout = layOutBlock({33, 1, 1}, 700, 560, 20, 18, 72);
    EXPECT_EQ(threadAt(layout, {layout.cell / 2, 1.5F * layout.cell}), (Index3{32, 0, 0}));
    EXPECT_EQ(threadAt(layout, {layout.cell * 1.5F, 1.5F * layout.cell}), std::nullopt);
}

TEST(BlockLayout, FoldsAOneDimensionalBlockIntoRowsThatAreWarps) {
    const BlockLayout layout = layOutBlock({1024, 1, 1}, 700, 560, 20, 18, 72);
    for (std::uint32_t x = 0; x < 1024; ++x) {
        const Point corner = cornerOf(layout, {x, 0, 0});
        EXPECT_EQ(corner.y, static_cast<float>(warpRankInBlock({x}).value) * layout.cell);
    }
}

TEST(BlockLayout, PutsSlicesSideBySideWhereTheyFit) {
    EXPECT_EQ(layOutBlock({5, 7, 3}, 700, 560, 20, 18, 72).columns, 3u);
}

TEST(BlockLayout, StaysInsideItsAreaForEveryShape) {
    for (const Extents block : shapes) {
        const BlockLayout layout = layOutBlock(block, 700, 560, 20, 18, 72);
        EXPECT_LE(layout.width(), 700) << toString(block);
        EXPECT_LE(layout.height(), 1024) << toString(block);  // a cell is at least a pixel
    }
}

}  // namespace
}  // namespace warplens
