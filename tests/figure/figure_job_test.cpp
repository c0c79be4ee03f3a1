// The figures that the window saves and copies.
#include "app/window/figure_job.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <thread>

#include "app/drawing/warp_memory.h"
#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "app/window/program_tracer.h"
#include "app/window/state/action_keys.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/timeline.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {
namespace {

using tests::TemporaryFolder;

FigureOrder someOrder() {
    return {.number = 7,
            .target = FigureTarget::files,
            .view = {.experiment = initialExperiment(scenarioNamed("warp-grouping"))}};
}

/// Sets a variable of the environment while it lives.
class Variable final {
  public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() {
        if (before_) {
            ::setenv(name_, before_->c_str(), 1);
        } else {
            ::unsetenv(name_);
        }
    }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

/// Whether a text of the slide has the words in it.
bool says(const Slide& slide, std::string_view words) {
    return std::ranges::any_of(slide.items, [&](const drawing::Item& item) {
        const auto* const text = std::get_if<drawing::Text>(&item);
        return text != nullptr && text->words.find(words) != std::string::npos;
    });
}

TEST(FigureJob, SavesTheSweepOrTheRoofWhereThatIsWhatIsOpen) {
    const TemporaryFolder folder;
    FigureOrder order = someOrder();
    const SweepPlan plan = planOf(initialExperiment(scenarioNamed("access-stride")), true,
                                  std::get<Axis>(parseAxis("over", "stride=1..4")));
    order.sweep = std::make_shared<const KeptSweep>(KeptSweep{sweepOf(plan), false});
    order.quantities = {*findQuantity("time")};
    const std::string stem = (folder.path() / "warplens-access-stride-over-stride").string();
    EXPECT_EQ(drawFigure(order, folder.path()).text,
              "Figure saved: " + stem + ".pdf, .svg and .png");
    order.sweep.reset();
    order.roofline = std::make_shared<const Roofline>();
    const std::string roof = (folder.path() / "warplens-roofline").string();
    EXPECT_EQ(drawFigure(order, folder.path()).text,
              "Figure saved: " + roof + ".pdf, .svg and .png");
}

TEST(FigureJob, SavesUnderANewNameEachTime) {
    const TemporaryFolder folder;
    const FigureDrawn first = drawFigure(someOrder(), folder.path());
    EXPECT_EQ(first.number, 7u);
    EXPECT_EQ(first.kind, MessageKind::note);
    const std::string stem = (folder.path() / "warplens-warp-grouping-32x32").string();
    EXPECT_EQ(first.text, "Figure saved: " + stem + ".pdf, .svg and .png");
    EXPECT_EQ(drawFigure(someOrder(), folder.path()).text,
              "Figure saved: " + stem + "-2.pdf, .svg and .png");
    for (const char* end : {".pdf", ".svg", ".png", "-2.pdf", "-2.svg", "-2.png"}) {
        EXPECT_TRUE(std::filesystem::exists(stem + end)) << end;
    }
}

TEST(FigureJob, SavesTheCellsWithTheNumbersThatWereChosenForThem) {
    FigureOrder order = someOrder();
    EXPECT_FALSE(says(*slideOf(order, 1280, 720), "its rank"));
    order.view.experiment.launch.block = {8, 8, 1};
    order.view.numbers = CellNumbers::rank;
    EXPECT_TRUE(says(*slideOf(order, 1280, 720), "in each cell: its rank"));
    EXPECT_EQ(proposedName(order), "warplens-warp-grouping-8x8-2d");
    order.view.below = LowerTab::source;
    EXPECT_FALSE(says(*slideOf(order, 1280, 720), "its rank"));
}

TEST(FigureJob, SavesUnderTheNameThatWasTyped) {
    const TemporaryFolder folder;
    FigureOrder order = someOrder();
    order.paper = FigurePaper{.pdf = false, .png = false, .name = "week 3"};
    EXPECT_EQ(drawFigure(order, folder.path()).text,
              "Figure saved: " + (folder.path() / "week 3").string() + ": .svg");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "week 3.svg"));
    order.paper->theme = Theme::print;
    EXPECT_EQ(drawFigure(order, folder.path()).text,
              "Figure saved: " + (folder.path() / "week 3-print").string() + ": .svg");
    order.paper->theme = Theme::light;
    order.paper->title = "Title of mine";
    order.paper->caption = "And a caption.";
    order.paper->name = "own";
    (void)drawFigure(order, folder.path());
    const std::string svg = readFile((folder.path() / "own.svg").string());
    EXPECT_NE(svg.find(">Title of mine</text>"), std::string::npos);
    EXPECT_NE(svg.find(">And a caption.</text>"), std::string::npos);
    EXPECT_EQ(svg.find(">Threads into warps</text>"), std::string::npos);
    EXPECT_NE(svg.find(" --title 'Title of mine'"), std::string::npos);
    order.paper->png = true;
    order.paper->width = 1920;
    order.paper->height = 1080;
    order.paper->name = "large";
    (void)drawFigure(order, folder.path());
    // Width and height as the PNG's header says them.
    EXPECT_EQ(readFile((folder.path() / "large.png").string()).substr(16, 8),
              std::string("\0\0\x07\x80\0\0\x04\x38", 8));
    order.paper->png = false;
    order.paper->title = std::string(200, 'w');
    const Command refused = previewNow({order, 1280, 720}, {});
    EXPECT_EQ(refused.as<FigurePreviewed>()->slide, nullptr);
    EXPECT_NE(refused.as<FigurePreviewed>()->problem.find("at most two lines"), std::string::npos);
    order.paper->name = "figures/week 3";
    EXPECT_EQ(drawFigure(order, folder.path()).kind, MessageKind::error);
}

