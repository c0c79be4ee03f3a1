/// Every part of the window at every size and text size that it promises: what can be pressed lies
/// inside of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <map>
#include <numeric>

#include "app/drawing/warp_trace.h"
#include "app/lessons/library.h"
#include "app/recordings/library.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/cameras.h"
#include "app/window/ui.h"
#include "tests/gl/gl_fixture.h"

namespace warplens::window {
namespace {

struct Part final {
    const char* name;
    std::function<void(AppState&)> set;
    std::vector<const char*> widgets;  ///< that must be there, and in reach
};

void openLesson(AppState& state, bool answered) {
    apply(state, OpenLesson{"matadd-swapped"});
    if (const auto place = lessonPlace(state)) apply(state, tellNow(*place, {}));
    if (!answered) return;
    apply(state, RevealAnswer{});
    apply(state, TurnPage{1});
}

const std::vector<Part>& parts() {
    const std::vector<const char*> bar{"scenario", "measure", "palette", "text.larger", "help"};
    const auto barAnd = [&](std::initializer_list<const char*> more) {
        std::vector<const char*> all = bar;
        all.insert(all.end(), more);
        return all;
    };
    static const std::vector<Part> all{
        {"explore", [](AppState&) {}, barAnd({"map"})},
        {"3d", [](AppState& s) { apply(s, Show{.picture = PictureKind::block3d}); },
         barAnd({"cubes"})},
        {"sm", [](AppState& s) { apply(s, Show{.picture = PictureKind::slots}); }, bar},
        {"time", [](AppState& s) { apply(s, Show{.picture = PictureKind::times}); }, bar},
        {"sweep", [](AppState& s) { apply(s, Show{.tab = RightTab::sweep}); },
         barAnd({"sweep.over"})},
        {"roof", [](AppState& s) { apply(s, Show{.tab = RightTab::roof}); }, bar},
        {"source", [](AppState& s) { apply(s, Show{.below = LowerTab::source}); }, bar},
        {"lessons", [](AppState& s) { apply(s, OpenLesson{}); }, {"lesson.find"}},
        {"question", [](AppState& s) { openLesson(s, false); }, {"lesson.guess", "lesson.close"}},
        {"step", [](AppState& s) { openLesson(s, true); }, {"lesson.on", "lesson.back"}},
        {"present", [](AppState& s) { apply(s, SetMode{Mode::present}); }, {"present"}},
        {"palette", [](AppState& s) { apply(s, OpenPalette{}); }, {"palette.field"}},
        {"help", [](AppState& s) { apply(s, SetHelpOpen{true}); }, {"help.close"}},
        {"welcome", [](AppState& s) { s.welcome = true; }, {"welcome.learn", "welcome.explore"}},
    };
    return all;
}

class Sizes : public GlTest, public testing::WithParamInterface<PixelSize> {
  protected:
    Sizes() : GlTest(GetParam()) {}

