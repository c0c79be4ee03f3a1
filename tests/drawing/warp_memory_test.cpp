#include "app/drawing/warp_memory.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "core/access/line_cost.h"

namespace warplens::drawing {
namespace {

/// Every colour that a role has is no other's.
constexpr ColorRoles colors{.background = 0x010101,
                            .raised = 0x020202,
                            .text = 0x030303,
                            .muted = 0x040404,
                            .faint = 0x050505,
                            .accent = 0x060606,
                            .warning = 0x070707,
                            .bad = 0x080808};

float widthOf(std::string_view words, Face, float size) {
    const auto continued = std::ranges::count_if(words, [](char c) { return (c & 0xc0) == 0x80; });
    return 0.58F * size * static_cast<float>(static_cast<std::ptrdiff_t>(words.size()) - continued);
}

struct Size final {
    const char* name;
    float width;
    float height;
};
/// The panel at 1920x1080 and at 1280x720, and a slide.
constexpr Size sizes[]{{"large", 680, 230}, {"small", 450, 165}, {"slide", 1200, 400}};

DrawArea areaOf(const Size& size) {
    return {.box = {100, 50, 100 + size.width, 50 + size.height},
            .colors = colors,
            .textWidth = widthOf,
            .textSize = 12};
}

template <class Kind>
std::vector<Kind> all(const Items& items) {
    std::vector<Kind> found;
    for (const Item& item : items) {
        if (const auto* one = std::get_if<Kind>(&item)) found.push_back(*one);
    }
    return found;
}

float heightOf(const Fill& fill) {
    return fill.box.height();
}

WarpTrace traceOf(const char* scenario, WarpRank warp = {}) {
    return traceWarp({initialExperiment(scenarioNamed(scenario)), {}, warp});
}

/// The place of the first step of a kind.
std::size_t firstOf(const WarpTrace& trace, StepKind kind) {
    const auto found = std::ranges::find(trace.steps, kind, &WarpStep::kind);
    return static_cast<std::size_t>(found - trace.steps.begin());
}

/// The shades of the lanes below their strip, which is as high as its first cell.
std::vector<Fill> shadesBelowLanes(const Items& items, const WarpTrace& trace, std::uint32_t lane) {
    std::vector<Fill> found = all<Fill>(items);
    const Rgb shade = laneShade(trace.place.warp, {lane});
    std::erase_if(found, [&](const Fill& fill) { return fill.color != shade; });
    if (found.empty()) return found;
    const float strip =
        std::ranges::min(found, {}, [](const Fill& f) { return f.box.top; }).box.top;
    std::erase_if(found, [&](const Fill& fill) { return fill.box.top == strip; });
    return found;
}

void expectInside(const Items& items, const Box& box, const std::string& what) {
    const auto inside = [&](float left, float top, float right, float bottom) {
        return left >= box.left - 0.5F && top >= box.top - 0.5F && right <= box.right + 0.5F &&
               bottom <= box.bottom + 0.5F;
    };
    for (const Item& item : items) {
        std::visit(
            [&](const auto& one) {
                using Kind = std::decay_t<decltype(one)>;
                if constexpr (std::is_same_v<Kind, Text>) {
                    const float width = widthOf(one.words, one.face, one.size);
                    const float left = one.at.x - one.align * width;
                    EXPECT_TRUE(inside(left, one.at.y, left + width, one.at.y + one.size))
                        << what << ": '" << one.words << "' at " << left << ", " << one.at.y;
                } else if constexpr (std::is_same_v<Kind, Line>) {
                    EXPECT_TRUE(inside(one.from.x, one.from.y, one.to.x, one.to.y)) << what;
                } else if constexpr (std::is_same_v<Kind, Quad>) {
                    for (const Point& corner : one.corners) {
                        EXPECT_TRUE(inside(corner.x, corner.y, corner.x, corner.y)) << what;
                    }
                } else if constexpr (std::is_same_v<Kind, Disc>) {
                    EXPECT_TRUE(inside(one.at.x - one.radius, one.at.y - one.radius,
                                       one.at.x + one.radius, one.at.y + one.radius))
                        << what;
                } else {
                    EXPECT_TRUE(inside(one.box.left, one.box.top, one.box.right, one.box.bottom))
                        << what << ": " << one.box.left << ' ' << one.box.top << ' '
                        << one.box.right << ' ' << one.box.bottom;
                }
            },
            item);
    }
}

void expectSectors(const Items& items, const WarpTrace& trace, const WarpStep& step,
                   const std::string& what) {
    const LineCost cost = costOf(step);
    std::vector<Fill> sectors = all<Fill>(items);
    std::erase_if(sectors, [](const Fill& fill) { return fill.color != colors.raised; });
    ASSERT_FALSE(sectors.empty()) << what;
    // The plates under lane numbers are lower.
    const float high = std::ranges::max(sectors, {}, heightOf).box.height();
    std::erase_if(sectors, [&](const Fill& fill) { return heightOf(fill) < high - 0.5F; });
    EXPECT_EQ(sectors.size(), cost.sectors) << what;
    const float byte = sectors.front().box.width() / 32;
    float hatched = 0;
    for (const Hatch& hatch : all<Hatch>(items)) hatched += hatch.box.width() / byte;
    const auto fetched = static_cast<double>(cost.sectors * bytesPerSector);
    EXPECT_NEAR(hatched, fetched - static_cast<double>(cost.uniqueBytes), fetched / 640) << what;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        if ((step.active >> lane & 1) == 0) continue;
        std::uint32_t sharing = 0;
        for (std::uint32_t other = 0; other < lanesPerWarp; ++other) {
            sharing +=
                (step.active >> other & 1) != 0 && step.offsets.at(other) == step.offsets.at(lane);
        }
        if (sharing > 1) continue;
        float bytes = 0;
        for (const Fill& fill : shadesBelowLanes(items, trace, lane)) {
            bytes += (fill.box.width() + 1) / byte;
        }
        EXPECT_NEAR(bytes, step.bytes, 1.2F / byte) << what << " lane " << lane;
    }
}

void expectBanks(const Items& items, const WarpTrace& trace, const WarpStep& step,
                 const std::string& what) {
    // Below them the array's rows may stand.
    float end = 1e9F;
    for (const Text& text : all<Text>(items)) {
        if (text.words.find("a column for each bank") != std::string::npos) end = text.at.y;
    }
    std::set<float> rows;
    const auto add = [&](const Fill& fill) {
        if (fill.box.top < end) rows.insert(fill.box.top);
    };
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        for (const Fill& fill : shadesBelowLanes(items, trace, lane)) add(fill);
    }
    // Words that several lanes share have the colour of the warp.
    for (const Fill& fill : all<Fill>(items)) {
        if (fill.color == colorOf(trace.place.warp)) add(fill);
    }
    EXPECT_EQ(rows.size(), costOf(step).wavefronts) << what;
}