TEST(FigureJob, NamesOwnLaunchesByTheirKernels) {
    auto version = std::make_shared<ProgramVersion>();
    for (const char* kernel : {"naive", "tiled<32>", "naive"}) {
        LaunchReport launch;
        launch.kernel = kernel;
        launch.index = static_cast<std::uint32_t>(version->trace.launches.size());
        version->trace.launches.push_back(launch);
    }
    FigureOrder order = someOrder();
    const auto shown = [&](std::uint32_t launch) {
        return ShownLaunch{.path = "/home/me/transpose.cu", .version = version, .launch = launch};
    };
    order.program = shown(1);
    EXPECT_EQ(proposedName(order), "warplens-transpose-tiled-32");
    order.programAgainst = shown(2);
    EXPECT_EQ(proposedName(order), "warplens-transpose-tiled-32-against-naive-launch2");
}

TEST(FigureJob, SaysWhyItCannotSave) {
    const TemporaryFolder folder;
    const FigureDrawn drawn = drawFigure(someOrder(), folder.path() / "none");
    EXPECT_EQ(drawn.kind, MessageKind::error);
    EXPECT_NE(drawn.text.find("Figure not drawn: cannot write "), std::string::npos);
    EXPECT_NE(drawn.text.find("No such file or directory"), std::string::npos) << drawn.text;
}

TEST(FigureJob, SaysWhatIsMissingToCopy) {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    const TemporaryFolder empty;
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    // popen needs /bin/sh, which it finds without the path.
    const Variable path("PATH", empty.path().string());
    FigureOrder order = someOrder();
    order.target = FigureTarget::clipboard;
    {
        const Variable wayland("WAYLAND_DISPLAY", "");
        const FigureDrawn drawn = drawFigure(order, empty.path());
        EXPECT_EQ(drawn.kind, MessageKind::warning);
        EXPECT_NE(drawn.text.find("xclip is not installed"), std::string::npos) << drawn.text;
    }
    const Variable wayland("WAYLAND_DISPLAY", "wayland-0");
    const FigureDrawn drawn = drawFigure(order, empty.path());
    EXPECT_NE(drawn.text.find("wl-copy is not installed. It is in the package wl-clipboard"),
              std::string::npos)
        << drawn.text;
}

TEST(FigureJob, FindsTheFolderOfPictures) {
    const TemporaryFolder home;
    const Variable homeIs("HOME", home.path().string());
    const Variable config("XDG_CONFIG_HOME", (home.path() / "config").string());
    EXPECT_EQ(picturesFolder(), std::filesystem::current_path());
    std::filesystem::create_directory(home.path() / "Pictures");
    EXPECT_EQ(picturesFolder(), home.path() / "Pictures");
    std::filesystem::create_directory(home.path() / "Bilder");
    std::filesystem::create_directory(home.path() / "config");
    std::ofstream(home.path() / "config" / "user-dirs.dirs")
        << "# comment\nXDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n";
    EXPECT_EQ(picturesFolder(), home.path() / "Bilder");
}

TEST(PresentPlace, IsAnotherWhereTheSweepOrTheRoofIs) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-swapped")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    const auto place = [&] { return presentPlace(state, 800, 600); };
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.over = "n=64,128"});
    const PresentPlace first = place();
    EXPECT_NE(first.order.sweep, nullptr);
    EXPECT_TRUE(first == place());
    apply(state, Show{.over = "n=64,256"});
    EXPECT_FALSE(first == place());
    apply(state, Show{.tab = RightTab::roof});
    const PresentPlace roof = place();
    EXPECT_TRUE(roof == place());
    apply(state, predictPointNow(*nextRoofPrediction(state), {}));
    EXPECT_FALSE(roof == place());
}