    void draw(Ui& ui, AppState& state, ImVec2 pointer = {-1, -1}) {
        const PixelSize size = GetParam();
        ImGui::GetIO().DisplaySize = {static_cast<float>(size.width),
                                      static_cast<float>(size.height)};
        ImGui::GetIO().MousePos = pointer;
        // What lies over another part knows its size from the frame before.
        for (int frame = 0; frame < 3; ++frame) {
            ImGui::GetIO().DeltaTime = 1.0F / 60;
            surface_->bind();
            for (const Command& command : ui.draw(state, 1)) apply(state, command);
            surface_->present();
        }
    }
};

AppState stateOf(const Part& part, float text) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-swapped")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, Show{.textScale = text});
    part.set(state);
    apply(state, predictBlockNow({state.view.experiment, state.view.block}, {}));
    apply(state, traceWarpNow(warpInFocus(state)));
    return state;
}

TEST_P(Sizes, EveryControlOfEveryPartIsInReach) {
    const PixelSize size = GetParam();
    Ui ui;
    for (const float text : {0.5F, 1.0F, 1.5F, 3.0F}) {
        for (const Part& part : parts()) {
            AppState state = stateOf(part, text);
            if (state.view.mode == Mode::present) {
                apply(state, presentNow(presentPlace(state, size.width, size.height), {}));
            }
            draw(ui, state);
            const std::string where =
                std::string(part.name) + " at text size " + std::to_string(text);
            for (const char* const name : part.widgets) {
                const auto found = ui.rects().find(name);
                ASSERT_NE(found, ui.rects().end()) << where << ": no " << name;
                const ImVec4 rect = found->second;
                EXPECT_GE(rect.x, -0.5F) << where << ": " << name;
                EXPECT_GE(rect.y, -0.5F) << where << ": " << name;
                EXPECT_LE(rect.x + rect.z, static_cast<float>(size.width) + 0.5F)
                    << where << ": " << name;
                EXPECT_LE(rect.y + rect.w, static_cast<float>(size.height) + 0.5F)
                    << where << ": " << name;
            }
            if (std::string_view(part.name) == "help") {
                draw(ui, state);  // what is wrapped settles
                const float before = ui.rects().at("help.close").x;
                draw(ui, state);
                EXPECT_EQ(ui.rects().at("help.close").x, before) << where << ": it grows";
            }
            for (const auto& [name, rect] : ui.rects()) {
                EXPECT_TRUE(std::isfinite(rect.x) && std::isfinite(rect.y) && rect.z >= 0 &&
                            rect.w >= 0)
                    << where << ": " << name;
            }
            // What the bar has no room for is behind its last button; that nothing can be measured
            // is said in it.
            if (std::string_view(part.name) == "explore") {
                state.canMeasure = false;
                draw(ui, state);
                EXPECT_TRUE(ui.rects().contains("measure") ||
                            static_cast<float>(size.width) < 1200 * text)
                    << where;
                for (const char* const name :
                     {"lessons", "present", "program.ask", "program.new", "figure"}) {
                    EXPECT_TRUE(ui.rects().contains(name) || ui.rects().contains("more"))
                        << where << ": " << name;
                }
                // A file that was left moves none of the others.
                const auto before = ui.rects();
                state.program.left = "left.cu";
                draw(ui, state);
                EXPECT_TRUE(ui.rects().contains("program.back") || ui.rects().contains("more"))
                    << where;
                for (const auto& [name, rect] : ui.rects()) {
                    const auto was = before.find(name);
                    if (was == before.end() || name == "more" || name == "measure") continue;
                    EXPECT_NEAR(rect.x, was->second.x, 1) << where << ": " << name << " moves";
                }
            }
        }
    }
}

/// A letter as it was drawn last, where it can be seen.
struct Letter final {
    ImVec4 box;  ///< left, top, right, bottom
    ImWchar code = 0;
    [[nodiscard]] float area() const { return (box.z - box.x) * (box.w - box.y); }
};

/// Of every window, in the order of drawing.
std::vector<Letter> drawnLetters() {
    using Place = std::array<float, 4>;
    std::map<Place, ImWchar> glyphs;
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
        for (const ImFontGlyph& glyph : font->Glyphs) {
            if (glyph.Visible != 0)
                glyphs[{glyph.U0, glyph.V0, glyph.U1, glyph.V1}] =
                    static_cast<ImWchar>(glyph.Codepoint);
        }
    }
    std::vector<Letter> letters;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int at = 0; at < data.CmdListsCount; ++at) {
        const ImDrawList& list = *data.CmdLists[at];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            for (unsigned i = 0; i + 5 < command.ElemCount; ++i) {
                const auto vertex = [&](unsigned which) -> const ImDrawVert& {
                    return list.VtxBuffer[static_cast<int>(
                        command.VtxOffset +
                        list.IdxBuffer[static_cast<int>(command.IdxOffset + i + which)])];
                };
                const ImDrawVert& first = vertex(0);
                const ImDrawVert& last = vertex(2);
                const auto found = glyphs.find(Place{first.uv.x, first.uv.y, last.uv.x, last.uv.y});
                if (found == glyphs.end() || (first.col >> 24) < 60) continue;
                const ImVec4& clip = command.ClipRect;
                const Letter letter{{std::max(first.pos.x, clip.x), std::max(first.pos.y, clip.y),
                                     std::min(last.pos.x, clip.z), std::min(last.pos.y, clip.w)},
                                    found->second};
                i += 5;
                if (letter.box.z > letter.box.x && letter.box.w > letter.box.y)
                    letters.push_back(letter);
            }
        }
    }
    return letters;
}