TEST(WarpMemory, EveryScenarioIsDrawnAsItsCostsAreCounted) {
    for (const Scenario& scenario : allScenarios()) {
        const Experiment experiment = initialExperiment(scenario);
        const std::uint32_t last = warpCountPerBlock(experiment.launch.block) - 1;
        for (const WarpRank warp : {WarpRank{0}, WarpRank{last}}) {
            const WarpTrace trace = traceWarp({experiment, {}, warp});
            ASSERT_EQ(trace.failure, "") << scenario.id;
            for (std::size_t i = 0; i < std::min<std::size_t>(trace.steps.size(), 60); ++i) {
                const WarpStep& step = trace.steps[i];
                for (const Size& size : sizes) {
                    const std::string what = std::string(scenario.id) + " warp " +
                                             std::to_string(warp.value) + " step " +
                                             std::to_string(i) + ' ' + size.name;
                    const DrawArea area = areaOf(size);
                    const Items items = prepareWarpMemory(trace, i, area).items;
                    EXPECT_LT(items.size(), 2000u) << what;
                    expectInside(items, area.box, what);
                    if (step.kind == StepKind::branch) continue;
                    if (step.isShared()) {
                        expectBanks(items, trace, step, what);
                    } else {
                        expectSectors(items, trace, step, what);
                    }
                }
                if (HasFailure()) return;
            }
        }
    }
}

// Of sectors with two lanes each and most bytes unused, some used to be named and some not.
TEST(WarpMemory, TheLanesOfAllSectorsAreNamedOrThoseOfNone) {
    const WarpTrace trace = traceOf("matadd-swapped");
    const std::size_t load = firstOf(trace, StepKind::load);
    std::size_t named = 0;
    for (float width = 420; width <= 1200; width += 7) {
        const DrawArea area = areaOf({"", width, 230});
        std::set<std::string> lanes;
        for (const Text& text : all<Text>(prepareWarpMemory(trace, load, area, {}).items)) {
            if (text.at.y < area.box.top + 40) continue;  // the title, and the lanes above
            std::istringstream words(text.words);
            for (std::string word; words >> word;) {
                if (word.size() <= 2 && std::isdigit(word[0]) != 0) lanes.insert(word);
            }
        }
        lanes.erase(lanes.size() == 1 ? "0" : "");  // the first address
        for (const float height : {150.0F, 190.0F, 230.0F}) {
            const DrawArea low = areaOf({"", width, height});
            const auto texts = all<Text>(prepareWarpMemory(trace, load, low, {}).items);
            EXPECT_TRUE(std::ranges::any_of(
                texts, [](const Text& text) { return text.words.starts_with("byte"); }))
                << "no address at " << width << " x " << height;
        }
        EXPECT_TRUE(lanes.empty() || lanes.size() == lanesPerWarp)
            << lanes.size() << " of the lanes at " << width;
        named += lanes.empty() ? 0 : 1;
    }
    EXPECT_GT(named, 80U) << "widths at which lanes are named";
}

TEST(WarpMemory, TheWordsAreTheCountsOfTheRequest) {
    const WarpTrace trace = traceOf("matadd-swapped");
    const WarpStep& step = trace.steps[firstOf(trace, StepKind::load)];
    EXPECT_EQ(titleOf(trace, step), "Warp 0 loads from a");
    const CostWords words = costWords(trace, step);
    EXPECT_EQ(words.full,
              "16 sectors of 32 bytes in 16 lines of 128 bytes; 25.0 % of the fetched bytes used");
    EXPECT_TRUE(words.wasteful);
    const Items items = prepareWarpMemory(trace, 1, areaOf(sizes[2])).items;
    const auto texts = all<Text>(items);
    EXPECT_NE(std::ranges::find(texts, words.full, &Text::words), texts.end());
    const WarpStep& store = trace.steps[firstOf(trace, StepKind::store)];
    EXPECT_TRUE(costWords(trace, store).full.ends_with("% of their bytes written"));
}