TEST(Slides, ShowTheStepThatIsOnTheScreenWhetherItLoadsOrBranches) {
    FigureOrder order = someOrder();
    order.view.experiment = initialExperiment(scenarioNamed("branch-odd-even"));
    order.view.picture = PictureKind::request;
    order.view.warp = WarpRank{0};
    const WarpTrace trace = traceWarp({order.view.experiment, {}, {0}});
    std::size_t branches = 0;
    std::size_t requests = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(trace.steps.size(), 12); ++i) {
        order.view.step = i;
        (trace.steps[i].kind == StepKind::branch ? branches : requests) += 1;
        const auto slide = slideOf(order, 1280, 720);
        EXPECT_TRUE(says(*slide, drawing::titleOf(trace, trace.steps[i]))) << i;
        const drawing::CostWords cost = drawing::costWords(trace, trace.steps[i]);
        EXPECT_TRUE(says(*slide, cost.full) || says(*slide, cost.brief)) << i;
    }
    EXPECT_GT(branches, 0u);
    EXPECT_GT(requests, 0u);
}

/// The slide of what is presented.
std::shared_ptr<const Slide> presented(const AppState& state) {
    const Command done = presentNow(presentPlace(state, 1280, 720), {});
    const auto* const slide = done.as<Presented>();
    return slide == nullptr ? nullptr : slide->slide;
}

TEST(PresentPlace, GoesThroughALessonByTheKeysOfARemote) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-swapped")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, OpenLesson{"access-stride"});
    apply(state, tellNow(*lessonPlace(state), {}));
    apply(state, SetMode{Mode::present});
    const auto press = [&](int key) {
        const auto command = commandFor(state, {key}, false);
        ASSERT_TRUE(command) << key;
        apply(state, *command);
    };
    const auto shows = [&](std::string_view words) {
        const auto slide = presented(state);
        return slide != nullptr && says(*slide, words);
    };
    EXPECT_TRUE(shows("How many sectors"));
    EXPECT_FALSE(shows("32."));
    EXPECT_TRUE(shows("page 1 of 6 · Page Down or Enter shows the answer"));
    for (const int key : {keys::keyPageDown, keys::keyRight, keys::keyDown, int{' '},
                          keys::keypadEnter, keys::keyEnter}) {
        restartLesson(state, "access-stride");
        EXPECT_TRUE(questionIsOpen(state));
        press(key);
        EXPECT_TRUE(shows("at a stride of 8? Answer: 32.")) << key;
    }
    // A slip of the thumb must not cost the vote.
    for (const int key : {keys::keyPageUp, keys::keyLeft}) {
        press(key);
        EXPECT_TRUE(shows("page 1 of 6 · Page Down or Enter shows the answer")) << key;
        EXPECT_TRUE(state.messages.empty());
        press(key);
        EXPECT_TRUE(questionIsOpen(state));
        ASSERT_EQ(state.messages.size(), 1u);
        EXPECT_EQ(state.messages.front().text, "That is the first page of the lesson.");
        state.messages.clear();
        press(keys::keyPageDown);
        EXPECT_TRUE(shows("at a stride of 8? Answer: 32.")) << key;
    }
    int page = 1;
    for (const int key : {keys::keyPageDown, keys::keyRight, int{' '}}) {
        press(key);
        const std::string place = "page " + std::to_string(++page) + " of 6 · Strided access";
        EXPECT_TRUE(shows(place)) << place;
        EXPECT_TRUE(shows("out[i] = in[i * stride];"));
    }
    press(keys::keyLeft);
    EXPECT_TRUE(shows("page 3 of 6"));
    for (int i = 0; i < 2; ++i) press(keys::keyDown);
    EXPECT_TRUE(shows("page 5 of 6 ·"));
    EXPECT_TRUE(state.messages.empty());
    press(keys::keyPageDown);
    EXPECT_TRUE(shows("page 5 of 6 ·"));
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text,
              "The lesson's other pages are done at a keyboard; Esc ends presenting.");
    EXPECT_FALSE(isPossible(state, actionOf(Act::nextScenario)));
    apply(state, StepBack{});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_TRUE(state.messages.empty()) << "what was told of presenting";
    EXPECT_EQ(progressOf(state).answered, Answered::shown) << "as before it was asked again";
    EXPECT_EQ(progressOf(state).page, 4u) << "where the room was led to";
    EXPECT_EQ(learnPage(state).pages, 6u) << "the exercise is for the keyboard";
    apply(state, TurnPage{1});
    apply(state, SetMode{Mode::present});
    EXPECT_TRUE(shows("page 6 of 6, the last"));
    EXPECT_TRUE(shows("The exercise as it is begun"));
    EXPECT_TRUE(shows("__global__")) << "its code, and no picture of another kernel";
}