/// What is written around a letter.
std::string wordsAt(const std::vector<Letter>& letters, std::size_t at) {
    std::string words;
    for (std::size_t i = at < 12 ? 0 : at - 12; i < std::min(at + 12, letters.size()); ++i)
        words += letters[i].code < 128 ? static_cast<char>(letters[i].code) : '?';
    return words;
}

/// Two texts where one lies over the other; empty where none does.
std::string overlappingText() {
    const std::vector<Letter> letters = drawnLetters();
    std::vector<std::size_t> order(letters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t at) { return letters[at].box.x; });
    for (auto one = order.begin(); one != order.end(); ++one) {
        const Letter& a = letters[*one];
        for (auto other = one + 1; other != order.end(); ++other) {
            const Letter& b = letters[*other];
            if (b.box.x >= a.box.z) break;
            const float width = std::min(a.box.z, b.box.z) - b.box.x;
            const float height = std::min(a.box.w, b.box.w) - std::max(a.box.y, b.box.y);
            // Neighbours of a text touch, and one with a border is written more than once.
            const bool isTwice = a.code == b.code && std::abs(a.box.x - b.box.x) < 3 &&
                                 std::abs(a.box.y - b.box.y) < 3;
            if (isTwice || height <= 0 || width * height < 0.3F * std::min(a.area(), b.area()))
                continue;
            return '\'' + wordsAt(letters, *one) + "' and '" + wordsAt(letters, *other) + "' at " +
                   std::to_string(a.box.x) + ", " + std::to_string(a.box.y);
        }
    }
    return {};
}

/// Whose lower windows do not show through.
bool covers(const Part& part) {
    const std::string_view name = part.name;
    return name == "palette" || name == "help" || name == "welcome";
}

TEST_P(Sizes, NoTextLiesOverAnother) {
    const PixelSize size = GetParam();
    if (size.width < 1280 || size.width > 1920) GTEST_SKIP() << "three sizes are looked at";
    Ui ui;
    const float text = size.width == 1280 ? 1.5F : 1.0F;
    for (const Part& part : parts()) {
        if (covers(part)) continue;
        AppState state = stateOf(part, text);
        if (state.view.mode == Mode::present)
            apply(state, presentNow(presentPlace(state, size.width, size.height), {}));
        if (state.view.mode == Mode::present)
            apply(state, Report{MessageKind::error,
                                "Not read: the first line says what.\n"
                                "The second says more.\nSo does a third."});
        draw(ui, state);
        EXPECT_EQ(overlappingText(), "") << part.name;
        // A lesson is presented from its own bar.
        if (part.name == std::string_view("step")) {
            // Large words of a large group leave room for one.
            for (const char* const button : {"present", text > 1 ? "present" : "projector"})
                EXPECT_TRUE(ui.rects().contains(button)) << button;
        }
    }
    for (const Lesson& lesson : builtInLessons().lessons) {
        AppState state = stateOf(parts().front(), text);
        apply(state, OpenLesson{lesson.id});
        for (int page = -1; page < static_cast<int>(pageCount(lesson)); ++page) {
            if (page == 0) apply(state, RevealAnswer{});
            if (page > 0) apply(state, TurnPage{1});
            if (const auto place = lessonPlace(state)) apply(state, tellNow(*place, {}));
            apply(state, predictBlockNow({state.view.experiment, state.view.block}, {}));
            apply(state, traceWarpNow(warpInFocus(state)));
            draw(ui, state);
            EXPECT_EQ(overlappingText(), "") << lesson.id << ", page " << page;
        }
    }
}

