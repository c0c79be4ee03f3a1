// What a figure consists of, before it is a file: the item list shows whether its texts lie on the
// page and keep out of one another's way.
#include "app/figure/compose.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "app/figure/canvas.h"
#include "app/figure/kinds/kind.h"
#include "tests/support/random_experiment.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::figure {
namespace {

using drawing::Box;
using drawing::Text;

Experiment experimentOf(const Scenario& scenario) {
    return initialExperiment(scenario);
}

/// With numbers of every source.
Subject subjectWithNumbers(const Experiment& experiment) {
    Measurement measurement = tests::scriptedMeasurement(experiment);
    // A measurement that holds predictions is not predicted anew, which takes a second for some.
    measurement.values.push_back(
        {.metric = Metric::globalStoreRequests, .source = Source::predicted, .content = 1024.0});
    return subjectOf(experiment, {&measurement, true});
}

std::vector<Text> textsOf(const Picture& picture) {
    std::vector<Text> texts;
    for (const drawing::Item& item : picture.items) {
        if (const Text* text = std::get_if<Text>(&item)) texts.push_back(*text);
    }
    return texts;
}

Box boxOf(const Text& text) {
    const float width = figureTextWidth()(text.words, text.face, text.size);
    const float left = text.at.x - text.align * width;
    return {left, text.at.y, left + width, text.at.y + text.size};
}

/// Rounding of lengths that were scaled.
constexpr float tolerance = 0.05F;

void expectLegible(const Picture& picture, const std::string& which) {
    const auto width = static_cast<float>(picture.size.width);
    const auto height = static_cast<float>(picture.size.height);
    const std::vector<Text> texts = textsOf(picture);
    EXPECT_FALSE(texts.empty()) << which;
    std::vector<Box> boxes;
    for (const Text& text : texts) {
        const Box box = boxOf(text);
        EXPECT_GE(box.left, -tolerance) << which << ": " << text.words;
        EXPECT_GE(box.top, -tolerance) << which << ": " << text.words;
        EXPECT_LE(box.right, width + tolerance) << which << ": " << text.words;
        EXPECT_LE(box.bottom, height + tolerance) << which << ": " << text.words;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Box& other = boxes[i];
            const bool apart =
                box.left >= other.right - tolerance || other.left >= box.right - tolerance ||
                box.top >= other.bottom - tolerance || other.top >= box.bottom - tolerance;
            EXPECT_TRUE(apart) << which << ": '" << text.words << "' lies on '" << texts[i].words
                               << "'";
        }
        boxes.push_back(box);
    }
}

/// Every filled or framed box on the page.
void expectOnPage(const Picture& picture, const std::string& which) {
    const auto width = static_cast<float>(picture.size.width) + tolerance;
    const auto height = static_cast<float>(picture.size.height) + tolerance;
    for (const drawing::Item& item : picture.items) {
        std::visit(
            [&](const auto& it) {
                if constexpr (requires { it.box; }) {
                    EXPECT_TRUE(it.box.left >= -tolerance && it.box.top >= -tolerance &&
                                it.box.right <= width && it.box.bottom <= height &&
                                it.box.left <= it.box.right && it.box.top <= it.box.bottom)
                        << which << ": a box from " << it.box.left << ", " << it.box.top << " to "
                        << it.box.right << ", " << it.box.bottom;
                }
            },
            item);
    }
}

class EveryScenario : public testing::TestWithParam<const Scenario*> {};

TEST_P(EveryScenario, KeepsItsTextsApartAndOnThePageAtEverySize) {
    const Experiment experiment = experimentOf(*GetParam());
    const Subject subject = subjectWithNumbers(experiment);
    for (const PageSize size : {PageSize{1280, 720},
                                {640, 360},
                                {200, 200},
                                {320, 1000},
                                {1000, 250},
                                {800, 600},
                                {2480, 3508},
                                {3840, 2160},
                                {10000, 200},
                                {200, 10000},
                                {10000, 10000}}) {
        const Picture picture = compose(subject, {size, Theme::light});
        const std::string which = std::string(GetParam()->id) + " at " +
                                  std::to_string(size.width) + "x" + std::to_string(size.height);
        expectLegible(picture, which);
        expectOnPage(picture, which);
    }
}