/// The words of a presented step: sentences, and names as they are written.
void expectWhole(const LearnPage& page, const StepSubjects& subjects) {
    const std::string said = page.told + ". " + page.words.front();
    EXPECT_EQ(said.find(". ."), said.npos) << said;
    EXPECT_EQ(said.find(".."), said.npos) << said;
    EXPECT_TRUE(said.ends_with('.')) << said;
    for (const char* const key : {" < ", " > ", "arrow", "Ctrl", "Esc", "Space", "Page Down"})
        EXPECT_EQ(said.find(key), said.npos) << said;
    for (const std::string& name : subjects.arrayNames()) {
        std::string capital = name;
        capital[0] = static_cast<char>(std::toupper(capital[0]));
        if (capital == name || capital == "A") continue;
        EXPECT_FALSE(said.starts_with(capital + ". ") ||
                     said.find(". " + capital + ". ") != said.npos)
            << said;
    }
}

/// To its conclusion, and nothing for hands at a keyboard.
TEST(PresentPlace, HasAPictureOnEveryPageOfEveryLesson) {
    const auto library = std::make_shared<const RecordingLibrary>(builtInRecordings());
    for (const Lesson& lesson : builtInLessons().lessons) {
        AppState state = initialState({lesson.here(), true}, library, false);
        apply(state, OpenLesson{lesson.id});
        apply(state, tellNow(*lessonPlace(state), {}));
        apply(state, SetMode{Mode::present});
        for (std::uint32_t page = 0; page <= concludingPage(lesson); ++page) {
            const LearnPage told = learnPage(state);
            ASSERT_EQ(told.page, page) << lesson.id;
            const auto slide = presented(state);
            ASSERT_NE(slide, nullptr) << lesson.id;
            const auto isPictures = [](const drawing::Item& item) {
                const auto* const text = std::get_if<drawing::Text>(&item);
                return text == nullptr || text->face == drawing::Face::numbers;
            };
            EXPECT_GT(std::ranges::count_if(slide->items, isPictures), 2)
                << lesson.id << ", page " << page;
            const std::string said = told.told + ". " + (told.words.empty() ? "" : told.words[0]);
            for (const char* const hand : {"Select ", "ook at ", "Point at ", "Step on",
                                           "tep through", " with >", "click", "Press "}) {
                EXPECT_TRUE(told.kind != PageKind::step || said.find(hand) == std::string::npos)
                    << said;
            }
            if (told.kind == PageKind::step)
                expectWhole(told, subjectsOf({state.view.experiment, {}, {}}));
            if (page == 0) apply(state, RevealAnswer{});
            apply(state, TurnPage{1});
        }
        EXPECT_EQ(learnPage(state).kind, PageKind::conclusion) << lesson.id;
    }
}

/// What the words are read aloud of.
TEST(PresentPlace, DrawsOfEachStepThePanelOfItsPage) {
    const auto library = std::make_shared<const RecordingLibrary>(builtInRecordings());
    std::map<std::string, int> seen;
    for (const Lesson& lesson : builtInLessons().lessons) {
        AppState state = initialState({lesson.here(), true}, library, false);
        apply(state, OpenLesson{lesson.id});
        apply(state, tellNow(*lessonPlace(state), {}));
        apply(state, SetMode{Mode::present});
        apply(state, RevealAnswer{});
        for (std::uint32_t page = 1; page <= lesson.steps.size(); ++page) {
            apply(state, TurnPage{1});
            const auto slide = presented(state);
            ASSERT_NE(slide, nullptr);
            const std::string where = lesson.id + ", step " + std::to_string(page);
            const auto shows = [&](std::string_view words) {
                ++seen[std::string(words)];
                EXPECT_TRUE(says(*slide, words)) << where << ": " << words;
            };
            const LearnPage told = learnPage(state);
            const auto has = [&](PictureKind panel) {
                return std::ranges::count(told.pictures, panel, &LearnPicture::panel) != 0;
            };
            const View& view = state.view;
            const std::string_view about = scenarioNamed(view.experiment.scenario).figure;
            const bool isOfSteps = about == "branches" || about == "reduction";
            if (has(PictureKind::waves)) shows("A model: CUDA promises no order.");
            if (has(PictureKind::slots)) shows(" warps");
            if (has(PictureKind::request) && told.asksMemory && !isOfSteps &&
                told.pictures.front().panel != PictureKind::source &&
                view.picture == PictureKind::threads)
                shows("Warp " + std::to_string(view.warp->value) + ' ');
            EXPECT_FALSE(has(PictureKind::block3d) && says(*slide, "threadIdx.x →")) << where;
            if (lesson.steps[page - 1].scene.apart.value_or(false)) {
                AppState together = state;
                apply(together, SpreadWarps{0});
                EXPECT_NE(presented(together)->items.size(), slide->items.size()) << where;
            }
            if (told.pictures.front().panel != PictureKind::threads || told.asksMemory) continue;
            if (view.map == MapFollows::grid) {
                shows(about == "coverage" ? "inside: " : "blocks, in the order of their rank");
                EXPECT_FALSE(says(*slide, "threadIdx.x →")) << where;
                continue;
            }
            shows("threadIdx.x →");
            constexpr std::array numbers{"arp", "the coordinates of its thread", "its rank",
                                         "the element it writes"};
            shows(numbers.at(static_cast<std::size_t>(view.numbers)));
            // Of another warp neither a cell nor a patch has all of its colour.
            if (!view.warp) continue;
            float lanes = 720;  // all of the warps have theirs below
            for (const drawing::Item& item : slide->items) {
                const auto* const text = std::get_if<drawing::Text>(&item);
                if (text != nullptr && text->words == "lane") lanes = text->at.y;
            }
            for (const drawing::Item& item : slide->items) {
                const auto* const fill = std::get_if<drawing::Fill>(&item);
                if (fill == nullptr || fill->opacity < 1 || fill->box.top > lanes) continue;
                for (std::uint32_t w = 0; w < warpCountPerBlock(view.experiment.launch.block); ++w)
                    EXPECT_TRUE(fill->color != colorOf(WarpRank{w}) ||
                                fill->color == colorOf(*view.warp))
                        << where << ", warp " << w;
            }
        }
    }
    for (const char* const words :
         {"its rank", "the coordinates of its thread", "the element it writes"})
        EXPECT_GT(seen[words], 0) << words;
}