TEST(WarpMemory, FourValuesALaneAndOneByteALaneHaveTheirWidths) {
    const WarpTrace vector = traceOf("access-float4");
    const std::size_t load = firstOf(vector, StepKind::load);
    EXPECT_EQ(vector.steps[load].bytes, 16u);
    EXPECT_EQ(costWords(vector, vector.steps[load]).full,
              "16 sectors of 32 bytes in 4 lines of 128 bytes; 100.0 % of the fetched bytes used");
    EXPECT_FALSE(costWords(vector, vector.steps[load]).wasteful);

    WarpTrace narrow = traceOf("elementwise-1d");
    WarpStep step = narrow.steps[firstOf(narrow, StepKind::load)];
    step.bytes = 1;
    for (std::uint32_t lane = 0; lane < 32; ++lane) step.offsets.at(lane) = 3 * lane;
    narrow.steps = {step};
    for (const Size& size : sizes) {
        const Items items = prepareWarpMemory(narrow, 0, areaOf(size)).items;
        expectSectors(items, narrow, step, size.name);
    }
    EXPECT_EQ(costWords(narrow, step).brief, "3 sectors, 1 line, 33.3 % used");
}

TEST(WarpMemory, NumbersOfLanesAreLeftOutAtRegularDistances) {
    const WarpTrace trace = traceOf("elementwise-1d");
    for (float width = 200; width < 900; width += 7) {
        const DrawArea area = areaOf({"", width, 200});
        std::map<float, std::vector<int>> rows;  // the lanes' is the highest
        for (const Text& text : all<Text>(prepareWarpMemory(trace, 0, area).items)) {
            if (std::ranges::all_of(text.words, [](char c) { return c >= '0' && c <= '9'; }))
                rows[text.at.y].push_back(std::stoi(text.words));
        }
        const std::vector<int>& lanes = rows.begin()->second;
        ASSERT_GE(lanes.size(), 4u) << width;
        for (std::size_t i = 1; i < lanes.size(); ++i) {
            EXPECT_EQ(lanes[i] - lanes[i - 1], lanes[1] - lanes[0]) << width;
        }
    }
}

TEST(WarpMemory, AByteThatIsUsedAloneCanBeSeenAndIsNotWrittenOver) {
    WarpTrace trace = traceOf("elementwise-1d");
    WarpStep step = trace.steps[firstOf(trace, StepKind::store)];
    step.bytes = 1;
    for (std::uint32_t lane = 0; lane < 32; ++lane) step.offsets.at(lane) = 48 * lane + lane % 2;
    trace.steps = {step};
    for (const Size& size : sizes) {
        const DrawArea area = areaOf(size);
        for (const Items& items :
             {prepareWarpMemory(trace, 0, area).items, prepareSectorGrid(trace, 0, area)}) {
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const auto marks = shadesBelowLanes(items, trace, lane);
                ASSERT_EQ(marks.size(), 1u) << size.name << ", lane " << lane;
                const Box& mark = marks[0].box;
                EXPECT_GT(mark.width(), 1.5F) << size.name << ", lane " << lane;
                for (const Fill& plate : all<Fill>(items)) {
                    const bool isName = plate.color == colors.raised && plate.box.width() < 40 &&
                                        plate.box.left > mark.left - 0.01F &&
                                        plate.box.top > mark.top + 0.01F;
                    if (!isName) continue;
                    EXPECT_FALSE(plate.box.left < mark.right - 0.01F &&
                                 plate.box.top < mark.bottom && plate.box.bottom > mark.top)
                        << size.name << ", lane " << lane;
                }
            }
        }
    }
}

TEST(WarpMemory, AllLanesOnOneWordTakeOneSectorOfTheirCommonColour) {
    const WarpTrace trace = traceOf("matmul-coalesced");
    const std::size_t load = firstOf(trace, StepKind::load);
    EXPECT_EQ(costWords(trace, trace.steps[load]).brief, "1 sector, 1 line, 12.5 % used");
    const Items items = prepareWarpMemory(trace, load, areaOf(sizes[0])).items;
    const auto texts = all<Text>(items);
    EXPECT_NE(std::ranges::find(texts, "0–31", &Text::words), texts.end());
}