TEST_P(Sizes, NothingIsLeftOfThePaletteOnceItIsClosed) {
    Ui ui;
    AppState state = stateOf(parts().front(), 1);
    apply(state, OpenPalette{});
    draw(ui, state);
    const auto boxes = [] {
        const auto isSeen = [](const ImGuiWindow* window) {
            return window->Active && !window->Hidden &&
                   (window->Flags & ImGuiWindowFlags_Popup) != 0;
        };
        const auto& all = ImGui::GetCurrentContext()->Windows;
        return std::count_if(all.begin(), all.end(), isSeen);
    };
    EXPECT_EQ(boxes(), 1);
    apply(state, OpenPalette{false});
    surface_->bind();
    for (const Command& command : ui.draw(state, 1)) apply(state, command);
    surface_->present();
    EXPECT_EQ(boxes(), 0);
}

/// As a phone shows it upright, 390 points wide with two pixels to each.
class Upright : public GlTest {
  protected:
    Upright() : GlTest({780, 1688}) {}
};

TEST_F(Upright, StepControlsAreInReachAndNoTextLiesOverAnother) {
    Ui ui;
    for (const Part& part : parts()) {
        if (std::string_view(part.name) != "explore" && std::string_view(part.name) != "step" &&
            std::string_view(part.name) != "source")
            continue;
        AppState state = stateOf(part, 2);
        for (int frame = 0; frame < 3; ++frame) {
            ImGui::GetIO().DisplaySize = {780, 1688};
            ImGui::GetIO().MousePos = {-1, -1};
            ImGui::GetIO().DeltaTime = 1.0F / 60;
            surface_->bind();
            for (const Command& command : ui.draw(state, 1)) apply(state, command);
            surface_->present();
        }
        for (const char* const name : {"array", "play", "step.before", "step.after"}) {
            ASSERT_TRUE(ui.rects().contains(name)) << part.name << ": " << name;
            const ImVec4 rect = ui.rects().at(name);
            EXPECT_LE(rect.x + rect.z, 780 - 20) << part.name << ": " << name;
        }
        EXPECT_EQ(overlappingText(), "") << part.name;
    }
}

