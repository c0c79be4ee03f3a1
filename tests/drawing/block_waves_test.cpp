#include <algorithm>
#include <gtest/gtest.h>

#include "app/drawing/lesson_pictures.h"

namespace warplens::drawing {
namespace {

DrawArea wavesArea() {
    return {.box = {10, 20, 410, 620},
            .colors = {},
            .textWidth = [](std::string_view words, Face,
                            float size) { return 0.6F * size * static_cast<float>(words.size()); },
            .textSize = 14};
}

std::vector<std::string> textsOf(const Items& items) {
    std::vector<std::string> texts;
    for (const Item& item : items) {
        if (const auto* text = std::get_if<Text>(&item)) texts.push_back(text->words);
    }
    return texts;
}

TEST(BlockWaves, AreDrawnForOneTwoFourAndAsManyAsOneWaveNeeds) {
    EXPECT_EQ(drawnMultiprocessors(16, 2), (std::vector<std::uint64_t>{1, 2, 4, 8}));
    EXPECT_EQ(drawnMultiprocessors(3, 1), (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(drawnMultiprocessors(5, 8), (std::vector<std::uint64_t>{1}));
}

TEST(LineUp, MarksAThreadAndSaysWhichLanesHaveNone) {
    const auto itemsOf = [](std::optional<ThreadRank> marked) {
        DrawArea area = wavesArea();
        area.box.right += 400;
        return prepareLineUp({.block = {40, 1, 1}, .at = 1, .marked = marked}, area);
    };
    const Items plain = itemsOf({});
    const std::vector<std::string> texts = textsOf(plain);
    EXPECT_EQ(std::ranges::count(texts, "24 lanes without a thread"), 1);
    // In the block, in the line and in its warp.
    EXPECT_EQ(itemsOf(ThreadRank{35}).size(), plain.size() + 3);
    EXPECT_EQ(itemsOf(ThreadRank{40}).size(), plain.size()) << "it is not there";
}

TEST(BlockWaves, ShowEveryBlockOnceInEachStack) {
    const std::vector<std::string> texts = textsOf(prepareBlockWaves(16, 2, wavesArea()));
    for (const char* title : {"1 SM: 8 waves", "2 SMs: 4 waves", "4 SMs: 2 waves", "8 SMs: 1 wave",
                              "A model: CUDA promises no order."}) {
        EXPECT_EQ(std::ranges::count(texts, title), 1) << title;
    }
    for (int block = 0; block < 16; ++block) {
        EXPECT_EQ(std::ranges::count(texts, std::to_string(block)), 4) << block;
    }
}

TEST(BlockWaves, AreNoWiderThanTheirArea) {
    for (const std::uint64_t blocks : {1u, 5u, 16u, 63u, 64u}) {
        for (const std::uint32_t atATime : {1u, 2u, 3u, 32u}) {
            const DrawArea drawn = wavesArea();
            for (const Item& item : prepareBlockWaves(blocks, atATime, drawn)) {
                const auto* const fill = std::get_if<Fill>(&item);
                if (fill == nullptr) continue;
                EXPECT_LE(fill->box.right, drawn.box.right + 0.01F) << blocks << " " << atATime;
            }
        }
    }
    EXPECT_TRUE(prepareBlockWaves(65, 2, wavesArea()).empty());
}

TEST(LineUp, EndsWhereThereIsNoRoom) {
    DrawArea area = wavesArea();
    area.box.right = area.box.left;
    EXPECT_FALSE(prepareLineUp({.block = {1024, 1, 1}, .told = true}, area).empty());
}

TEST(LineUpOfABlock, NamesItsSlices) {
    const Items items = prepareLineUp({.block = {2, 2, 2}, .told = false}, wavesArea());
    const std::vector<std::string> texts = textsOf(items);
    EXPECT_EQ(std::ranges::count(texts, "z = 0") + std::ranges::count(texts, "z = 1"), 2);
    const std::vector<std::string> flat =
        textsOf(prepareLineUp({.block = {8, 4, 1}, .told = false}, wavesArea()));
    EXPECT_EQ(std::ranges::count(flat, "z = 0"), 0);
}

}  // namespace
}  // namespace warplens::drawing
