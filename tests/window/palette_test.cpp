#include "app/window/state/palette.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "app/lessons/library.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

AppState opened(const std::string& typed = {}) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, OpenPalette{});
    apply(state, PaletteFiles{{"brightness.cu"}});
    apply(state, FilterPalette{typed});
    return state;
}

std::string firstOf(const std::string& typed) {
    const auto entries = paletteEntries(opened(typed));
    return entries.empty() ? "" : entries.front().words;
}

TEST(MatchScore, FindsEveryWordInAnyOrderWhateverItsCase) {
    EXPECT_TRUE(matchScore("column SUM", "Matrix sum, x down the column"));
    EXPECT_TRUE(matchScore("", "anything"));
    EXPECT_TRUE(matchScore("   ", "anything"));
    EXPECT_FALSE(matchScore("row column", "Matrix sum, x down the column"));
}

TEST(MatchScore, FindsBeginningsOfWordsInTheirOrder) {
    EXPECT_TRUE(matchScore("msw", "matadd-swapped"));
    EXPECT_TRUE(matchScore("tlight", "turn light"));
    EXPECT_FALSE(matchScore("mswp", "matadd-swapped"));
    EXPECT_FALSE(matchScore("wsm", "matadd-swapped"));
    EXPECT_FALSE(matchScore("atm", "matadd-swapped"));
    EXPECT_FALSE(matchScore("q", "matadd-swapped"));
}

TEST(MatchScore, PrefersBeginnings) {
    EXPECT_GT(matchScore("sum", "sum of it"), matchScore("sum", "the sum"));
    EXPECT_GT(matchScore("sum", "the sum"), matchScore("sum", "consume"));
    EXPECT_GT(matchScore("sum", "consume"), matchScore("sum", "see under mine"));
}

TEST(NamedScore, PrefersWhatIsCalledSo) {
    EXPECT_GT(namedScore("strided", "Strided reads", "access-stride"),
              namedScore("strided", "Grid-stride loop", "strided strided"));
    EXPECT_FALSE(namedScore("strided", "Grid-stride loop", "grid"));
    EXPECT_EQ(firstOf("strided"), scenarioNamed("access-stride").title);
    for (const auto& [typed, lesson] :
         std::map<std::string, std::string>{{"Strided", "access-stride"},
                                            {"odd and even", "branch-odd-even"},
                                            {"Uncoalesced matrix addition", "matadd-swapped"},
                                            {"sequential addressing", "reduce-sequential"}})
        EXPECT_EQ(lessonsFound(typed).front()->id, lesson) << typed;
    EXPECT_EQ(lessonsFound("").front()->id, builtInLessons().lessons.front().id);
}

TEST(Palette, OffersCommandsScenariosLessonsAndFiles) {
    const auto entries = paletteEntries(opened());
    const auto count = [&](PaletteKind kind) {
        return static_cast<std::size_t>(std::ranges::count(entries, kind, &PaletteEntry::kind));
    };
    EXPECT_EQ(count(PaletteKind::scenario), allScenarios().size());
    EXPECT_EQ(count(PaletteKind::lesson), builtInLessons().lessons.size());
    EXPECT_EQ(count(PaletteKind::file), 1u);
    EXPECT_GT(count(PaletteKind::command), 30u);
}

TEST(Palette, FindsALessonByWhatItSays) {
    for (const char* const word : {"barrier", "constant memory", "broadcast", "syncthreads"}) {
        const auto entries = paletteEntries(opened(word));
        EXPECT_TRUE(std::ranges::any_of(entries, [](const PaletteEntry& entry) {
            return entry.kind == PaletteKind::lesson;
        })) << word;
    }
    EXPECT_TRUE(paletteEntries(opened("nobodysaysthis")).empty());
}