/// A file of one's own, traced, with a launch of <<<(4, 4), (16, 16)>>>.
AppState ownFile(float text) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, Show{.textScale = text});
    apply(state, OpenProgram{"transpose.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"__global__ void transpose(const float* in, float* out, int n) {",
                      "    int x = blockIdx.x * blockDim.x + threadIdx.x;",
                      "    out[x * n + blockIdx.y * blockDim.y + threadIdx.y] = in[x];", "}"};
    LaunchReport& launch = version->trace.launches.emplace_back();
    launch.kernel = "transpose";
    launch.launch = {{4, 4, 1}, {16, 16, 1}};
    launch.exact = true;
    ProgramLine& store = launch.lines.emplace_back();
    store.place = {"transpose.cu", 3, 1};
    store.kind = AccessKind::store;
    store.array = "out";
    store.requests = 128;
    store.sectors = 2048;
    store.idealSectors = 512;
    store.uniqueBytes = 16384;
    store.reason = "out[x * n + ...]: neighbouring lanes are 1,024 bytes apart";
    version->trace.exit.status = 0;
    version->trace.exit.output = "4096 right\n";
    apply(state, ProgramTraced{"transpose.cu", std::move(version)});
    return state;
}

/// Where source and picture do not both fit, each leads to the other; what the bar has no room for
/// is behind its last button.
TEST_P(Sizes, AnOwnFileShowsEachPictureAndLeadsBack) {
    const PixelSize size = GetParam();
    if (size.width < 1280 || size.width > 1920) GTEST_SKIP() << "three sizes are looked at";
    Ui ui;
    for (const float text : {1.0F, 1.3F, 1.5F}) {
        AppState state = ownFile(text);
        const auto has = [&](std::string_view name) { return ui.rects().contains(name); };
        const std::string where = " at text size " + std::to_string(text);
        draw(ui, state);
        ASSERT_EQ(state.program.line, 3u);
        ASSERT_TRUE(has("program.source")) << where;
        EXPECT_EQ(overlappingText(), "") << where;
        for (const char* const name : {"figure", "present"}) {
            EXPECT_TRUE(has(name) || has("more")) << name << where;
        }
        apply(state, Show{.theme = Theme::light});
        draw(ui, state);
        EXPECT_EQ(overlappingText(), "") << where;
        const float code = ui.rects().at("program.source").z / static_cast<float>(size.width);
        EXPECT_TRUE(code > 0.51F || text != 1.3F) << code << " of the window" << where;
        for (const PictureKind picture :
             {PictureKind::threads, PictureKind::block3d, PictureKind::slots}) {
            const Action& action = actionOf(picture);
            ASSERT_TRUE(has(action.name)) << action.name << where;
            apply(state, action.command(state));
            draw(ui, state);
            const char* const drawn = picture == PictureKind::threads   ? "map"
                                      : picture == PictureKind::block3d ? "cubes"
                                                                        : "sm.slots";
            EXPECT_TRUE(has(drawn)) << action.name << where;
            EXPECT_EQ(overlappingText(), "") << action.name << where;
            if (!has("program.source")) {
                ASSERT_TRUE(has("tab.source")) << action.name << where;
                apply(state, actionOf(Act::source).command(state));
                draw(ui, state);
            }
            EXPECT_TRUE(has("program.source")) << action.name << where;
        }
        apply(state, Show{.picture = PictureKind::threads});
        apply(state, SetMode{Mode::present});
        apply(state, presentNow(presentPlace(state, size.width, size.height), {}));
        apply(state, Report{MessageKind::note, "That is the last step of all that are there."});
        draw(ui, state);
        EXPECT_TRUE(has("present")) << where;
        EXPECT_EQ(overlappingText(), "") << "presented" << where;
    }
}

/// The slots of an SM come before the words about them.
TEST_P(Sizes, AScenarioShowsTheSlotsOfItsSm) {
    if (GetParam().width < 1280) GTEST_SKIP() << "a small window has the map alone";
    for (const char* const scenario : {"latency-hiding", "shared-banks"}) {
        for (const float text : {1.0F, 1.25F}) {
            Ui ui;
            AppState state =
                initialState({initialExperiment(scenarioNamed(scenario)), true},
                             std::make_shared<const RecordingLibrary>(builtInRecordings()), true);
            apply(state, Show{.textScale = text});
            apply(state, Show{.picture = PictureKind::slots});
            draw(ui, state);
            const std::string where =
                std::string(scenario) + " at text size " + std::to_string(text);
            ASSERT_TRUE(ui.rects().contains("sm.slots")) << where;
            const ImVec4 slots = ui.rects().at("sm.slots");
            EXPECT_LE(slots.y + slots.w, static_cast<float>(GetParam().height)) << where;
            EXPECT_EQ(overlappingText(), "") << where;
        }
    }
}

/// What a projector shows: the costs of each request, and what a remedy changes, without scrolling.
TEST_P(Sizes, AnOwnFilesCostsAndDiffAreInSightInLargeText) {
    const PixelSize size = GetParam();
    if (size.width != 1280 && size.width != 1366) GTEST_SKIP() << "two sizes are looked at";
    Ui ui;
    AppState state = ownFile(1.3F);
    draw(ui, state);
    const ImVec4 lesson = ui.rects().at("program.lesson");
    EXPECT_LT(ui.rects().at("program.reason").y, lesson.y) << "the cause before the cure";
    auto remedies = std::make_shared<ProgramRemedies>();
    remedies->place = tracedNow(state.program).value();
    remedies->tried.push_back({.remedy = "exchange-x-and-y",
                               .file = "transpose.cu",
                               .text = "mended",
                               .places = {{"transpose.cu", 3, 1}},
                               .diff = " before\n-out[x * n + y]\n+out[y * n + x]\n after\n",
                               .unit = "sectors",
                               .before = 2048,
                               .after = 512});
    apply(state, RemediesFound{remedies});
    draw(ui, state);
    std::string written;
    for (const Letter& letter : drawnLetters())
        written += letter.code < 128 ? static_cast<char>(letter.code) : '?';
    EXPECT_TRUE(written.find("arequestused") != written.npos ||
                written.find("orwavefrontsused") != written.npos ||
                written.find("orwavefrontsbytesused") != written.npos)
        << written;
    EXPECT_TRUE(written.find("usedordiverge") != written.npos ||
                written.find("used,diverge") != written.npos)
        << written;
    // What one aims at keeps its place, and what the program printed is in sight.
    EXPECT_EQ(ui.rects().at("program.lesson").y, lesson.y);
    EXPECT_GT(ui.rects().at("program.apply").y, lesson.y + lesson.w);
    EXPECT_NE(written.find("4096right"), written.npos) << written;
    EXPECT_NE(written.find("-out[x*n+y]+out[y*n+x]"), written.npos) << written;
    EXPECT_EQ(overlappingText(), "");
    // Who types has the room of the steps.
    EXPECT_TRUE(ui.rects().contains("step"));
    apply(state, EditProgram{true});
    draw(ui, state);
    EXPECT_FALSE(ui.rects().contains("step"));
    EXPECT_GT(ui.rects().at("program.editor").w, static_cast<float>(size.height) * 0.6F);
    // A long one is seen whole above the picture of an SM, too.
    state = ownFile(1);
    apply(state, Show{.picture = PictureKind::slots});
    remedies->place = tracedNow(state.program).value();
    for (int line = 0; line < 11; ++line) remedies->tried[0].diff += "+one more line;\n";
    apply(state, RemediesFound{remedies});
    draw(ui, state);
    draw(ui, state);
    const ImVec4 diff = ui.rects().at("program.diff");
    EXPECT_LE(diff.y + diff.w, ui.rects().at("view.sm").y);
    // Nor is a button cut of the launch's measured numbers.
    state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                         std::make_shared<const RecordingLibrary>(builtInRecordings()), true);
    apply(state, Show{.textScale = 1.3F});
    draw(ui, state);
    const ImVec4 bars = ui.rects().at("times.histogram");  // in the left part of the column
    const ImVec4 cold = ui.rects().at("times.cold");
    EXPECT_LE(cold.x + cold.z, bars.x + bars.z / 0.46F + 1);
    EXPECT_EQ(overlappingText(), "");
}