TEST(PresentPlace, EndsWithBothLaunchesOfALessonThatNobodyMeasured) {
    AppState state = initialState({initialExperiment(scenarioNamed("column-major")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, OpenLesson{"column-major"});
    apply(state, tellNow(*lessonPlace(state), {}));
    apply(state, SetMode{Mode::present});
    apply(state, RevealAnswer{});
    const std::uint32_t last = concludingPage(*findLesson("column-major"));
    for (std::uint32_t page = 0; page < last; ++page) apply(state, TurnPage{1});
    const auto slide = presented(state);
    ASSERT_NE(slide, nullptr);
    for (const char* const side : {"4 sectors", "32 sectors"}) EXPECT_TRUE(says(*slide, side));
    // Its words are as large as a step's.
    for (const drawing::Item& item : slide->items) {
        const auto* const text = std::get_if<drawing::Text>(&item);
        if (text == nullptr || !text->words.starts_with("The index formula")) continue;
        EXPECT_GE(text->size, 22);
    }
}

TEST(PresentPlace, StaysAtTheLastStep) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-swapped")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, traceWarpNow(warpInFocus(state)));
    apply(state, SetMode{Mode::present});
    const std::size_t steps = Timeline(state).size();
    apply(state, ChooseStep{steps - 1});
    apply(state, *commandFor(state, {keys::keyRight}, false));
    EXPECT_EQ(Timeline(state).position(), steps - 1);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text, "That is the last step.");
    apply(state, *commandFor(state, {keys::keyLeft}, false));
    EXPECT_TRUE(state.messages.empty()) << "it was read, and lies over the slide";
}

TEST(PresentPlace, TellsTwoLaunchesOneAfterTheOtherAndThenBoth) {
    AppState state =
        initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                     std::make_shared<const RecordingLibrary>(builtInRecordings()), false);
    apply(state, Pin{PinSlot::a});
    apply(state, ChooseScenario{"shared-banks-padded"});
    const FigureOrder before = figureOf(state);
    apply(state, SetMode{Mode::present});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text, "A alone; Page Down: B alone, then both. Esc ends.");
    // What the slide says of A, of B and of both after a key, and what lies over it.
    const auto expectAfter = [&](int key, bool a, bool b, const std::string& said) {
        if (key != 0) apply(state, *commandFor(state, {key}, false));
        const auto slide = presented(state);
        ASSERT_NE(slide, nullptr);
        EXPECT_EQ(says(*slide, "32 wavefronts"), a) << key;
        EXPECT_EQ(says(*slide, "1 wavefront"), b) << key;
        EXPECT_EQ(says(*slide, "1.68 times as fast"), a && b) << key;
        EXPECT_EQ(state.messages.empty() ? "" : state.messages.front().text, said);
    };
    expectAfter(keys::keyPageUp, true, false, "A alone is the first; Esc ends.");
    expectAfter(keys::keyPageDown, false, true, "");
    expectAfter(keys::keyRight, true, true, "");
    expectAfter(keys::keyDown, true, true, "A against B is the last; Esc ends.");
    expectAfter(keys::keyLeft, false, true, "");
    apply(state, SetMode{Mode::explore});
    EXPECT_EQ(figureOf(state).against, before.against);
    EXPECT_TRUE(state.pinnedA);
    // A lesson that is presented is the lesson.
    apply(state, OpenLesson{"access-stride"});
    apply(state, tellNow(*lessonPlace(state), {}));
    apply(state, SetMode{Mode::present});
    apply(state, RevealAnswer{});
    const auto slide = presented(state);
    ASSERT_NE(slide, nullptr);
    EXPECT_TRUE(says(*slide, "at a stride of 8? Answer: 32."));
    EXPECT_TRUE(state.pinnedA);
}