TEST(WarpMemory, AConflictIsNamedWithItsBank) {
    const WarpTrace trace = traceOf("shared-banks", {3});
    const std::size_t load = firstOf(trace, StepKind::sharedLoad);
    EXPECT_EQ(costWords(trace, trace.steps[load]).full,
              "32 wavefronts, fewest 1: bank 3 must give 32 different words one after another");
    const Items items = prepareWarpMemory(trace, load, areaOf(sizes[0])).items;
    const auto texts = all<Text>(items);
    EXPECT_NE(std::ranges::find(texts, "bank 3: lanes 0–31: 32 different words → 32 wavefronts",
                                &Text::words),
              texts.end());
    // On two lines where one is too long for the room, and lines lead from each lane to the bank.
    const Items narrow =
        prepareWarpMemory(
            trace, load,
            {{0, 0, 560, 400}, areaOf(sizes[0]).colors, areaOf(sizes[0]).textWidth, 22})
            .items;
    for (const char* const words : {"bank 3: lanes 0–31:", "32 different words → 32 wavefronts"})
        EXPECT_EQ(std::ranges::count(all<Text>(narrow), words, &Text::words), 1) << words;
    EXPECT_EQ(all<Line>(narrow).size(), 32U);
    // Atomics at one word wait, though it is one.
    WarpTrace atomics = trace;
    atomics.steps = {trace.steps[load]};
    atomics.steps[0].kind = StepKind::sharedAtomic;
    atomics.steps[0].offsets.fill(trace.steps[load].offsets[0]);
    const auto told = all<Text>(prepareWarpMemory(atomics, 0, areaOf(sizes[0])).items);
    EXPECT_EQ(std::ranges::count(told, "bank 3: lanes 0–31: 1 word → 32 wavefronts", &Text::words),
              1);
    const WarpTrace padded = traceOf("shared-banks-padded", {3});
    EXPECT_EQ(costWords(padded, padded.steps[firstOf(padded, StepKind::sharedLoad)]).full,
              "1 wavefront: no two lanes want different words of one bank");
}

/// Of those that store one stays: a race shows where it is, though the store takes one wavefront.
TEST(WarpMemory, SeveralLanesThatStoreToOneWordAreMarked) {
    WarpTrace trace = traceOf("shared-banks-padded");
    trace.steps = {trace.steps[firstOf(trace, StepKind::sharedStore)]};
    WarpStep& step = trace.steps[0];
    const DrawArea area = areaOf(sizes[0]);
    const auto marked = [&] {
        return std::ranges::count(all<Frame>(prepareWarpMemory(trace, 0, area).items),
                                  area.colors.warning, &Frame::color);
    };
    const std::string apart = "1 wavefront: no two lanes want different words of one bank";
    EXPECT_EQ(marked(), 0);
    EXPECT_EQ(costWords(trace, step).full, apart);
    step.offsets[1] = step.offsets[5] = step.offsets[0];
    EXPECT_EQ(marked(), 1);
    EXPECT_EQ(costWords(trace, step).full, "1 wavefront; up to 3 lanes write one word at once");
    step.kind = StepKind::sharedLoad;
    EXPECT_EQ(marked(), 0);
    EXPECT_EQ(costWords(trace, step).full, apart);
}

/// A load of constant memory by all lanes, each `apart` bytes behind the lane before.
WarpTrace traceOfConstants(std::uint32_t apart) {
    WarpTrace trace = traceOf("elementwise-1d");
    WarpStep step = trace.steps[firstOf(trace, StepKind::load)];
    step.kind = StepKind::constantLoad;
    for (std::uint32_t lane = 0; lane < 32; ++lane) step.offsets.at(lane) = apart * (lane / 2 * 2);
    trace.steps = {step};
    return trace;
}

TEST(WarpMemory, ConstantMemoryServesOneAddressATurn) {
    const WarpTrace one = traceOfConstants(0);
    EXPECT_EQ(costOf(one.steps[0]).wavefronts, 1U);
    EXPECT_EQ(costWords(one, one.steps[0]).full, "one address for all lanes: one turn");
    EXPECT_FALSE(costWords(one, one.steps[0]).wasteful);
    const WarpTrace many = traceOfConstants(4);
    EXPECT_EQ(costOf(many.steps[0]).wavefronts, 16U) << "two lanes at each address";
    EXPECT_EQ(costWords(many, many.steps[0]).full,
              "16 different addresses, one after the other: 16 turns");
    EXPECT_TRUE(costWords(many, many.steps[0]).wasteful);
}

/// In a panel, on a slide, and where no name has room: each address is one cell, with its lanes.
TEST(WarpMemory, EachTurnOfConstantMemoryIsACell) {
    for (const Size& size : {sizes[0], sizes[1], sizes[2], Size{"narrow", 240, 90}}) {
        for (const std::uint32_t apart : {0U, 4U}) {
            const WarpTrace trace = traceOfConstants(apart);
            const DrawArea area = areaOf(size);
            const Items items = prepareWarpMemory(trace, 0, area).items;
            expectInside(items, area.box, size.name);
            std::vector<Fill> cells = all<Fill>(items);
            std::erase_if(
                cells, [&](const Fill& fill) { return fill.color != colorOf(trace.place.warp); });
            ASSERT_EQ(cells.size(), apart == 0 ? 1U : 16U) << size.name;
            std::size_t named = 0;
            for (const Text& text : all<Text>(items))
                named += text.words.starts_with("turn ") ? 1 : 0;
            const bool isRoomy = size.width >= 680;
            const std::size_t least = isRoomy ? cells.size() : size.height < 100 ? 0 : 1;
            EXPECT_GE(named, least) << size.name;
            EXPECT_LE(named, cells.size()) << size.name;
            const Box& last = cells.back().box;
            const WarpMemory pointed = prepareWarpMemory(
                trace, 0, area, {.at = Point{last.left + 1, (last.top + last.bottom) / 2}});
            const std::string turns =
                apart == 0 ? "lanes 0–31\nturn 1 of 1" : "lanes 30–31\nturn 16 of 16";
            EXPECT_TRUE(pointed.pointed.ends_with(turns)) << pointed.pointed;
        }
    }
}

