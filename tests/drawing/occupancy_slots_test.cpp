#include "app/drawing/occupancy_slots.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace warplens::drawing {
namespace {

constexpr ColorRoles colors{.background = 0x101010,
                            .raised = 0x202020,
                            .text = 0xf0f0f0,
                            .muted = 0x909090,
                            .faint = 0x707070,
                            .accent = 0x3333ff,
                            .warning = 0xff8800};

DrawArea areaOf(float width, float height, float textSize = 14) {
    return {.box = {10, 20, 10 + width, 20 + height},
            .colors = colors,
            .textWidth = [](std::string_view words, Face,
                            float size) { return static_cast<float>(words.size()) * size * 0.55F; },
            .textSize = textSize};
}

OccupancySlots pictureOf(const char* capability, const BlockDemand& block,
                         const DrawArea& area = areaOf(800, 500),
                         std::optional<Point> pointer = {}) {
    return prepareOccupancySlots(smLimitsNamed(capability), block, area, pointer);
}

/// Boxes of the warp slots alone: those above the first line of words below them.
float slotsEnd(const OccupancySlots& picture) {
    for (const Item& item : picture.items) {
        const auto* text = std::get_if<Text>(&item);
        if (text != nullptr && text->color == colors.faint) return text->at.y;
    }
    return 0;
}

std::map<Rgb, int> slotsByColor(const OccupancySlots& picture) {
    std::map<Rgb, int> slots;
    for (const Item& item : picture.items) {
        const auto* fill = std::get_if<Fill>(&item);
        if (fill != nullptr && fill->opacity == 1 && fill->color != colors.background &&
            fill->box.bottom <= slotsEnd(picture)) {
            ++slots[fill->color];
        }
    }
    return slots;
}

template <class T, class Condition>
std::ptrdiff_t countOf(const OccupancySlots& picture, Condition condition) {
    return std::ranges::count_if(picture.items, [&](const Item& item) {
        const T* it = std::get_if<T>(&item);
        return it != nullptr && condition(*it);
    });
}

std::ptrdiff_t freeSlots(const OccupancySlots& picture) {
    return countOf<Frame>(picture, [&](const Frame& frame) {
        return frame.color == colors.muted && frame.box.bottom <= slotsEnd(picture);
    });
}

bool says(const OccupancySlots& picture, std::string_view words) {
    return countOf<Text>(picture, [&](const Text& text) {
               return text.words.find(words) != std::string::npos;
           }) != 0;
}

TEST(OccupancySlots, GivesEachResidentBlockItsColorAndLeavesTheRestHollow) {
    const OccupancySlots picture = pictureOf("9.0", {.threads = 256, .registersPerThread = 40});
    const auto slots = slotsByColor(picture);
    EXPECT_EQ(slots.size(), 6u);
    for (std::uint32_t block = 0; block < 6; ++block) {
        EXPECT_EQ(slots.at(colorOf(WarpRank{block})), 8);
    }
    EXPECT_EQ(freeSlots(picture), 16);
}

// 2 of the 6 blocks that fit: the slots of the other 4 are outlined, a frame for a row's part.
TEST(OccupancySlots, AreFilledByBlocksOfTheLaunchAlone) {
    const OccupancySlots picture = prepareOccupancySlots(
        smLimitsNamed("9.0"), {.threads = 256, .registersPerThread = 40}, areaOf(800, 500), {},
        GridShare{.blocks = 264, .multiprocessors = 132});
    const auto slots = slotsByColor(picture);
    EXPECT_EQ(slots.size(), 2u);
    EXPECT_EQ(slots.at(colorOf(WarpRank{1})), 8);
    EXPECT_EQ(countOf<Frame>(picture,
                             [&](const Frame& frame) {
                                 return frame.color == colors.text &&
                                        frame.box.bottom <= slotsEnd(picture);
                             }),
              4);
    EXPECT_EQ(freeSlots(picture), 16) << "no block fits there";
    EXPECT_TRUE(says(picture, "20,480 of 65,536"));
    EXPECT_TRUE(says(picture, "room for 6 blocks"));
    EXPECT_FALSE(says(picture, "no room for another block"));
}

TEST(OccupancySlots, MarksTheLimitersAndNoOtherResource) {
    const auto marked = [](const OccupancySlots& picture) {
        return countOf<Frame>(picture,
                              [](const Frame& frame) { return frame.color == colors.warning; });
    };
    EXPECT_EQ(marked(pictureOf("9.0", {.threads = 256, .registersPerThread = 40})), 1);
    EXPECT_EQ(marked(pictureOf("9.0", {.threads = 64, .registersPerThread = 32})), 3);
    const OccupancySlots registers = pictureOf("9.0", {.threads = 256, .registersPerThread = 40});
    EXPECT_TRUE(says(registers, "61,440 of 65,536"));
    EXPECT_TRUE(says(registers, "no room for another block"));
    EXPECT_TRUE(says(registers, "room for 228 blocks"));
}

// 105 threads: the fourth warp has 9, so 23 of its lanes are idle.
TEST(OccupancySlots, HatchesLanesWithoutAThread) {
    const OccupancySlots picture = pictureOf("9.0", {.threads = 105});
    const auto idle = countOf<Hatch>(
        picture, [&](const Hatch& hatch) { return hatch.box.bottom <= slotsEnd(picture); });
    EXPECT_EQ(idle, 16);
    EXPECT_EQ(countOf<Hatch>(pictureOf("9.0", {.threads = 128}),
                             [](const Hatch& hatch) { return hatch.color != colors.warning; }),
              0);
}

TEST(OccupancySlots, SaysSoWhenTheBlockCannotBeLaunched) {
    const OccupancySlots picture = pictureOf("1.3", {.threads = 1024});
    EXPECT_TRUE(says(picture, "This block cannot be launched"));
    EXPECT_TRUE(slotsByColor(picture).empty());
    EXPECT_EQ(freeSlots(picture), 32);
    EXPECT_TRUE(says(picture, "one block takes too much"));
}

TEST(OccupancySlots, StayInsideTheirSheet) {
    for (const SmLimits& limits : allSmLimits()) {
        for (const auto& [width, height, size] :
             {std::tuple{1200.0F, 700.0F, 20.0F}, std::tuple{500.0F, 330.0F, 13.0F}}) {
            const DrawArea area = areaOf(width, height, size);
            const BlockDemand block{.threads = 96, .registersPerThread = 24};
            for (const Item& item : prepareOccupancySlots(limits, block, area).items) {
                const auto inside = [&](const Box& box) {
                    EXPECT_GE(box.left, area.box.left);
                    EXPECT_GE(box.top, area.box.top);
                    EXPECT_LE(box.right, area.box.right + 0.5F);
                    EXPECT_LE(box.bottom, area.box.bottom + 0.5F) << toString(limits.capability);
                };
                if (const auto* fill = std::get_if<Fill>(&item)) inside(fill->box);
                if (const auto* frame = std::get_if<Frame>(&item)) inside(frame->box);
                if (const auto* text = std::get_if<Text>(&item)) {
                    const float wide = area.textWidth(text->words, text->face, text->size);
                    const float left = text->at.x - wide * text->align;
                    inside({left, text->at.y, left + wide, text->at.y + text->size});
                }
            }
        }
    }
}

TEST(OccupancySlots, TellWhatIsPointedAt) {
    const DrawArea area = areaOf(800, 500);
    const BlockDemand block{.threads = 105};
    // 16 slots in a row, four to a block: the fourth slot is block 0's last warp.
    const Point fourth{area.box.left + 800.0F / 16 * 3.5F, area.box.top + 5};
    EXPECT_EQ(pictureOf("9.0", block, area, fourth).pointed,
              "block 0, its warp 3 of 4\n9 threads, 23 lanes idle");
    EXPECT_EQ(pictureOf("9.0", block, area, Point{0, 0}).pointed, "");
}

TEST(OccupancySlots, TellWhatABlockTakesOfSharedMemoryBesideItsOwn) {
    const DrawArea area = areaOf(800, 500);
    const auto pointed = [&](std::uint64_t bytes) {
        for (float y = area.box.bottom; y > area.box.top; y -= 4) {
            const std::string words =
                pictureOf("9.0", {.threads = 256, .dynamicSharedBytes = bytes}, area,
                          Point{area.box.left + 5, y})
                    .pointed;
            if (words.starts_with("Shared memory")) return words.substr(0, words.find('\n'));
        }
        return std::string();
    };
    EXPECT_EQ(pointed(2048),
              "Shared memory: one block takes 3.00 KiB: 2.00 KiB of its own and 1.00 KiB that CUDA "
              "keeps for itself in each block");
    EXPECT_TRUE(pointed(2050).ends_with("in each block, rounded up as the SM does"))
        << pointed(2050);
}

TEST(BlockSizes, AreAColumnForEvery32ThreadsAsHighAsItsOccupancy) {
    const DrawArea area = areaOf(800, 100);
    const OccupancySlots picture =
        prepareBlockSizes(smLimitsNamed("9.0"), {.threads = 256, .registersPerThread = 40}, area);
    std::vector<Box> whole;
    std::vector<Box> filled;
    for (const Item& item : picture.items) {
        const auto* fill = std::get_if<Fill>(&item);
        if (fill == nullptr) continue;
        (fill->color == colors.raised ? whole : filled).push_back(fill->box);
        EXPECT_EQ(fill->color == colors.accent, filled.size() == 8 && fill->color != colors.raised);
    }
    ASSERT_EQ(whole.size(), 32u);
    ASSERT_EQ(filled.size(), 32u);
    // 40 registers leave 12 warps to each quarter of the SM: 6 blocks of 8 warps, 1 of 32.
    EXPECT_FLOAT_EQ(filled[7].height() / whole[7].height(), 48 / 64.0F);
    EXPECT_FLOAT_EQ(filled[31].height() / whole[31].height(), 32 / 64.0F);
    EXPECT_EQ(prepareBlockSizes(smLimitsNamed("9.0"), {.threads = 256, .registersPerThread = 40},
                                area, Point{area.box.left + 31.5F * 25, area.box.top + 50})
                  .pointed,
              "1,024 threads a block\n1 block resident, 32 of 64 warps: 50.0 % occupancy\n"
              "limited by registers");
}

TEST(BlockSizes, AreHatchedWhereSuchABlockCannotBeLaunched) {
    const OccupancySlots picture = prepareBlockSizes(
        smLimitsNamed("9.0"), {.threads = 256, .registersPerThread = 128}, areaOf(800, 100));
    // 65,536 registers are 128 for each of 512 threads.
    EXPECT_EQ(countOf<Hatch>(picture, [](const Hatch&) { return true; }), 16);
}

TEST(SlotRows, HaveAtMost16SlotsAndAreEquallyLong) {
    EXPECT_EQ(slotRowsOf(64), (SlotRows{4, 16}));
    EXPECT_EQ(slotRowsOf(48), (SlotRows{3, 16}));
    EXPECT_EQ(slotRowsOf(32), (SlotRows{2, 16}));
    EXPECT_EQ(slotRowsOf(24), (SlotRows{2, 12}));
}

TEST(OccupancyWords, SayTheOutcomeAndItsReason) {
    const SmLimits& limits = smLimitsNamed("9.0");
    EXPECT_EQ(occupancyInWords(limits, {.threads = 256, .registersPerThread = 40}),
              "6 blocks resident, 48 of 64 warps: 75.0 % occupancy");
    const auto with = [&](std::uint64_t blocks, std::uint32_t sms) {
        const GridShare grid{blocks, sms, "an H200"};
        const BlockDemand block{.threads = 256, .registersPerThread = 40};
        return occupancyInWords(limits, block, grid) + '\n' + limitInWords(limits, block, grid);
    };
    EXPECT_EQ(with(661, 132),
              "6 blocks resident, 48 of 64 warps: 75.0 % occupancy\nlimited by registers");
    EXPECT_EQ(with(5, 0),
              "This launch has 5 blocks, 40 of 64 warps: 62.5 % occupancy\n"
              "Room for 6 blocks, limited by registers");
    EXPECT_EQ(with(264, 132),
              "This launch has 2 blocks for each SM, 16 of 64 warps: 25.0 % occupancy\n"
              "Room for 6 blocks, limited by registers; 264 blocks on the 132 SMs of an H200");
    EXPECT_EQ(with(133, 132),
              "This launch has at most 2 blocks for each SM, 16 of 64 warps: 25.0 % occupancy\n"
              "Room for 6 blocks, limited by registers; 133 blocks on the 132 SMs of an H200: 2 "
              "for some, 1 for others");
    EXPECT_EQ(with(64, 132),
              "This launch has 1 block on each of 64 SMs, 8 of 64 warps: 12.5 % occupancy\n"
              "Room for 6 blocks, limited by registers; 64 blocks on the 132 SMs of an H200: 68 "
              "have none");
    EXPECT_EQ(limitInWords(limits, {.threads = 256, .registersPerThread = 40}),
              "limited by registers");
    EXPECT_EQ(limitInWords(limits, {.threads = 1025}), "threads per block = 1025: at most 1024");
}

TEST(OccupancySlots, SharedMemoryIsASumOfWhatBlocksAskForAndWhatTheSystemTakes) {
    const BlockDemand block{.threads = 100, .staticSharedBytes = 40960};
    EXPECT_EQ(sharedSumInWords(smLimitsNamed("9.0"), block),
              "5 × (40.0 KiB + 1.00 KiB for the system)");
    EXPECT_EQ(sharedSumInWords(smLimitsNamed("7.5"), block), "") << "it takes none there";
    EXPECT_EQ(sharedSumInWords(smLimitsNamed("9.0"), {.threads = 100}), "");
}

}  // namespace
}  // namespace warplens::drawing