TEST(PresentPlace, ShowsOfOneAloneTheStepThatThePageOfBothShows) {
    AppState state =
        initialState({initialExperiment(scenarioNamed("histogram-global")), true},
                     std::make_shared<const RecordingLibrary>(builtInRecordings()), false);
    apply(state, Pin{PinSlot::a});
    apply(state, ChooseScenario{"histogram-shared"});
    apply(state, SetMode{Mode::present});
    /// What makes the difference begins both columns, whatever else there is of each.
    const auto expectTurnsFirst = [](const Slide& slide) {
        float turns = 0;
        float others = 1e6F;
        for (const drawing::Item& item : slide.items) {
            const auto* text = std::get_if<drawing::Text>(&item);
            if (text == nullptr) continue;
            if (text->words == "Turns of global atomics") turns = text->at.y;
            for (const char* const other :
                 {"Sectors per load request", "Shared atomic requests", "Time"})
                if (text->words == other) others = std::min(others, text->at.y);
        }
        EXPECT_GT(turns, 0);
        EXPECT_LT(turns, others);
    };
    expectTurnsFirst(*presented(state));
    const auto told = [&] {
        apply(state, *commandFor(state, {keys::keyPageDown}, false));
        const auto slide = presented(state);
        if (state.present.part == PairPart::b) expectTurnsFirst(*slide);
        for (const drawing::Item& item : slide->items) {
            const auto* text = std::get_if<drawing::Text>(&item);
            if (text != nullptr && text->words.find(", fewest ") != std::string::npos)
                return text->words;
        }
        return std::string();
    };
    const std::string ofB = told();
    EXPECT_NE(ofB, "");
    // It alone, and none of the warp's others beside it.
    EXPECT_EQ(std::ranges::count_if(presented(state)->items,
                                    [](const drawing::Item& item) {
                                        const auto* text = std::get_if<drawing::Text>(&item);
                                        return text != nullptr &&
                                               text->words.starts_with("Warp 0 ");
                                    }),
              1);
    EXPECT_EQ(told(), ofB);
}

/// A launch of a kernel that loads on one line, and of which a warp takes both paths of the next.
ShownLaunch parting(const std::shared_ptr<ProgramVersion>& version, std::uint32_t line,
                    std::uint64_t divergent) {
    constexpr const char* path = "own.cu";
    LaunchReport& launch = version->trace.launches.emplace_back();
    launch.index = static_cast<std::uint32_t>(version->trace.launches.size() - 1);
    launch.kernel = version->trace.launches.size() == 1 ? "one" : "other";
    launch.launch = {{1, 1, 1}, {64, 1, 1}, 0};
    ProgramLine load;
    load.place = {path, line, 1};
    load.array = "a";
    load.requests = 2;
    load.sectors = load.idealSectors = 8;
    ProgramLine branch;
    branch.place = {path, line + 1, 1};
    branch.kind = AccessKind::branch;
    branch.requests = 32;
    branch.divergent = divergent;
    launch.lines = {load, branch};
    launch.values = valuesOf(launch.lines);
    BlockSteps steps;
    steps.kernel = launch.kernel;
    steps.file = path;
    steps.shape = launch.launch;
    steps.places = {load.place, branch.place};
    steps.arrays = {{"a", 4, 0}};
    steps.branches = {{1, "if (k < s)"}};
    for (std::uint32_t w = 0; w < 2; ++w) {
        WarpSteps& warp = steps.warps.emplace_back();
        warp.steps = {{.place = 0, .bytes = 4, .active = ~0U},
                      {.kind = StepKind::branch,
                       .place = 1,
                       .active = ~0U,
                       .taken = w == launch.index ? 0xffU : 0U}};
        for (std::uint64_t lane = 0; lane < 32; ++lane) warp.offsets.push_back(4 * lane);
        warp.total = 2;
    }
    return {.path = path,
            .version = version,
            .launch = launch.index,
            .steps = std::make_shared<const BlockSteps>(std::move(steps))};
}