TEST(WarpMemory, AConstantTableKeepsItsLabelsAtLargeText) {
    const WarpTrace trace = traceOfConstants(4);
    for (const float height : {112.0F, 120.0F, 150.0F}) {
        DrawArea area = areaOf({"a projector", 750, height});
        area.textSize = 19;
        const Items items = prepareWarpMemory(trace, 0, area).items;
        expectInside(items, area.box, "a projector");
        EXPECT_TRUE(std::ranges::any_of(all<Text>(items), [](const Text& text) {
            return text.words.ends_with("[0]");
        })) << height;
    }
}

/// Of an atomic that one lane does for its warp nothing says that lanes wait for one another.
TEST(WarpMemory, LanesThatOneOfThemAddsForAreSaidToBeJoined) {
    WarpTrace trace = traceOf("elementwise-1d");
    WarpStep step = trace.steps[firstOf(trace, StepKind::load)];
    step.offsets = {};
    for (const StepKind kind : {StepKind::atomic, StepKind::sharedAtomic}) {
        step.kind = kind;
        step.isJoined = false;
        EXPECT_TRUE(costWords(trace, step).wasteful);
        EXPECT_NE(costWords(trace, step).full.find("one after another"), std::string::npos);
        step.isJoined = true;
        EXPECT_FALSE(costWords(trace, step).wasteful);
        EXPECT_EQ(costWords(trace, step).full,
                  kind == StepKind::atomic ? "32 lanes at one address: of integers the assembler "
                                             "lets one lane do it for its warp"
                                           : "32 lanes at one address: the machine code does "
                                             "those of one address at once");
        EXPECT_EQ(costWords(trace, step).brief, kind == StepKind::atomic
                                                    ? "32 lanes at one address, done by one of them"
                                                    : "32 lanes at one address, done at once");
    }
    EXPECT_EQ(costOf(step).wavefronts, 1U);
    step.isJoined = false;
    EXPECT_EQ(costOf(step).wavefronts, 32U);
    // Eight lanes at each of four words of a bank.
    for (std::size_t lane = 0; lane < 32; ++lane) step.offsets[lane] = lane / 8 * 128;
    step.isJoined = true;
    EXPECT_EQ(costOf(step).wavefronts, 4U);
    EXPECT_NE(costWords(trace, step).full.find("4 different words"), std::string::npos);
}

/// In half a slide, too: each lane's word once in its bank, and once in the array's rows.
TEST(WarpMemory, TheArraysRowsAreAllDrawnOrAreSaidToBeCut) {
    const WarpTrace trace = traceOf("shared-banks-padded");
    for (const float height : {112.0F, 200.0F}) {
        DrawArea area = areaOf({"half a slide", 590, height});
        area.textSize = 20;
        const Items items =
            prepareWarpMemory(trace, firstOf(trace, StepKind::sharedLoad), area).items;
        const std::size_t rows = height > 300 ? 1 : 0;
        for (const std::uint32_t lane : {1u, 20u, 31u})
            EXPECT_EQ(shadesBelowLanes(items, trace, lane).size(), 1 + rows) << height << lane;
    }
}

/// However the pixels of a strip are shared out among its lanes.
TEST(WarpMemory, TheNumbersOfLanesHaveOneSize) {
    const WarpTrace trace = traceOf("stencil-halo");
    for (int width = 640; width < 1000; width += 7) {
        for (const float textSize : {17.0F, 20.0F, 25.0F}) {
            DrawArea area = areaOf({"a slide", static_cast<float>(width), 200});
            area.textSize = textSize;
            std::set<float> found;
            const std::size_t step = firstOf(trace, StepKind::sharedStore);
            for (const Text& text : all<Text>(prepareWarpMemory(trace, step, area).items)) {
                const bool isNumber =
                    text.words.find_first_not_of("0123456789") == std::string::npos;
                // Banks' have the size of words.
                if (isNumber && text.size != textSize * 0.9F) found.insert(text.size);
            }
            EXPECT_LE(found.size(), 1U)
                << width << " " << textSize << ": " << testing::PrintToString(found);
        }
    }
}

// The steps of a reduction: who works at which stride.
TEST(WarpMemory, TheLanesThatWorkAreThoseTheReductionSays) {
    for (const bool interleaved : {true, false}) {
        const WarpTrace trace = traceOf(interleaved ? "reduce-interleaved" : "reduce-sequential");
        std::set<std::string> strides;
        for (const WarpStep& step : trace.steps) {
            const std::string& rounds = trace.rounds.at(step.rounds);
            if (step.kind != StepKind::branch || !rounds.starts_with("stride ")) continue;
            const auto stride = static_cast<std::uint32_t>(std::stoul(rounds.substr(7)));
            std::uint32_t works = 0;
            for (std::uint32_t t = 0; t < 32; ++t) {
                works |= std::uint32_t{interleaved ? t % (2 * stride) == 0 : t < stride} << t;
            }
            EXPECT_EQ(step.taken, works) << rounds;
            EXPECT_EQ(costWords(trace, step).wasteful, works != 0 && works != ~0u);
            strides.insert(rounds);
        }
        EXPECT_EQ(strides.size(), 9u) << "512 threads halve nine times";
        EXPECT_EQ(trace.rounds.at(trace.steps.back().rounds), "") << "the loop is over";
    }
}