/// The rows that differ stand first, and are in sight.
TEST_P(Sizes, WhatTwoLaunchesDifferInIsInSight) {
    if (GetParam().width < 1280) GTEST_SKIP() << "a small window has the map alone";
    for (const float text : {1.0F, 1.25F, 1.5F}) {
        Ui ui;
        AppState state =
            initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                         std::make_shared<const RecordingLibrary>(builtInRecordings()), true);
        apply(state, Show{.textScale = text});
        apply(state, Pin{PinSlot::a});
        apply(state, ChooseScenario{"shared-banks-padded"});
        draw(ui, state);
        const ImVec4 row = ui.rects().at("compared.Effective bandwidth");
        const ImVec4 cause = ui.rects().at("compared.Wavefronts per request");
        EXPECT_LT(row.y, cause.y) << text;
        EXPECT_LT(cause.y, ui.rects().at("compared.Sectors per load").y) << text;
        // Behind its name, and above the line at the foot.
        EXPECT_LE(cause.y, static_cast<float>(GetParam().height) - 45 * text) << text;
        EXPECT_TRUE(ui.rects().contains("block.x")) << text;
    }
}

/// A line that is chosen elsewhere, and what a remedy writes, come into view where one types.
TEST_P(Sizes, TheEditorShowsTheChosenLineAndWhatIsWritten) {
    if (GetParam().width != 1366) GTEST_SKIP() << "one size is looked at";
    Ui ui;
    AppState state = ownFile(1);
    auto version = std::make_shared<ProgramVersion>(*state.program.now);
    version->lines.resize(200, "// more");
    std::string text;
    for (const std::string& line : version->lines) text += line + '\n';
    apply(state, ProgramTraced{"transpose.cu", version});
    apply(state, EditProgram{true});
    apply(state, ProgramRead{"transpose.cu", text});
    const auto drawSettled = [&] {
        for (int frame = 0; frame < 3; ++frame) draw(ui, state);
    };
    drawSettled();
    EXPECT_TRUE(ui.rects().contains("editor.line"));
    ImGui::ClearActiveID();
    for (const std::uint32_t line : {150U, 3U}) {
        apply(state, ChooseProgramLine{line});
        drawSettled();
        EXPECT_TRUE(ui.rects().contains("editor.line")) << line;
    }
    apply(state, ChooseProgramLine{150});
    drawSettled();
    // An error of what was saved, and the line that is chosen already.
    auto wrong = std::make_shared<ProgramVersion>(*version);
    Finding& finding = wrong->trace.findings.emplace_back();
    finding.place = {"transpose.cu", 3, 1};
    finding.launch = 0;
    apply(state, ProgramTraced{"transpose.cu", wrong});
    drawSettled();
    EXPECT_EQ(state.program.line, 3u) << "line 3 is wrong, and of line 150 nothing is to be said";
    EXPECT_TRUE(ui.rects().contains("editor.line"));
    apply(state, ChooseProgramLine{150});
    drawSettled();
    EXPECT_TRUE(ui.rects().contains("editor.line")) << "chosen again";
    // The steps come back below it, which leaves fewer lines.
    auto broken = std::make_shared<ProgramVersion>(*version);
    broken->failure = "transpose.cu:1: error";
    broken->trace.launches.clear();
    apply(state, ProgramTraced{"transpose.cu", broken});
    drawSettled();
    for (const std::uint32_t line : {3U, 30U}) {  // both are seen without scrolling
        apply(state, ChooseProgramLine{line});
        drawSettled();
    }
    EXPECT_TRUE(ui.rects().contains("editor.line")) << "30";
    apply(state, ProgramTraced{"transpose.cu", wrong});
    apply(state, ChooseProgramLaunch{0});
    drawSettled();
    ASSERT_EQ(state.program.line, 3U);
    EXPECT_TRUE(ui.rects().contains("editor.line")) << "line 3 is wrong, and the caret in line 30";
    apply(state, ProgramTraced{"transpose.cu", version});
    apply(state, ChooseProgramLine{150});
    drawSettled();
    apply(state, ProgramTraced{"transpose.cu", version});
    apply(state, ProgramRead{"transpose.cu", "#include <cstdio>\n" + text});
    drawSettled();
    EXPECT_FALSE(ui.rects().contains("editor.line")) << "the first line is new";
}