TEST(Slides, DrawOfTwoLaunchesOfAFileTheBranchThatMakesTheDifference) {
    auto version = std::make_shared<ProgramVersion>();
    version->lines = linesShown(
        "__global__ void one(float* a) {\n    t[k] = a[k];\n    if (k % s == 0) t[k] = 0;\n}\n"
        "__global__ void other(float* a) {\n    t[k] = a[k];\n    if (k < s) t[k] = 0;\n}\n");
    FigureOrder order = someOrder();
    const ShownLaunch first = parting(version, 2, 32);
    order.program = parting(version, 6, 2);
    order.programAgainst = first;
    const auto both = slideOf(order, 1280, 720);
    EXPECT_TRUE(says(*both, "32 divergent branches"));
    EXPECT_TRUE(says(*both, "2 divergent branches"));
    EXPECT_TRUE(says(*both, "16 times fewer divergent branches"));
    EXPECT_FALSE(says(*both, "sectors"));
    const TemporaryFolder folder;
    order.paper = FigurePaper{.pdf = false, .png = false, .name = "pair"};
    (void)drawFigure(order, folder.path());
    EXPECT_NE(readFile((folder.path() / "pair.svg").string())
                  .find("own.cu --launch 1 --against 'own.cu --launch 0' --view scenario"),
              std::string::npos)
        << "as it is drawn again";
    order.paper.reset();
    for (const auto& [part, line] :
         {std::pair{PairPart::a, "own.cu, line 3"}, std::pair{PairPart::b, "own.cu, line 7"}}) {
        order.part = part;
        const auto alone = slideOf(order, 1280, 720);
        EXPECT_TRUE(says(*alone, line)) << "not that of the first load";
        EXPECT_TRUE(says(*alone, part == PairPart::a ? "Warp 0 at" : "Warp 1 at"))
            << "the warp that takes both paths";
    }
    std::vector<ProgramLine>& lines = version->trace.launches.at(1).lines;
    lines.back().isGuard = true;
    EXPECT_FALSE(says(*slideOf(order, 1280, 720), "at guards")) << "it is what differs";
    lines.push_back(lines.back());
    lines.back().place.line = 8;
    EXPECT_TRUE(says(*slideOf(order, 1280, 720), "2 of them at guards")) << "one beside it";
    // What is asked for by name is drawn: as many sectors of both are neither good nor bad.
    order.part = PairPart::both;
    order.view.picture = PictureKind::request;
    std::vector<std::uint32_t> inks;
    for (const drawing::Item& item : slideOf(order, 1280, 720)->items) {
        const auto* const text = std::get_if<drawing::Text>(&item);
        if (text != nullptr && text->words == "4 sectors") inks.push_back(text->color);
    }
    ASSERT_EQ(inks.size(), 2u);
    EXPECT_EQ(inks[0], inks[1]);
}

TEST(Slides, DrawOfOneAloneHowOftenEachLaneGoesRoundAsThePageOfBothDoes) {
    auto version = std::make_shared<ProgramVersion>();
    version->lines = linesShown(
        "__global__ void one(float* a) {\n    t[k] = a[k];\n    while (k < s) t[k++] = 0;\n}\n"
        "__global__ void other(float* a) {\n    t[k] = a[k];\n    while (k < e) t[k++] = 0;\n}\n");
    FigureOrder order = someOrder();
    ShownLaunch first = parting(version, 2, 32);
    ShownLaunch second = parting(version, 6, 2);
    for (ShownLaunch* shown : {&first, &second}) {
        BlockSteps steps = *shown->steps;
        steps.branches.front().statement = "while (k < s)";
        for (WarpSteps& warp : steps.warps) {
            const BlockStep once = warp.steps.back();
            const std::uint32_t on = shown == &first ? 0xffU : ~0U;
            warp.steps.back().taken = ~0U;
            for (const auto& [active, taken] : {std::pair{~0U, on}, {on, on}, {on, 0U}}) {
                warp.steps.push_back(once);
                warp.steps.back().active = active;
                warp.steps.back().taken = taken;
            }
            warp.total = warp.steps.size();
        }
        shown->steps = std::make_shared<const BlockSteps>(std::move(steps));
        version->trace.launches.at(shown->launch).lines.back().activeLanes =
            shown == &first ? 512 : 1000;
    }
    order.program = second;
    order.programAgainst = first;
    const auto both = slideOf(order, 1280, 720);
    EXPECT_TRUE(says(*both, "512 lane rounds lost"));
    EXPECT_TRUE(says(*both, "21.3 times fewer lane rounds lost"));
    EXPECT_TRUE(says(*both, "1 to 3 times"));
    EXPECT_TRUE(says(*both, "each 3 times"));
    order.part = PairPart::a;
    const auto alone = slideOf(order, 1280, 720);
    EXPECT_TRUE(says(*alone, "line 3: a warp goes round as often as its busiest lane: 3 times"));
    EXPECT_TRUE(says(*alone, "Lane rounds lost at line 3"));
    EXPECT_TRUE(says(*alone, "1 to 3 times"));
    EXPECT_FALSE(says(*alone, "waited")) << "at a loop's end there is nothing to run";
}

TEST(PresentPlace, SaysWhyCountedBranchesAreOthersThanThoseOfTheSource) {
    for (const auto& [scenario, reason] : {std::pair{"branch-long-arms", "of all, loop ends too"},
                                           {"branch-odd-even", "counted  ·  predicated"}}) {
        AppState state =
            initialState({initialExperiment(scenarioNamed(scenario)), true},
                         std::make_shared<const RecordingLibrary>(builtInRecordings()), false);
        apply(state, SetMode{Mode::present});
        const auto slide = presented(state);
        ASSERT_NE(slide, nullptr);
        EXPECT_TRUE(says(*slide, reason)) << scenario;
    }
}