TEST(WarpMemory, ATiledProductsStepsHaveTheirPhaseAndRound) {
    const WarpTrace trace = traceOf("matmul-tiled");
    const std::size_t load = firstOf(trace, StepKind::sharedLoad);
    EXPECT_EQ(trace.rounds.at(trace.steps[load].rounds), "phase 0 · k 0");
    EXPECT_EQ(trace.rounds.at(trace.steps[load + 31].rounds), "phase 0 · k 15");
    EXPECT_EQ(trace.rounds.at(trace.steps[load + 32].rounds), "phase 1");
    EXPECT_EQ(trace.rounds.back(), "");
    const WarpTrace trips = traceOf("branch-loop-trips");
    EXPECT_NE(std::ranges::find(trips.rounds, "round 2"), trips.rounds.end());
}

TEST(WarpMemory, ThePointerNamesLaneThreadElementAndBytes) {
    const WarpTrace trace = traceOf("matadd-coalesced", {2});
    const DrawArea area = areaOf(sizes[0]);
    const Items items = prepareWarpMemory(trace, 1, area).items;
    const std::vector<Fill> fills = all<Fill>(items);
    const Rgb shade = laneShade({2}, {17});
    const auto lane = std::ranges::find(fills, shade, &Fill::color);
    const auto middleOf = [](const Box& box) {
        return Point{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    };
    const auto below = shadesBelowLanes(items, trace, 17);
    ASSERT_EQ(below.size(), 1u);
    const Fill& strip = *std::ranges::min_element(
        fills, {}, [&](const Fill& f) { return f.color == shade ? f.box.top : 1e9F; });
    ASSERT_NE(lane, fills.end());
    EXPECT_EQ(prepareWarpMemory(trace, 1, area, {.at = middleOf(strip.box)}).pointed,
              "lane 17, thread (1, 5, 0)\nloads a[5][1]\nbytes 327,684 – 327,687 of a\n"
              "sector 10,240, line 2,560");
    const WarpMemory sector = prepareWarpMemory(trace, 1, area, {.at = middleOf(below[0].box)});
    EXPECT_EQ(sector.pointed,
              "sector 10,240 of a: bytes 327,680 – 327,711\na[5][0] – a[5][7]\n"
              "32 of its 32 bytes asked for, by lanes 16–23");
    EXPECT_NE(sector.items, items) << "what is pointed at stands out";
    EXPECT_EQ(prepareWarpMemory(trace, 1, area, {.at = Point{0, 0}}).pointed, "");
}

TEST(WarpMemory, ALaneThatTakesNoPartSaysAtWhichMarkItPartedFromTheOthers) {
    const WarpTrace trace = traceOf("reduce-interleaved");
    const std::size_t load = firstOf(trace, StepKind::sharedLoad);
    EXPECT_EQ(trace.steps[load].active, 0x55555555u);
    const DrawArea area = areaOf(sizes[0]);
    const auto wordsAt = [&](int lane) {
        const std::string wanted = "lane " + std::to_string(lane) + ",";
        for (float y = area.box.top; y < area.box.bottom; y += 4) {
            for (float x = area.box.left; x < area.box.left + area.box.width() / 4; x += 4) {
                const std::string words =
                    prepareWarpMemory(trace, load, area, {.at = Point{x, y}}).pointed;
                if (words.starts_with(wanted)) return words;
            }
        }
        return std::string();
    };
    EXPECT_EQ(wordsAt(3), "lane 3, thread (3, 0, 0)\ntakes no part: at works its answer was no");
    EXPECT_EQ(wordsAt(2),
              "lane 2, thread (2, 0, 0)\nloads values[3]\nbytes 12 – 15 of shared memory\nbank 3");
}

TEST(WarpMemory, LanesThatHaveNothingToRunMeanwhileAreOff) {
    const auto armsOf = [&](const WarpTrace& trace, std::size_t at) {
        std::vector<std::string> words;
        for (const Text& text : all<Text>(prepareWarpMemory(trace, at, areaOf(sizes[0])).items))
            if (text.words.starts_with("yes: ") || text.words.starts_with("no: "))
                words.push_back(text.words);
        return words;
    };
    // `if (t % (2 * stride) == 0) { ... }` costs its half of the lanes, but has no else.
    const WarpTrace sum = traceOf("reduce-interleaved");
    const std::size_t works = firstOf(sum, StepKind::sharedLoad) - 1;
    EXPECT_TRUE(costWords(sum, sum.steps.at(works)).wasteful);
    EXPECT_EQ(armsOf(sum, works),
              (std::vector<std::string>{"yes: lanes 0, 2, 4, 6, 8, 10 … (16) ran",
                                        "no: lanes 1, 3, 5, 7, 9, 11 … (16) are off meanwhile"}));
    WarpTrace trace = traceOf("branch-odd-even");
    const std::size_t at = firstOf(trace, StepKind::branch);
    const auto wordsOfArms = [&] { return armsOf(trace, at); };
    WarpStep& step = trace.steps.at(at);
    step.active = 0xffffffff;
    step.taken = 0xffff;
    step.isGuard = step.isOneWay = false;
    EXPECT_EQ(wordsOfArms(), (std::vector<std::string>{"yes: lanes 0–15 ran, 16 waited",
                                                       "no: lanes 16–31 ran, 16 waited"}));
    EXPECT_TRUE(
        costWords(trace, step).full.ends_with("16 yes, 16 no, so by the source the warp diverges"));
    step.isGuard = step.isOneWay = true;
    trace.steps.resize(at + 1);
    trace.steps.push_back({.active = 0xff});
    WarpStep& guard = trace.steps.at(at);
    EXPECT_EQ(wordsOfArms(), (std::vector<std::string>{"yes: lanes 0–15 ran",
                                                       "no: lanes 16–31 are off meanwhile"}));
    EXPECT_TRUE(
        costWords(trace, guard).full.ends_with("16 yes, 16 no, with nothing on the other side"));
    EXPECT_FALSE(costWords(trace, guard).wasteful);
    // Of `if (i >= n) return;` those go on for which it does not hold.
    trace.steps.back().active = 0xff0000;
    EXPECT_EQ(wordsOfArms(), (std::vector<std::string>{"yes: lanes 0–15 are off meanwhile",
                                                       "no: lanes 16–31 ran"}));
}

TEST(WarpMemory, ALaneThatFaultsIsMarkedAndSaysWhatIsNotThere) {
    WarpTrace trace = traceOf("access-stride");
    const std::size_t load = firstOf(trace, StepKind::load);
    WarpStep& step = trace.steps.at(load);
    const auto marked = [&](const Pointed& pointed = {}) {
        const WarpMemory drawn = prepareWarpMemory(trace, load, areaOf(sizes[0]), pointed);
        std::vector<Fill> fills = all<Fill>(drawn.items);
        std::erase_if(fills, [](const Fill& fill) { return fill.color != colors.bad; });
        return std::pair(fills, drawn.pointed);
    };
    EXPECT_TRUE(marked().first.empty());
    const std::uint64_t stride = step.offsets.at(9) - step.offsets.at(8);
    step.active = 0xfffffcff;
    step.refused = 0x300;
    step.offsets.at(9) = std::uint64_t{} - 4;
    const std::vector<Fill> two = marked().first;
    ASSERT_EQ(two.size(), 2U);
    const auto tipOf = [&](const Fill& cell) {
        return marked({.at = Point{(cell.box.left + cell.box.right) / 2, cell.box.top + 2}}).second;
    };
    const std::string element = std::to_string(8 * stride / 4);
    EXPECT_TRUE(tipOf(two[0]).ends_with("\nfaults: in[" + element +
                                        "] is not there, and nothing is loaded"))
        << tipOf(two[0]);
    EXPECT_TRUE(tipOf(two[1]).ends_with("faults: in[-1] is not there, and nothing is loaded"));
    EXPECT_TRUE(costWords(trace, step).full.starts_with("lanes 8–9 fault; "));
    // Where all do, nothing is fetched.
    step.active = 0;
    step.refused = 0xffffffff;
    EXPECT_EQ(marked().first.size(), 32U);
    EXPECT_EQ(costWords(trace, step).full, "lanes 0–31 fault");
    EXPECT_EQ(costOf(step), LineCost{});
}

TEST(WarpMemory, IdleLanesHaveNoThreadAndNoBytes) {
    Experiment experiment = initialExperiment(scenarioNamed("warp-grouping"));
    experiment.launch.block = {2, 2, 2};
    const WarpTrace trace = traceWarp({experiment, {}, {0}});
    const Items items = prepareWarpMemory(trace, 0, areaOf(sizes[0])).items;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(shadesBelowLanes(items, trace, lane).size(), lane < 8 ? 1u : 0u);
    }
}