/// What is never freed changes no result and no cost: what does comes first. However long a remedy
/// is, the chosen block is seen row by row.
TEST_P(Sizes, LeaksStandLastAndTheBlockKeepsItsRoom) {
    if (GetParam().width != 1366) GTEST_SKIP() << "one size is looked at";
    Ui ui;
    AppState state = ownFile(1);
    auto version = std::make_shared<ProgramVersion>(*state.program.now);
    Finding& leak = version->trace.findings.emplace_back();
    leak.kind = FindingKind::neverFreed;
    leak.words = "out (16,384 bytes) is never freed";
    leak.place = {"transpose.cu", 4, 1};
    apply(state, ProgramTraced{"transpose.cu", version});
    auto remedies = std::make_shared<ProgramRemedies>();
    remedies->place = tracedNow(state.program).value();
    remedies->tried.push_back({.remedy = "exchange-x-and-y",
                               .file = "transpose.cu",
                               .text = "mended",
                               .places = {{"transpose.cu", 3, 1}},
                               .unit = "sectors",
                               .before = 2048,
                               .after = 512});
    for (int line = 0; line < 40; ++line) remedies->tried[0].diff += "+one more line;\n";
    apply(state, RemediesFound{remedies});
    for (int frame = 0; frame < 3; ++frame) draw(ui, state);
    EXPECT_GT(ui.rects().at("program.finding.0").y, ui.rects().at("program.costs").y);
    EXPECT_GE(mapLayout(state).fittedCell * 16, 100);
    // What is said of a card lies over the list alone, and the code beside it stays in sight.
    const ImVec4 card = ui.rects().at("program.finding.0");
    draw(ui, state, {card.x + 9, card.y + 9});
    float right = 0;
    for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
        if (window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0)
            right = std::max(right, window->Pos.x + window->Size.x);
    }
    EXPECT_GT(right, card.x);
    EXPECT_LE(right, card.x + card.z + 1);
    // A remedy's own lesson is a button, not only its name.
    remedies = std::make_shared<ProgramRemedies>();
    remedies->place = tracedNow(state.program).value();
    remedies->tried.push_back({.remedy = "use-atomic",
                               .places = {{"transpose.cu", 3, 1}},
                               .unit = "sectors",
                               .before = 2048,
                               .after = 512});
    apply(state, RemediesFound{remedies});
    draw(ui, state);
    EXPECT_TRUE(ui.rects().contains("program.lesson.0"));
}

