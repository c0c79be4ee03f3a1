/// Every part of the window at every size and text size that it promises: what can be pressed lies
/// inside of it.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/drawing/warp_trace.h"
#include "app/lessons/library.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"
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

    void draw(Ui& ui, AppState& state) {
        const PixelSize size = GetParam();
        ImGui::GetIO().DisplaySize = {static_cast<float>(size.width),
                                      static_cast<float>(size.height)};
        ImGui::GetIO().MousePos = {-1, -1};
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
            for (const auto& [name, rect] : ui.rects()) {
                EXPECT_TRUE(std::isfinite(rect.x) && std::isfinite(rect.y) && rect.z >= 0 &&
                            rect.w >= 0)
                    << where << ": " << name;
            }
            // What the bar has no room for is behind its last button.
            if (std::string_view(part.name) == "explore") {
                for (const char* const name : {"lessons", "present", "program.ask", "figure"}) {
                    EXPECT_TRUE(ui.rects().contains(name) || ui.rects().contains("more"))
                        << where << ": " << name;
                }
            }
        }
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