TEST(SectorGrid, NamesEveryLaneWhereverInItsSectorItsBytesLie) {
    WarpTrace trace = traceOf("matadd-swapped");
    trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
    for (std::size_t lane = 0; lane < 32; ++lane) {
        trace.steps[0].active = UINT32_MAX;
        trace.steps[0].offsets.at(lane) = lane * 513 * 4;
    }
    for (const Size& size : {Size{"lesson", 840, 580}, Size{"slide", 1200, 620},
                             // as a lesson at 1280x720 with text 1.5: two digits fill half a sector
                             Size{"low", 420, 290}, Size{"lower", 420, 200}}) {
        std::map<std::string, int> named;
        const float strip = areaOf(size).box.top + 21;
        for (const Text& text : all<Text>(prepareSectorGrid(trace, 0, areaOf(size)))) {
            if (text.at.y > strip) ++named[text.words.substr(0, text.words.find(' '))];
        }
        EXPECT_GT(named["byte"] + named["bytes"], 0) << size.name << ": no address";
        EXPECT_EQ(named["fetched,"], 1) << size.name << ": what is hatched";
        for (int lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(named[std::to_string(lane)], 1) << size.name << ": lane " << lane;
        }
    }
}

TEST(SectorGrid, BesideALargerOneHasItsBoxesAsLarge) {
    const DrawArea area = areaOf({"side", 590, 340});
    const auto sizesOf = [&](const char* scenario, std::size_t most) {
        WarpTrace trace = traceOf(scenario);
        trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
        std::set<std::pair<float, float>> boxes;
        for (const Frame& box : all<Frame>(prepareSectorGrid(trace, 0, area, most)))
            boxes.emplace(std::round(box.box.width()), std::round(box.box.height()));
        return boxes;
    };
    const auto one = sizesOf("row-major", 32);
    ASSERT_EQ(one.size(), 1U) << "of four sectors";
    EXPECT_EQ(sizesOf("column-major", 32).count(*one.begin()), 1U) << "of 32";
    EXPECT_NE(sizesOf("row-major", 0), one) << "alone";
}