/// Whoever comes to an open question may type at once, also where it is the one left before.
TEST_P(Sizes, AQuestionHasTheCaretHoweverOneComesToIt) {
    if (GetParam().width != 1366) GTEST_SKIP() << "one size is looked at";
    Ui ui;
    AppState state = initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                                  std::make_shared<const RecordingLibrary>(), false);
    for (int visit = 0; visit < 2; ++visit) {
        openLesson(state, false);
        for (int frame = 0; frame < 4; ++frame) draw(ui, state);
        EXPECT_NE(ImGui::GetActiveID(), 0U) << visit;
        ImGui::ClearActiveID();
        apply(state, OpenLesson{});
        for (int frame = 0; frame < 4; ++frame) draw(ui, state);
        ImGui::ClearActiveID();
    }
}

/// Titles say how far somebody has come.
TEST_P(Sizes, LessonsKeepTheirPlacesInTheListAsOneGoesOn) {
    if (GetParam().width != 1366) GTEST_SKIP() << "one size is looked at";
    Ui ui;
    AppState state = initialState({initialExperiment(scenarioNamed("shared-banks")), true},
                                  std::make_shared<const RecordingLibrary>(), false);
    apply(state, OpenLesson{});
    for (int frame = 0; frame < 3; ++frame) draw(ui, state);
    const auto before = ui.rects();
    const std::string mark = "lesson.open.";
    for (const auto& [name, place] : before) {
        if (name.starts_with(mark))
            state.lesson.progress[name.substr(mark.size())] = {.page = 1, .furthest = 1};
    }
    for (int frame = 0; frame < 3; ++frame) draw(ui, state);
    for (const auto& [name, place] : before) {
        if (!name.starts_with(mark)) continue;
        EXPECT_EQ(ui.rects().at(name).x, place.x) << name;
        EXPECT_EQ(ui.rects().at(name).y, place.y) << name;
    }
}

/// A question is in view whole, with what may be pressed below it, before it is answered.
TEST_P(Sizes, NoQuestionScrolls) {
    const PixelSize size = GetParam();
    if (size.width < 1280) GTEST_SKIP() << "smaller windows scroll";
    Ui ui;
    for (const Lesson& lesson : builtInLessons().lessons) {
        AppState state = stateOf(parts().front(), size.width == 1280 ? 1.5F : 1.0F);
        apply(state, OpenLesson{lesson.id});
        if (const auto place = lessonPlace(state)) apply(state, tellNow(*place, {}));
        draw(ui, state);
        const ImVec4 card = ui.rects().at("lesson.question");
        const ImVec4 last = ui.rects().at("lesson.reveal");
        EXPECT_LE(last.y + last.w, card.y + card.w) << lesson.id;
        EXPECT_GE(last.y, card.y) << lesson.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Sizes,
                         testing::Values(PixelSize{640, 360}, PixelSize{1280, 720},
                                         PixelSize{1366, 768}, PixelSize{1920, 1080},
                                         PixelSize{3840, 2160}),
                         [](const auto& tested) {
                             return std::to_string(tested.param.width) + "x" +
                                    std::to_string(tested.param.height);
                         });

class TooSmall : public GlTest {
  protected:
    TooSmall() : GlTest({320, 200}) {}
};

TEST_F(TooSmall, AWindowSaysSoInOneSentence) {
    Ui ui;
    AppState state = stateOf(parts().front(), 1);
    for (int frame = 0; frame < 2; ++frame) {
        ImGui::GetIO().DisplaySize = {320, 200};
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        surface_->bind();
        for (const Command& command : ui.draw(state, 1)) apply(state, command);
    }
    EXPECT_EQ(ui.rects().size(), 1u);
    EXPECT_TRUE(ui.rects().contains("too_small"));
}

}  // namespace
}  // namespace warplens::window