TEST(PinnedLaunch, IsCompiledAsItsFileWas) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "tile.cu";
    const auto textOf = [](const char* size) {
        return std::string(
                   "#include \"type.h\"\nextern \"C\" __global__ void rows(Type* out) {\n") +
               "    __shared__ Type tile[" + size +
               "];\n    tile[threadIdx.x] = out[threadIdx.x];\n" +
               "    __syncthreads();\n    out[threadIdx.x] = tile[threadIdx.x ^ 1];\n}\n";
    };
    writeFileAtomically(folder.path() / "type.h", "using Type = float;\n");
    auto version = std::make_shared<ProgramVersion>();
    version->lines = linesShown(textOf("4096"));
    version->trace.launches.emplace_back().instance = "rows";
    const ShownLaunch shown{.path = path.string(), .version = version};
    for (const char* const now : {"4096", "1024"}) {
        writeFileAtomically(path, textOf(now));
        const CompileAnswer answer = compileAsPinned(shown, "9.0");
        const auto* const failure = std::get_if<Failure>(&answer);
        if (failure != nullptr && failure->message == "there is no nvcc")
            GTEST_SKIP() << "SKIPPED LOUDLY: " << failure->message;
        ASSERT_EQ(failure, nullptr) << failure->message;
        EXPECT_EQ(std::get<CompiledResources>(answer).resources.staticSharedBytes, 16384u) << now;
        EXPECT_EQ(readFile(path), textOf(now)) << "the file is as it was";
    }
}

TEST(PresentPlace, HasBothLaunchesBesideAConclusionThatComparesThem) {
    AppState state =
        initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                     std::make_shared<const RecordingLibrary>(builtInRecordings()), false);
    openLessonAt(state, "shared-banks", concludingPage(*findLesson("shared-banks")));
    apply(state, tellNow(*lessonPlace(state), {}));
    apply(state, SetMode{Mode::present});
    const auto slide = presented(state);
    ASSERT_NE(slide, nullptr);
    for (const char* const words :
         {"1.68 times faster", "32 wavefronts", "1 wavefront", "lane", "bank"})
        EXPECT_TRUE(says(*slide, words)) << words;
}

TEST(FigureChoice, DrawsTheStepThatWasChosenOnTheScreen) {
    AppState state = initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, traceWarpNow(warpInFocus(state)));
    EXPECT_FALSE(stepIsChosen(state)) << "none was";
    const auto arrays = shownTrace(state)->subjects.arrays.size();
    apply(state, ChooseArray{arrays});  // the shared tile, which it stores to first
    ASSERT_TRUE(stepIsChosen(state));
    const auto drawn = [&] {
        const PresentPlace place = previewPlace(state);
        return slideOf(place.order, 1280, 720);
    };
    EXPECT_TRUE(says(*drawn(), "Warp 0 stores to tile"));
    EXPECT_FALSE(says(*drawn(), "Warp 0 loads from tile"));
    apply(state, MoveStep{1});
    EXPECT_TRUE(says(*drawn(), "Warp 0 loads from tile"));
}

TEST(PresentPlace, TakesStepsWhereItsPictureIsOfOne) {
    AppState state = initialState({initialExperiment(scenarioNamed("branch-odd-even")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, SetMode{Mode::present});
    EXPECT_FALSE(figureShowsStep(state));
    EXPECT_TRUE(commandFor(state, {keys::keyPageDown}, false)->is<Report>()) << "it says so";
    apply(state, Show{.picture = PictureKind::request});
    EXPECT_TRUE(figureShowsStep(state));
    EXPECT_TRUE(commandFor(state, {keys::keyPageDown}, false)->is<MoveStep>());
    EXPECT_TRUE(isPossible(state, actionOf(Act::pageOn)));
    EXPECT_TRUE(isPossible(state, actionOf(Act::stepBefore)));
}

TEST(FigureJob, DrawsOneAfterTheOtherOnItsOwnThread) {
    const TemporaryFolder home;
    const Variable homeIs("HOME", home.path().string());
    std::filesystem::create_directory(home.path() / "Pictures");
    const Variable config("XDG_CONFIG_HOME", home.path().string());
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, DrawFigure{});
    apply(state, DrawFigure{});
    NewestJob<FigureOrder> job(drawFigureNow, [] {});
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!state.figures.empty() && std::chrono::steady_clock::now() < until) {
        job.want(state.figures.front());
        if (const auto command = job.take()) apply(state, *command);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_TRUE(state.figures.empty());
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_NE(state.messages[1].text.find("warplens-warp-grouping-32x32-2."), std::string::npos)
        << state.messages[1].text;
    EXPECT_FALSE(job.take());
}

}  // namespace
}  // namespace warplens::window