TEST(SectorGrid, SixteenStandFourByFourAndTheirLanesAreAllNamedInOneWay) {
    WarpTrace trace = traceOf("matadd-swapped");
    trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
    std::set<bool> ways;
    for (float width = 300; width < 900; width += 12) {
        DrawArea area = areaOf({"slide", width, 340});
        area.leastText = 10;
        const Items items = prepareSectorGrid(trace, 0, area);
        std::set<float> columns;
        for (const Frame& box : all<Frame>(items))
            if (box.box.width() > 50) columns.insert(box.box.left);
        EXPECT_NE(columns.size(), 3U) << width;
        std::set<bool> apart;  // from its neighbour's number
        for (const Text& text : all<Text>(items))
            if (text.at.y > area.box.top + 30 &&
                text.words.find_first_not_of("0123456789 ") == text.words.npos)
                apart.insert(text.words.find(' ') == text.words.npos);
        EXPECT_EQ(apart.size(), 1U) << width;
        ways.merge(apart);
    }
    EXPECT_EQ(ways.size(), 2U) << "by their room";
}

TEST(SectorGrid, BytesOfFewSectorsAreWideEnoughForTheirLanes) {
    WarpTrace trace = traceOf("matadd-swapped");
    trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
    const DrawArea area = areaOf({"slide", 1200, 620});
    for (const std::uint32_t bytes : {1U, 2U}) {
        trace.steps[0].active = UINT32_MAX;
        trace.steps[0].bytes = bytes;
        for (std::size_t lane = 0; lane < 32; ++lane)
            trace.steps[0].offsets.at(lane) = lane * bytes;
        std::map<std::string, int> named;
        for (const Text& text : all<Text>(prepareSectorGrid(trace, 0, area))) {
            if (text.words == "lane") ++named["lane"];
            if (text.at.y > area.box.top + 21) ++named[text.words];
        }
        EXPECT_EQ(named["lane"], 1);
        EXPECT_EQ(named["fetched, not used"], 0) << "all are";
        for (int lane = 0; lane < 32; ++lane)
            EXPECT_EQ(named[std::to_string(lane)], 1) << bytes << " bytes, lane " << lane;
    }
}

TEST(SectorGrid, NamesLanesOnTheirWordsWhereOthersHaveNoRoomForTheirs) {
    WarpTrace trace = traceOf("matadd-swapped");
    trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
    trace.steps[0].active = UINT32_MAX;
    for (std::size_t lane = 0; lane < 32; ++lane)
        trace.steps[0].offsets.at(lane) = 4 * ((lane == 4 ? 3 : lane) * 5 % 41);
    DrawArea area = areaOf({"pair", 378, 340});  // a word has room for "31", and none for "3–4"
    area.leastText = 10;
    const Items items = prepareSectorGrid(trace, 0, area);
    int named = 0;
    for (const Text& text : all<Text>(items)) {
        const bool isName = text.words.starts_with("×") || text.words.size() < 3;
        if (!isName || text.at.y < area.box.top + 21) continue;
        ++named;
        EXPECT_TRUE(std::ranges::any_of(all<Fill>(items), [&](const Fill& word) {
            return word.color != colors.raised && word.box.contains({text.at.x, text.at.y + 2});
        })) << text.words;
    }
    EXPECT_EQ(named, 31) << "of lanes 3 and 4 it is one";
}

TEST(SectorGrid, NamesNoLaneBesideItsBytesWhereOthersStandOnTheirs) {
    WarpTrace trace = traceOf("matadd-swapped");
    trace.steps = {*std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind)};
    // Lanes of three side by side, of which the first have one digit, and lanes of 12 bytes.
    for (const bool isGroup : {true, false}) {
        trace.steps[0].active = isGroup ? 0xeeeeeee0U : UINT32_MAX;
        for (std::size_t lane = 0; lane < 32; ++lane)
            trace.steps[0].offsets.at(lane) = isGroup ? lane / 4 * 256 + lane % 4 * 4 : lane * 12;
        for (float width = 110; width < 400; ++width) {
            DrawArea area = areaOf({"pair", width, 200});
            area.leastText = 10;
            const Items items = prepareSectorGrid(trace, 0, area, isGroup ? 7 : 12);
            std::set<bool> ways;
            for (const Text& text : all<Text>(items)) {
                const bool isName =
                    text.words.find_first_not_of("0123456789 ") == std::string::npos;
                if (!isName || text.at.y < area.box.top + 30) continue;
                ways.insert(std::ranges::any_of(all<Fill>(items), [&](const Fill& word) {
                    return word.color != colors.raised &&
                           word.box.contains({text.at.x, text.at.y + 2});
                }));
            }
            EXPECT_LE(ways.size(), 1U) << width;
        }
    }
}

}  // namespace
}  // namespace warplens::drawing