TEST_P(EveryScenario, SaysItsTitleAndLaunchInEveryTheme) {
    const Experiment experiment = experimentOf(*GetParam());
    const Subject subject = subjectWithNumbers(experiment);
    for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
        const Picture picture = compose(subject, {{1280, 720}, theme});
        const std::vector<Text> texts = textsOf(picture);
        const auto says = [&](std::string_view words) {
            return std::ranges::find(texts, words, &Text::words) != texts.end();
        };
        EXPECT_TRUE(says(GetParam()->title));
        EXPECT_TRUE(says(toLaunchSyntax(experiment.launch)));
    }
}

INSTANTIATE_TEST_SUITE_P(Figure, EveryScenario, testing::ValuesIn([] {
                             std::vector<const Scenario*> all;
                             for (const Scenario& scenario : allScenarios()) {
                                 all.push_back(&scenario);
                             }
                             return all;
                         }()),
                         [](const auto& scenario) {
                             std::string name(scenario.param->id);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(Figure, KeepsItsTextsApartForEveryShapeOfBlock) {
    std::vector<Extents> blocks{{1, 1024, 1}, {2, 512, 1}, {512, 2, 1}, {4, 4, 64}, {16, 1, 64}};
    blocks.insert(blocks.end(), blockShapes.begin(), blockShapes.end());
    for (const Extents block : blocks) {
        const Experiment experiment =
            complete({.scenario = "warp-grouping", .grid = {}, .block = block, .set = {}});
        const Subject subject = subjectOf(experiment, {});
        for (const PageSize size : {PageSize{1280, 720}, {480, 480}}) {
            const Picture picture = compose(subject, {size, Theme::print});
            expectLegible(picture, toString(block));
            expectOnPage(picture, toString(block));
        }
    }
}

TEST(Figure, SmallestTextOnASlideIsTwelvePoints) {
    for (const Scenario& scenario : allScenarios()) {
        Subject subject = subjectWithNumbers(experimentOf(scenario));
        const Subject same = subject;
        std::vector<Picture> all{compose(subject, {}), composePair(same, subject, {})};
        for (const PictureKind kind : {PictureKind::request, PictureKind::slots,
                                       PictureKind::source, PictureKind::block3d}) {
            subject.view.picture = kind;
            all.push_back(compose(subject, {}));
        }
        for (const Picture& picture : all) {
            for (const Text& text : textsOf(picture)) {
                // 1280 units are 13.33 inches of 72 points, 1/45 of the height 12 of them.
                const float points = text.size * Typeface::of(text.face).em() * 960 / 1280;
                EXPECT_GE(points, 12.0F) << scenario.id << ": " << text.words;
            }
        }
    }
}

TEST(Figure, HasLettersAsLargeAsAsked) {
    for (const char* const id : {"matadd-swapped", "shared-banks", "warp-grouping"}) {
        const Subject subject = subjectWithNumbers(experimentOf(scenarioNamed(id)));
        const auto largest = [&](float textSize) {
            const Picture picture = compose(subject, {.size = {}, .textSize = textSize});
            expectLegible(picture, id);
            expectOnPage(picture, id);
            return std::ranges::max(textsOf(picture), {}, &Text::size).size;
        };
        EXPECT_GT(largest(1.5F), 1.2F * largest(1)) << id;
        EXPECT_LT(largest(0.75F), largest(1)) << id;
        EXPECT_GT(largest(3), 0) << id;
    }
    EXPECT_EQ(toOptions({.size = {}, .textSize = 1.5F}), " --text-size 1.5");
}

TEST(Figure, HasTitleAndCaptionOfOnesOwn) {
    const Subject a = subjectWithNumbers(experimentOf(scenarioNamed("matadd-coalesced")));
    const Subject b = subjectWithNumbers(experimentOf(scenarioNamed("matadd-swapped")));
    const std::string_view own = scenarioNamed("matadd-swapped").title;
    const Page page{.size = {}, .title = "Über Warps: x → y", .caption = "Look at the left first."};
    for (const Picture& picture : {compose(b, page), composePair(a, b, page)}) {
        expectLegible(picture, "with words of one's own");
        const std::vector<Text> texts = textsOf(picture);
        EXPECT_EQ(std::ranges::count(texts, page.title, &Text::words), 1);
        EXPECT_EQ(std::ranges::count(texts, page.caption, &Text::words), 1);
        EXPECT_EQ(picture.title, page.title);
    }
    EXPECT_EQ(std::ranges::count(textsOf(compose(b, page)), own, &Text::words), 0);
    EXPECT_EQ(toOptions({.size = {}, .title = "it's"}), " --title 'it'\\''s'");
}

TEST(Figure, OfAPairHasLettersNoLargerThanItsPicturesHaveRoomBeside) {
    const auto made = [](const char* scenario) {
        return subjectWithNumbers(experimentOf(scenarioNamed(scenario)));
    };
    struct Pair final {
        Subject a;
        Subject b;
    };
    Experiment whole = experimentOf(scenarioNamed("branch-long-arms"));
    whole.arguments.set("shift", 5);
    const std::vector<Pair> pairs{{made("shared-banks-padded"), made("shared-banks")},
                                  {subjectWithNumbers(whole), made("branch-long-arms")},
                                  {made("matadd-coalesced"), made("matadd-swapped")}};
    for (const Pair& pair : pairs) {
        const std::string id(pair.b.view.experiment.scenario);
        for (const float asked : {1.0F, 1.5F, 2.0F}) {
            const Page page{.size = {},
                            .title = "What the warp pays for",
                            .caption = "Look at the left first, then at the right.",
                            .textSize = asked};
            const std::string which = id + " by " + std::to_string(asked);
            const Picture picture = composePair(pair.a, pair.b, page);
            expectLegible(picture, which);
            EXPECT_LE(picture.textSize, asked) << which;
            EXPECT_GE(picture.textSize, 1) << which;
            float largest = 0;
            for (const Text& text : textsOf(picture)) largest = std::max(largest, text.size);
            for (const Text& text : textsOf(picture)) {
                if (text.size < 0.99F * largest) continue;
                const Box box = boxOf(text);
                for (const drawing::Item& item : picture.items) {
                    const auto* const fill = std::get_if<drawing::Fill>(&item);
                    if (fill == nullptr) continue;
                    const Box& other = fill->box;
                    EXPECT_TRUE(other.bottom <= box.top + tolerance ||
                                other.top >= box.bottom - tolerance || other.right <= box.left ||
                                other.left >= box.right)
                        << which << ": a box lies on '" << text.words << "'";
                }
            }
        }
        EXPECT_EQ(composePair(pair.a, pair.b, {.size = {}, .textSize = 1.2F}).textSize, 1.2F);
    }
}

TEST(Figure, OfASumHasItsIterationsBesideLargeLettersToo) {
    const Picture picture =
        compose(subjectWithNumbers(experimentOf(scenarioNamed("reduce-interleaved"))),
                {.size = {},
                 .title = "Interleaved addressing",
                 .caption = "Half of the threads of each warp add; the others wait for them.",
                 .textSize = 1.5F});
    expectLegible(picture, "a sum");
    EXPECT_LT(picture.textSize, 1.5F);
    const std::vector<Text> texts = textsOf(picture);
    for (const char* const words : {"stride", "256", "some of a warp do"})
        EXPECT_NE(std::ranges::count(texts, words, &Text::words), 0) << words;
}

TEST(Figure, OfASumHasThreadsAtWorkAsWideAsEachOtherAndBesideTheFrameOfAWarp) {
    Subject subject = subjectWithNumbers(experimentOf(scenarioNamed("reduce-interleaved")));
    subject.view.warp = WarpRank{0};
    const Picture picture = compose(subject, {.size = {1366, 768}});
    float frameEnds = 0;  // its left side
    std::vector<drawing::Quad> threads;
    for (const drawing::Item& item : picture.items) {
        if (const auto* const quad = std::get_if<drawing::Quad>(&item)) threads.push_back(*quad);
        const auto* const frame = std::get_if<drawing::Frame>(&item);
        if (frame != nullptr && frame->width > 2) frameEnds = frame->box.left + frame->width;
    }
    ASSERT_EQ(threads.size(), 511u) << "256 of 512, 128, ... and 1";
    EXPECT_GT(frameEnds, 0);
    for (const drawing::Quad& thread : threads) {
        EXPECT_GE(thread.corners[0].x, frameEnds - 0.01F);
        EXPECT_EQ(thread.edgeWidth, 0) << "else its sides are not smooth on a screen";
    }
    for (std::size_t at = 1; at < 256; ++at)
        EXPECT_NEAR(threads[at].corners[1].x - threads[at].corners[0].x,
                    threads[0].corners[1].x - threads[0].corners[0].x, 0.01F);
    EXPECT_GE(threads.back().corners[1].x - threads.back().corners[0].x, 2);
}

TEST(Figure, BreaksItsOwnWordsOverTwoLinesAndRefusesMore) {
    const auto linesOf = [](const std::string& title) {
        const Subject subject = subjectWithNumbers(experimentOf(scenarioNamed("access-stride")));
        const Picture picture = compose(subject, {.size = {}, .title = title});
        expectLegible(picture, title);
        return std::ranges::count_if(
            textsOf(picture), [](const Text& text) { return text.words.starts_with("word"); });
    };
    std::string title = "word";
    for (int i = 0; i < 20; ++i) title += " word";
    EXPECT_EQ(linesOf(title), 2);
    for (int i = 0; i < 40; ++i) title += " word";
    EXPECT_THROW(requireRoomForWords({.size = {}, .title = title}), InvalidRequest);
    EXPECT_THROW(requireRoomForWords({.size = {}, .title = std::string(200, 'w')}), InvalidRequest);
    EXPECT_THROW(requireRoomForWords({.size = {}, .caption = "漢字"}), InvalidRequest);
    EXPECT_NO_THROW(requireRoomForWords({.size = {}, .caption = "Why? Διότι"}));
}

TEST(Figure, SaysWhereItsNumbersComeFrom) {
    const Experiment experiment = experimentOf(scenarioNamed("warp-grouping"));
    Measurement measurement = tests::scriptedMeasurement(experiment);
    measurement.device.name = "NVIDIA Test";
    measurement.takenAt = "2026-11-21T09:30:00Z";
    const Subject recorded = subjectOf(experiment, {&measurement, true});
    EXPECT_NE(recorded.provenance.front().find("recorded on NVIDIA Test, 2026-11-21"),
              std::string::npos);
    const Subject fresh = subjectOf(experiment, {&measurement, false});
    EXPECT_NE(fresh.provenance.front().find("measured on NVIDIA Test, 2026-11-21"),
              std::string::npos);
    const Subject predicted = subjectOf(experiment, {});
    ASSERT_EQ(predicted.provenance.size(), 1u);
    EXPECT_EQ(predicted.provenance.front(), "predicted on the host, exact: the block traced");
}

TEST(Figure, OfAMappingHasTheRuleOfOneThreadBesideCellsThatUseTheRoom) {
    Experiment experiment = experimentOf(scenarioNamed("warp-grouping"));
    experiment.launch.block = {16, 16, 1};
    const std::vector<Text> texts = textsOf(compose(subjectOf(experiment, {}), {}));
    for (const char* const words : {"Thread x = 5, y = 3", "rank 53", "= 5 + 3·16", "warp 1",
                                    "= 53 / 32", "lane 21", "= 53 % 32"}) {
        EXPECT_GE(std::ranges::count(texts, words, &Text::words), 1) << words;
    }
    EXPECT_EQ(std::ranges::count(texts, "Warps of the block", &Text::words), 0) << "said above";
    // Of a warp that is chosen its first thread.
    Subject chosen = subjectOf(experiment, {});
    chosen.view.warp = WarpRank{5};
    const std::vector<Text> ofWarp = textsOf(compose(chosen, {}));
    EXPECT_EQ(std::ranges::count(ofWarp, "rank 160", &Text::words), 1);
    const auto last = std::ranges::find_if(
        texts, [](const Text& text) { return text.words == "15" && text.align == 0.5F; });
    ASSERT_NE(last, texts.end());
    EXPECT_GT(last->at.x, 0.62F * 1280);
    // Wide and low, narrow and high: the cells fill the room, and say what their numbers are.
    for (const auto& [block, axis, told] :
         {std::tuple(Extents{16, 4, 1}, "15", "in each cell: its warp, and its rank below"),
          std::tuple(Extents{8, 8, 1}, "7", "in each cell: its warp"),
          std::tuple(Extents{32, 32, 1}, "31", "in the rows: their warps")}) {
        experiment.launch.block = block;
        const std::vector<Text> all = textsOf(compose(subjectOf(experiment, {}), {}));
        float right = 0;
        for (const Text& text : all) {
            if (text.words == axis && text.align == 0.5F) right = std::max(right, text.at.x);
        }
        EXPECT_GT(right, 0.5F * 1280) << told;
        EXPECT_TRUE(std::ranges::any_of(all, [&](const Text& text) {
            return text.words.ends_with(told);
        })) << told;
        // No descender is cut off in a low row.
        EXPECT_EQ(std::ranges::count(all, "warp 31", &Text::words), 0);
    }
}

TEST(Figure, OfABranchHasItsCodeUpToTheKernelsLastBrace) {
    for (const char* const scenario : {"branch-by-warp", "branch-odd-even"}) {
        const Picture picture =
            compose(subjectWithNumbers(experimentOf(scenarioNamed(scenario))), {});
        const std::vector<Text> texts = textsOf(picture);
        const auto closes = [](const Text& text) { return text.words.ends_with('}'); };
        EXPECT_EQ(std::ranges::count_if(texts, closes), 3) << scenario;
        EXPECT_EQ(std::ranges::count(texts, "30", &Text::words), 1) << scenario;
    }
}

TEST(Figure, OfSourceThatIsTooLongKeepsWhatCostsAndTheLastBrace) {
    Subject subject = subjectWithNumbers(experimentOf(scenarioNamed("matmul-tiled")));
    subject.view.picture = PictureKind::source;
    const std::vector<Text> texts = textsOf(compose(subject, {}));
    const auto told = [&](const auto& is) { return std::ranges::count_if(texts, is); };
    EXPECT_EQ(told([](const Text& text) { return text.words.starts_with("… and "); }), 0);
    EXPECT_GT(told([](const Text& text) { return text.words.starts_with("… "); }), 0);
    EXPECT_EQ(std::ranges::count(texts, "}", &Text::words), 1);
}

TEST(Figure, TellsLanesThatHaveNoThreadFromThoseThatDoNotComeToTheBranch) {
    const auto names = [](Extents block, std::int64_t n) {
        Arguments size;
        size.set("n", n);
        const Picture picture = compose(
            subjectOf(
                complete({.scenario = "branch-odd-even", .grid = {}, .block = block, .set = size}),
                {}),
            {});
        const std::vector<Text> texts = textsOf(picture);
        return std::pair(std::ranges::count(texts, "no thread", &Text::words),
                         std::ranges::count(texts, "does not come here", &Text::words));
    };
    EXPECT_EQ(names({40, 1, 1}, 40), std::pair(1L, 0L));
    EXPECT_EQ(names({64, 1, 1}, 36), std::pair(0L, 1L));
}

TEST(Figure, NamesTheLinesWhoseAverageTheWavefrontsARequestAre) {
    const std::vector<Number> numbers =
        captionOf(subjectOf(experimentOf(scenarioNamed("shared-banks")), {})).numbers;
    const auto at = [&](const char* name) {
        const auto found = std::ranges::find(numbers, name, &Number::name);
        return found == numbers.end() ? std::string() : found->lines.front().value;
    };
    EXPECT_EQ(at("Line 35 loads from tile"), "32.00");
    EXPECT_EQ(std::ranges::count(numbers, "warp 0", &Number::remark), 2) << "not of the launch";
    EXPECT_EQ(at("Line 29 stores to tile"), "1.00");
}

TEST(Figure, HasBanksBelowSectorsAsHighAsTheirLinesNeed) {
    Subject subject = subjectWithNumbers(experimentOf(scenarioNamed("histogram-shared")));
    const WarpTrace trace = traceWarp({subject.view.experiment, {}, {0}});
    const auto load = std::ranges::find(trace.steps, StepKind::load, &WarpStep::kind);
    ASSERT_NE(load, trace.steps.end());
    subject.view.picture = PictureKind::request;
    subject.view.step = static_cast<std::size_t>(load - trace.steps.begin());
    for (const PageSize size : {PageSize{1280, 800}, PageSize{1280, 640}}) {
        const Picture picture = compose(subject, {.size = size, .theme = Theme::light});
        expectLegible(picture, "banks below sectors");
        std::set<float> headings;
        for (const Text& text : textsOf(picture))
            if (text.words.starts_with("Warp 0 ")) headings.insert(text.size);
        EXPECT_EQ(headings.size(), 1u) << "all of one size";
        float lowest = 1000;
        int lines = 0;
        for (const drawing::Item& item : picture.items) {
            if (const auto* const line = std::get_if<drawing::Line>(&item);
                line != nullptr && line->from.x != line->to.x) {
                lowest = std::min(lowest, line->to.y - line->from.y);
                ++lines;
            }
        }
        EXPECT_EQ(lines > 0, size.height > 640) << "where they have no room they are left out";
        EXPECT_GT(lowest, 30) << size.height;
    }
}

TEST(Figure, KeepsALineBetweenCellsInAPreviewSmallerThanItself) {
    const auto snapped = [](float gap, float height) {
        drawing::Items cells;
        constexpr float cell = 32.7F;
        for (int i = 0; i < 32; ++i) {
            const float left = static_cast<float>(i) * cell;
            cells.emplace_back(
                drawing::Fill{{left + gap / 2, 0, left + cell - gap / 2, height}, 0});
        }
        enlarge(cells, 0.58F);
        snapFills(cells);
        std::vector<drawing::Box> boxes;
        for (const drawing::Item& item : cells) boxes.push_back(std::get<drawing::Fill>(item).box);
        return boxes;
    };
    const auto apart = snapped(1, 20);
    const auto touching = snapped(0, 0.2F);
    for (std::size_t i = 1; i < apart.size(); ++i) {
        EXPECT_EQ(apart[i].left - apart[i - 1].right, 1) << "a line of one pixel before " << i;
        EXPECT_EQ(apart[i].left, std::round(apart[i].left));
        EXPECT_EQ(touching[i].left, touching[i - 1].right) << i;
        EXPECT_EQ(touching[i].height(), 1) << "what is thin is there";
    }
}

TEST(ChangedLines, AreThoseOfWhatAlikeKernelsName) {
    const auto subjectWith = [](const std::string& pitch) {
        Subject subject = subjectWithNumbers(experimentOf(scenarioNamed("shared-banks")));
        subject.kernel = "k";
        subject.source = "#define PITCH " + pitch + "\n#define OTHER " + pitch +
                         "\n__global__ void k(float* out) {\n    __shared__ float t[32][PITCH];\n"
                         "    out[threadIdx.x] = t[threadIdx.x][0];\n}\n";
        return subject;
    };
    const ChangedLines changed = changedLines(subjectWith("32"), subjectWith("33"));
    ASSERT_EQ(changed.a.size(), 1u);
    ASSERT_EQ(changed.b.size(), 1u);
    EXPECT_EQ(changed.a[0].number, 1u);
    EXPECT_NE(changed.b[0].text.find("PITCH 33"), std::string::npos);
}

}  // namespace
}  // namespace warplens::figure