TEST(Palette, FindsLaunchesAndFindingsOfTheOpenFile) {
    AppState state = opened("histogramO");
    apply(state, OpenProgram{"a.cu"});
    auto version = std::make_shared<ProgramVersion>();
    LaunchReport& launch = version->trace.launches.emplace_back();
    launch.index = 7;
    launch.kernel = "histogramOfMine(int*)";
    Finding& finding = version->trace.findings.emplace_back();
    finding.kind = FindingKind::sharedRace;
    finding.place.line = 18;
    finding.words = "two threads meet";
    apply(state, ProgramTraced{"a.cu", std::move(version)});
    apply(state, OpenPalette{});
    const auto first = [&](const std::string& typed) {
        apply(state, FilterPalette{typed});
        return paletteEntries(state).at(0);
    };
    EXPECT_TRUE(first("histo").commands.front().is<ChooseProgramLaunch>())
        << "not a scenario of that name";
    EXPECT_EQ(first("18 race").words, "Line 18: two threads meet");
    EXPECT_TRUE(first("18 race").commands.front().is<ShowFinding>());
}

TEST(Palette, FindsTheCostliestLineAndRemediesOfTheOpenFile) {
    AppState state = opened();
    apply(state, OpenProgram{"a.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->lines.assign(9, "a[i] = 0;");
    for (const std::uint32_t line : {3, 7}) {
        LaunchReport& launch = version->trace.launches.emplace_back();
        launch.index = line;
        launch.kernel = "fill";
        ProgramLine& store = launch.lines.emplace_back();
        store.place = {"a.cu", line, 1};
        store.kind = AccessKind::store;
        store.requests = 1;
        store.idealSectors = 4;
        store.sectors = 4 * line;
    }
    apply(state, ProgramTraced{"a.cu", std::move(version)});
    apply(state, ChooseProgramLaunch{3});
    const auto run = [&](const std::string& typed) {
        apply(state, OpenPalette{});
        apply(state, FilterPalette{typed});
        apply(state, RunPalette{});
    };
    run("costliest");
    EXPECT_EQ(state.program.launch, 7U);
    EXPECT_EQ(state.program.line, 7U);
    run("line 3");
    EXPECT_EQ(state.program.launch, 3U) << "that runs it";
    EXPECT_EQ(state.program.line, 3U);
    run("line 8");
    EXPECT_EQ(state.program.launch, 3U) << "none runs it";
    run("line 7");
    const auto whyNot = [&](const std::string& typed) {
        apply(state, OpenPalette{});
        apply(state, FilterPalette{typed});
        return whyNothing(state);
    };
    EXPECT_EQ(whyNot("apply"), "remedies are being tried");
    EXPECT_EQ(whyNot("Grid 5x3x4").find("The file's own main makes its launches"), 0U);
    EXPECT_EQ(whyNot("line 99"), "lines 1 to 9");
    auto found = std::make_shared<ProgramRemedies>();
    found->place = tracedNow(state.program).value();
    TriedRemedy& tried = found->tried.emplace_back();
    tried.remedy = "exchange-x-and-y";
    tried.file = "a.cu";
    tried.text = "mended";
    tried.diff = "+mended";
    tried.places = {{"a.cu", 3, 1}};
    found->tried.push_back(found->tried.front());
    found->tried.back().remedy = "add-barrier";
    apply(state, RemediesFound{found});
    run("apply");
    EXPECT_FALSE(state.outbox.writesRemedy) << "the chosen line has none";
    EXPECT_EQ(state.program.line, 3U) << "where one is";
    apply(state, ChooseProgramLaunch{7});
    run("remedy");
    EXPECT_EQ(state.program.launch, 3U);
    EXPECT_EQ(state.program.line, 3U);
    run("barrier between");
    EXPECT_EQ(editOfLine(state.program), 1U) << "the one that was chosen comes first";
    apply(state, ChooseProgramLine{3});
    EXPECT_EQ(editOfLine(state.program), 0U);
    run("apply the remedy");
    ASSERT_TRUE(state.outbox.writesRemedy);
    EXPECT_EQ(state.outbox.writesRemedy->text, "mended");
}

TEST(Palette, ALaunchAndAFileOfTheProgramComeBeforeWhatElseIsCalledSo) {
    AppState state = opened();
    apply(state, OpenProgram{"a.cu"});
    auto version = std::make_shared<ProgramVersion>();
    for (std::uint32_t index = 0; index < 2; ++index) {
        LaunchReport& launch = version->trace.launches.emplace_back();
        launch.index = index;
        launch.kernel = "fill";
        launch.launch = {{11, 1, 1}, {1, 1, 1}};
        launch.lines.emplace_back().place = {"sub/total.cu", 3};
    }
    apply(state, ProgramTraced{"a.cu", std::move(version)});
    apply(state, OpenPalette{});
    const auto first = [&](const std::string& typed) {
        apply(state, FilterPalette{typed});
        return paletteEntries(state).at(0).words;
    };
    EXPECT_TRUE(first("launch 1").starts_with("Launch 1:"));
    EXPECT_TRUE(first("1").starts_with("Launch 1:"));
    EXPECT_EQ(first("blockIdx 10"), "Select block (10, 0, 0) of the grid");
    EXPECT_TRUE(first("launch 0").starts_with("Launch 0:"));
    EXPECT_EQ(first("total"), "sub/total.cu");
    EXPECT_EQ(first("total.cu"), "sub/total.cu") << "not a file that is not there";
}

TEST(Palette, FindsLessonsAndScenariosByTheWordsOfTheField) {
    const auto speaksOf = [](std::string text, const std::string& words) {
        std::ranges::transform(text, text.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        return text.find(words) != std::string::npos;
    };
    for (const std::string word :
         {"reduction", "transpose", "atomic", "bank conflict", "matrix multiplication", "padding",
          "shuffle", "occupancy", "coalescing", "divergence"}) {
        const auto entries = paletteEntries(opened(word));
        for (const PaletteKind kind : {PaletteKind::lesson, PaletteKind::scenario}) {
            if (kind == PaletteKind::scenario && word == "occupancy")
                continue;  // any launch has it
            const auto first = std::ranges::find(entries, kind, &PaletteEntry::kind);
            ASSERT_NE(first, entries.end()) << word;
            std::string about = first->words;
            for (const Lesson& lesson : builtInLessons().lessons) {
                if (lesson.title == first->words) about += aboutLesson(lesson);
            }
            for (const Scenario& scenario : allScenarios()) {
                if (scenario.title == first->words) about += groupTitle(scenario.group);
            }
            EXPECT_TRUE(speaksOf(about, word)) << word << ": " << first->words;
        }
    }
}

TEST(Palette, FindsByTitleByIdAndByWhatIsOnTheButton) {
    EXPECT_EQ(firstOf("addition uncoalesced"), "Uncoalesced matrix addition: x and y swapped");
    EXPECT_EQ(firstOf("matadd-swapped"), "Matrix addition, uncoalesced");
    EXPECT_EQ(firstOf("swap"), "Swap x and y of the block");
    EXPECT_EQ(firstOf("2d"), "The block's threads on the map");
    EXPECT_EQ(firstOf("sm"), rowOf(PictureKind::slots).does);
    EXPECT_EQ(firstOf("w"), "Select the next warp");
    EXPECT_EQ(firstOf("next block"), "Select the next block of the grid");
    EXPECT_EQ(firstOf("dark"), "Dark or light");
    EXPECT_EQ(firstOf("bright"), "brightness.cu");
    EXPECT_EQ(firstOf("/tmp/my.cu"), "Open /tmp/my.cu");
    EXPECT_EQ(firstOf("open /tmp/my.cu "), "Open /tmp/my.cu");
    EXPECT_EQ(firstOf("open brightness.cu"), "brightness.cu");
    EXPECT_EQ(firstOf("brightness.cu"), "brightness.cu");
    EXPECT_EQ(std::ranges::count(paletteEntries(opened("brightness.cu")), PaletteKind::file,
                                 &PaletteEntry::kind),
              1);
    EXPECT_EQ(firstOf("nothing is called so"), "");
}

TEST(Palette, OffersOnlyWhatIsPossible) {
    const auto offers = [](const AppState& state, std::string_view words) {
        const auto entries = paletteEntries(state);
        return std::ranges::find(entries, words, &PaletteEntry::words) != entries.end();
    };
    AppState state = opened();
    EXPECT_FALSE(offers(state, "Undo"));
    apply(state, SwapBlockAxes{});
    apply(state, SetBlock{{8, 4, 1}});
    EXPECT_TRUE(offers(state, "Undo"));
    // While a lesson asks, what would lead to its answer is not there.
    apply(state, OpenLesson{"matadd-swapped"});
    EXPECT_FALSE(offers(state, "Swap x and y of the block"));
    EXPECT_TRUE(offers(state, "Dark or light"));
}

TEST(Palette, SetsWhatALineNames) {
    const auto run = [](AppState state) {
        apply(state, RunPalette{});
        return state;
    };
    EXPECT_EQ(firstOf("block 7x3x5"), "block = 7,3,5");
    EXPECT_EQ(firstOf("7x3x5"), "block = 7,3,5");
    EXPECT_EQ(run(opened("block 7 3 5")).edit.experiment.launch.block, (Extents{7, 3, 5}));
    for (const char* words : {"<<<dim3(4,2), dim3(16,16)>>>", "<<<(4, 2, 1), (16, 16, 1)>>>",
                              "add<<<dim3(4, 2), dim3(16, 16), 0>>>(a, n);", "block 16x16 grid 4x2",
                              "16x16 grid 4x2", "grid 4 2 block 16,16"}) {
        EXPECT_EQ(firstOf(words), "grid = 4,2 and block = 16,16: 8 blocks of 256 threads") << words;
        AppState launched = run(opened(words));
        EXPECT_EQ(launched.edit.experiment.launch.grid, (Extents{4, 2, 1})) << words;
        EXPECT_EQ(launched.edit.experiment.launch.block, (Extents{16, 16, 1})) << words;
        apply(launched, Undo{});
        EXPECT_EQ(launched.edit, opened().edit) << "one edit";
    }
    EXPECT_EQ(firstOf("<<<120, 256"), "grid = 120 and block = 256: 120 blocks of 256 threads");
    EXPECT_EQ(firstOf("k<<<(n+255)/256, 256>>>"), "block = 256");
    EXPECT_TRUE(run(opened("<<<(n + 255) / 256, 8>>>")).edit.gridCovers);
    EXPECT_EQ(firstOf("<<<blocks, threads>>>"), "");
    EXPECT_EQ(whyNothing(opened("<<<blocks, threads>>>")).substr(0, 29),
              "a launch is typed in numbers:");
    // A number alone: all that have such a one.
    const auto offered = [](const std::string& typed, std::size_t count) {
        std::vector<std::string> words;
        for (const PaletteEntry& entry : paletteEntries(opened(typed)))
            if (words.size() < count) words.push_back(entry.words);
        return words;
    };
    EXPECT_EQ(offered("3", 4), (std::vector<std::string>{"block = 3", "grid = 3", "Select warp 3",
                                                         "Select block (3, 0, 0) of the grid"}));
    EXPECT_EQ(offered("1000", 2), (std::vector<std::string>{"block = 1000", "grid = 1000"}));
    for (const char* const words : {"block (2,0,1)", "blockIdx 2 0 1", "blockIdx = (2, 0, 1)"}) {
        AppState deep = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                     std::make_shared<RecordingLibrary>(), true);
        apply(deep, SetLaunch{.grid = Extents{3, 1, 2}, .block = {}});
        apply(deep, OpenPalette{});
        apply(deep, FilterPalette{words});
        EXPECT_EQ(run(deep).view.block, (Index3{2, 0, 1})) << words;
        apply(deep, FilterPalette{"blockIdx 3"});
        EXPECT_TRUE(paletteEntries(deep).empty());
        EXPECT_EQ(whyNothing(deep), "blocks (0, 0, 0) to (2, 0, 1)");
    }
    EXPECT_EQ(run(opened("registers 77")).sm.registers, 77u);
    EXPECT_EQ(run(opened("registers 77")).view.picture, PictureKind::slots);
    const AppState gridded = run(opened("Grid 9,8"));
    EXPECT_EQ(gridded.edit.experiment.launch.grid, (Extents{9, 8, 1}));
    EXPECT_FALSE(gridded.edit.gridCovers);
    for (const char* words : {"set n=4096", "n 4096", "n=4096", "set n = 4096"}) {
        EXPECT_EQ(run(opened(words)).edit.experiment.arguments.at("n"), 4096) << words;
    }
    EXPECT_EQ(run(opened("warp 3")).view.warp, WarpRank{3});
    for (const char* words : {"block", "block x", "m 5", "warp 8", "line 1"}) {
        EXPECT_TRUE(firstOf(words).find('=') == std::string::npos) << words;
    }
    EXPECT_EQ(whyNothing(opened("warp 99")), "warps 0 to 7");
    EXPECT_EQ(whyNothing(opened("grid z 70000")),
              "a launch has at most 2147483647,65535,65535 blocks along x, y and z, typed as grid "
              "4,2,3");
    for (const char* const words : {"thread 5,3", "threadIdx = (5, 3, 0)"}) {
        AppState shaped = opened("block 16x16");
        shaped = run(shaped);
        apply(shaped, OpenPalette{});
        apply(shaped, FilterPalette{words});
        EXPECT_EQ(paletteEntries(shaped).at(0).words,
                  "Select warp 1, whose lane 21 is thread (5, 3, 0)");
        AppState held = run(shaped);
        EXPECT_EQ(held.view.warp, WarpRank{1});
        EXPECT_EQ(threadInFocus(held), (Index3{5, 3, 0})) << "not its warp's first";
        apply(held, ToggleWarp{WarpRank{2}});
        EXPECT_EQ(heldThread(held), std::nullopt);
        apply(shaped, FilterPalette{"thread 53"});
        EXPECT_EQ(paletteEntries(shaped).at(0).words,
                  "Select warp 1, whose lane 21 is thread (5, 3, 0)")
            << "its rank in the block";
        apply(shaped, FilterPalette{"thread 16,0"});
        EXPECT_EQ(whyNothing(shaped), "threads (0, 0, 0) to (15, 15, 0)");
    }
    EXPECT_EQ(whyNothing(opened("xyzzy 99")), "nothing is called so");
    AppState asked = opened();
    apply(asked, OpenLesson{"matadd-swapped"});
    apply(asked, OpenPalette{});
    apply(asked, FilterPalette{"block 7x3x5"});
    EXPECT_TRUE(paletteEntries(asked).empty()) << "not while a question is open";
}

TEST(Palette, MovesWithinWhatIsFoundAndRunsTheChosen) {
    AppState state = opened("matrix addition");
    const auto entries = paletteEntries(state);
    ASSERT_GE(entries.size(), 2u);
    apply(state, MovePalette{-5});
    EXPECT_EQ(state.palette.chosen, 0u);
    apply(state, MovePalette{1000});
    EXPECT_EQ(state.palette.chosen, entries.size() - 1);
    apply(state, FilterPalette{"matrix addition, uncoalesced"});
    EXPECT_EQ(state.palette.chosen, 0u);
    apply(state, RunPalette{});
    EXPECT_EQ(state.view.experiment.scenario, "matadd-swapped");
    EXPECT_FALSE(state.palette.open);
    apply(state, RunPalette{});  // it is closed
    EXPECT_EQ(state.view.experiment.scenario, "matadd-swapped");
}

TEST(Palette, LeavesALessonForAScenarioAndOpensLessonsAndFiles) {
    AppState state = opened("lesson x partial");
    apply(state, FilterPalette{"lesson partial-warp"});
    apply(state, RunPalette{});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_EQ(state.view.lesson, "partial-warp");
    apply(state, OpenPalette{});
    apply(state, FilterPalette{"matrix addition, uncoalesced"});
    apply(state, RunPalette{});
    EXPECT_EQ(state.view.mode, Mode::explore);
    EXPECT_EQ(state.view.experiment.scenario, "matadd-swapped");
    apply(state, OpenPalette{});
    apply(state, FilterPalette{"my.cu"});
    apply(state, RunPalette{});
    EXPECT_EQ(state.program.path, "my.cu");
    apply(state, ChooseScenario{"matadd-swapped"});
    EXPECT_FALSE(state.program.isOpen());
}

TEST(Palette, HasItsKeysWhileItIsOpenAndLeavesLettersToItsField) {
    AppState state = opened();
    const auto press = [&](int key) { return commandFor(state, {key}, true); };
    EXPECT_TRUE(press(264)->is<MovePalette>());
    EXPECT_TRUE(press(257)->is<RunPalette>());
    EXPECT_FALSE(press('M'));
    EXPECT_FALSE(press(294));
    apply(state, *press(256));
    EXPECT_FALSE(state.palette.open);
    apply(state, *commandFor(state, {'K', true, false}, true));
    EXPECT_TRUE(state.palette.open);
    apply(state, FilterPalette{"block 33"});
    apply(state, *commandFor(state, {'K', true, false}, true));
    EXPECT_TRUE(state.palette.open);
    EXPECT_EQ(state.palette.typed, "") << "it begins anew";
}

}  // namespace
}  // namespace warplens::window
