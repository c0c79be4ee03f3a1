#include <gtest/gtest.h>
#include <set>

#include "core/view/view_json.h"

namespace warplens {
namespace {

template <class Names>
void expectAllDifferent(const Names& names) {
    std::set<std::string_view> seen;
    for (const std::string_view name : names) {
        if (name.empty()) continue;
        EXPECT_TRUE(seen.insert(name).second) << name;
    }
}

TEST(Pictures, HaveNamesOfTheirOwn) {
    for (const auto name :
         {&PictureRow::word, &PictureRow::figure, &PictureRow::panel, &PictureRow::label}) {
        std::vector<std::string_view> names;
        for (const PictureRow& row : pictures) names.push_back(row.*name);
        expectAllDifferent(names);
    }
    for (const PictureRow& row : pictures) {
        if (row.word.empty()) continue;
        EXPECT_EQ(fromWord<PictureKind>(row.word), row.picture);
    }
    EXPECT_EQ(fromWord<PictureKind>(""), std::nullopt);
}

TEST(ViewParts, HaveNamesOfTheirOwn) {
    for (const auto name : {&ViewPart::scene, &ViewPart::settings, &ViewPart::option}) {
        std::vector<std::string_view> names;
        forEachPart([&](const ViewPart& part, auto) { names.push_back(part.*name); });
        expectAllDifferent(names);
    }
}

/// Other than at the start in every part.
View everyPartChosen() {
    return {.experiment = initialExperiment(scenarioNamed("matadd-swapped")),
            .picture = PictureKind::slots,
            .block = {1, 2, 0},
            .warp = WarpRank{3},
            .array = 1,
            .step = 4,
            .map = MapFollows::grid,
            .numbers = CellNumbers::rank,
            .capability = ComputeCapability{8, 0},
            .tab = RightTab::roof,
            .over = "n=1..4",
            .below = LowerTab::source,
            .mode = Mode::learn,
            .lesson = "partial-warp",
            .theme = Theme::light,
            .textScale = 1.5F};
}

TEST(ViewJson, BringsBackEveryPartThatADocumentHasANameFor) {
    const View chosen = everyPartChosen();
    for (const auto name : {&ViewPart::scene, &ViewPart::settings}) {
        Json document;
        addView(document, chosen, name);
        View expected;
        take(expected, namedParts(chosen, name));
        View read;
        take(read, viewChangeIn(document, name));
        EXPECT_EQ(read, expected) << document.dump();
        EXPECT_NE(read, View{});
    }
}

TEST(ViewJson, LeavesOpenWhatIsNotThereAndReadsUnknownWordsAsAtTheStart) {
    const auto change = viewChangeIn({{"view", "unheard of"}, {"tab", "sweep"}}, &ViewPart::scene);
    EXPECT_EQ(change, (ViewChange{.picture = PictureKind::threads, .tab = RightTab::sweep}));
    EXPECT_ANY_THROW((void)viewChangeIn({{"warp", "three"}}, &ViewPart::scene));
}

TEST(ViewChange, TakesOverWhatItNamesAndNothingElse) {
    View view = everyPartChosen();
    take(view, {.warp = noWarp, .textScale = 2.0F});
    View expected = everyPartChosen();
    expected.warp.reset();
    expected.textScale = 2;
    EXPECT_EQ(view, expected);
}

}  // namespace
}  // namespace warplens
