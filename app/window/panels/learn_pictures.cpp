#include <algorithm>
#include <cmath>

#include "app/drawing/lesson_pictures.h"
#include "app/drawing/occupancy_slots.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/canvas.h"
#include "app/figure/kinds/kind.h"
#include "app/figure/page.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/learn_parts.h"
#include "app/window/panels/map_panel.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/panels.h"
#include "app/window/state/timeline.h"
#include "core/occupancy/occupancy.h"

namespace warplens::window {
namespace {

/// One picture and the room it has.
class PictureDrawer final {
  public:
    PictureDrawer(const UiContext& ui, MappingCanvas& canvas, const AppState& state,
                  LearnKeeping& keeping, Commands& commands, ImVec2 at, ImVec2 size)
        : ui_(ui),
          canvas_(canvas),
          state_(state),
          keeping_(keeping),
          commands_(commands),
          at_(at),
          size_(size) {}

    void draw(const LearnPicture& picture) {
        if (picture.covered) {
            covered();
            return;
        }
        if (picture.own) return own();
        switch (picture.panel) {
            case PictureKind::threads:
                threads();
                break;
            case PictureKind::line:
                items(drawing::prepareLineUp({.block = state_.view.experiment.launch.block,
                                              .at = state_.lesson.motion.at,
                                              .told = !picture.bare},
                                             area()));
                break;
            case PictureKind::block3d:
                drawBlock3dPicture(mapContextOf(ui_, canvas_, state_), at_, size_, commands_);
                break;
            case PictureKind::lanes:
                lanes();
                break;
            case PictureKind::request:
                request();
                break;
            case PictureKind::reduction:
                rounds();
                break;
            case PictureKind::tiles:
                if (const auto phases = phasesShown()) {
                    items(drawing::prepareTilePhases(*phases, area()));
                }
                break;
            case PictureKind::slots:
                slots();
                break;
            case PictureKind::times:
                times();
                break;
            case PictureKind::waves:
                waves();
                break;
            case PictureKind::source:
                append(commands_, drawSource(ui_, state_, at_, end(), !picture.bare));
                break;
            case PictureKind::table:
                // The first one before the answer; the last one has it.
                if (const Lesson* lesson = shownLesson(state_);
                    lesson != nullptr && !lesson->tables.empty()) {
                    ImGui::SetCursorScreenPos(at_);
                    drawLessonTable(ui_, questionIsOpen(state_) ? lesson->tables.front()
                                                                : lesson->tables.back());
                }
                break;
            default:  // no panel of lessons
                break;
        }
    }

  private:
    [[nodiscard]] ImVec2 end() const { return {at_.x + size_.x, at_.y + size_.y}; }
    [[nodiscard]] ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
    [[nodiscard]] drawing::DrawArea area(float textSize = 1) const {
        return drawArea(ui_.look, at_, end(), textSize);
    }
    void items(const drawing::Items& items) const { paint(list(), ui_.look.fonts, items); }
    void say(const std::string& words) const {
        const Look& look = ui_.look;
        textAt(list(), look.fonts.body, look.colors.muted, at_,
               fitted(look.fonts.body, words, size_.x));
    }

    /// How far the motion has come; a picture that stands still before it shows all there is.
    [[nodiscard]] double come() const {
        const LessonMotion& motion = state_.lesson.motion;
        return motion.playing || motion.at > 0 ? motion.at : 1;
    }

    void covered() const {
        const Look& look = ui_.look;
        list().AddRectFilled(at_, end(), packed(look.colors.raised), look.px(8));
        const char* const lines[] = {"what happens here", "appears when you have answered"};
        float y = at_.y + size_.y / 2 - look.fonts.body->FontSize * 1.3F;
        for (const char* line : lines) {
            textAt(list(), look.fonts.body, look.colors.muted, {at_.x + size_.x / 2, y},
                   fitted(look.fonts.body, line, size_.x - look.px(10)), 0.5F);
            y += look.fonts.body->FontSize * 1.4F;
        }
        ui_.markPicture("lesson.covered", at_, end());
    }
    void threads() {
        const MapContext context = mapContextOf(ui_, canvas_, state_);
        drawMap(context, mapFrame(context, at_, size_), commands_);
    }
    void lanes() const {
        const Timeline timeline(state_);
        const WarpTrace* const trace = shownTrace(state_);
        if (trace == nullptr || timeline.size() == 0) {
            say(trace == nullptr ? "tracing …" : "this warp accesses nothing");
            return;
        }
        items(drawing::prepareLaneBytes(*trace, timeline.stepAt(timeline.position()), area()));
    }
    void request() {
        const Look& look = ui_.look;
        ImGui::SetCursorScreenPos(at_);
        float below = at_.y;
        // While a question is open the step is the lesson's own.
        if (!questionIsOpen(state_) && size_.y > look.px(150)) {
            ImGui::PushFont(look.fonts.small);
            ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(8), look.px(3)));
            ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(4), 0));
            drawStepControls(ui_, state_, end().x, commands_);
            below = ImGui::GetItemRectMax().y + look.px(10);
            ImGui::PopStyleVar(2);
            ImGui::PopFont();
        }
        if (end().y - below > look.px(280) && sectors(below)) return;
        drawWarpStep(ui_, state_, {at_.x, below}, end());
    }
    /// A request to global memory, sector by sector, below `top`; false where the step is none.
    [[nodiscard]] bool sectors(float top) const {
        const Timeline timeline(state_);
        const WarpTrace* const trace = shownTrace(state_);
        if (trace == nullptr || timeline.size() == 0) return false;
        const std::size_t at = timeline.stepAt(timeline.position());
        const WarpStep& step = trace->steps[at];
        if (step.kind == StepKind::branch || step.isShared()) return false;
        draw(*trace, at, drawing::titleOf(*trace, step), top);
        ui_.markPicture("memory", {at_.x, top}, end());
        return true;
    }
    /// What the line did that the lesson was opened from.
    void own() const {
        const OwnStep& own = *state_.lesson.own;
        draw(*own.trace, own.step,
             own.where + ": " + drawing::titleOf(*own.trace, own.trace->steps.at(own.step)), at_.y);
        ui_.markPicture("lesson.own", at_, end());
    }
    /// A step of a warp, below a title and what it costs.
    void draw(const WarpTrace& trace, std::size_t at, const std::string& title, float top) const {
        const WarpStep& step = trace.steps[at];
        const Fonts& fonts = ui_.look.fonts;
        const Colors& c = ui_.look.colors;
        const drawing::CostWords cost = drawing::costWords(trace, step);
        const float room = size_.x - measured(fonts.strong, title).x - ui_.look.px(18);
        textAt(list(), fonts.strong, c.text, {at_.x, top}, title);
        textAt(list(), fonts.body, cost.wasteful ? c.warning : c.muted, {end().x, top},
               measured(fonts.body, cost.full).x <= room ? cost.full : cost.brief, 1);
        drawing::DrawArea below = area(1.3F);
        below.box.top = top + fonts.strong->FontSize + ui_.look.px(10);
        const bool isGlobal = step.kind != StepKind::branch && !step.isShared();
        items(isGlobal ? drawing::prepareSectorGrid(trace, at, below)
                       : drawing::prepareWarpMemory(trace, at, below).items);
    }
    [[nodiscard]] std::optional<drawing::TilePhases> phasesShown() const {
        auto phases = drawing::tilePhasesOf(state_.view.experiment, state_.view.block);
        if (phases) phases->at = state_.lesson.motion.at;
        return phases;
    }
    void rounds() {
        LearnKeeping::Rounds& kept = keeping_.rounds;
        if (kept.of != state_.view.experiment || kept.theme != state_.view.theme ||
            kept.width != size_.x || kept.height != size_.y) {
            const float unit = ui_.look.fonts.small->FontSize / figure::size::smallest;
            const figure::Subject subject{.view = state_.view};
            figure::Canvas canvas(figure::styleOf(state_.view.theme), figure::figureTextWidth());
            figure::drawReduction(canvas, subject, {0, 0, size_.x / unit, size_.y / unit});
            kept = {.of = state_.view.experiment,
                    .theme = state_.view.theme,
                    .width = size_.x,
                    .height = size_.y,
                    .items = canvas.take()};
            figure::enlarge(kept.items, unit);
        }
        // Round after round appears.
        const float shown = size_.y * static_cast<float>(0.1 + 0.9 * come());
        list().PushClipRect(at_, {end().x, at_.y + shown}, true);
        drawing::Items moved = kept.items;
        figure::move(moved, {at_.x, at_.y});
        items(moved);
        list().PopClipRect();
    }
    void slots() {
        const Look& look = ui_.look;
        const ShownSm sm = shownSm(state_);
        ImGui::SetCursorScreenPos(at_);
        text(look.fonts.small, look.colors.muted, sm.limitsFrom);
        wrapped(look.fonts.strong, look.colors.text,
                drawing::occupancyInWords(sm.limits, sm.block));
        wrapped(look.fonts.body, look.colors.warning, drawing::limitInWords(sm.limits, sm.block));
        const float top = ImGui::GetCursorScreenPos().y + look.px(8);
        drawing::DrawArea below = area();
        below.box.top = std::min(top, below.box.bottom - 1);
        if (below.box.height() < look.px(60)) return;
        items(drawing::prepareOccupancySlots(sm.limits, sm.block, below, {}).items);
    }
    void times() const {
        const std::optional<Result> result = shownResult(state_);
        if (!result || !result->measurement->schedule) {
            say("nothing is recorded of when its blocks ran");
            return;
        }
        const Schedule& schedule = *result->measurement->schedule;
        const bool warps = shownRows(state_.time, schedule) == TimeRows::warps;
        const auto prepare = warps ? drawing::prepareWarpChart : drawing::prepareSmChart;
        items(prepare(schedule, area(), shownSpan(state_.time, schedule), {}).items);
    }
    void waves() const {
        const Launch& launch = state_.view.experiment.launch;
        const std::uint32_t atATime =
            occupancyOf(smLimitsNamed("9.0"), {.threads = launch.block.count()}).residentBlocks;
        items(drawing::prepareBlockWaves(launch.grid.count(), atATime, area()));
    }

    const UiContext& ui_;
    MappingCanvas& canvas_;
    const AppState& state_;
    LearnKeeping& keeping_;
    Commands& commands_;
    ImVec2 at_;
    ImVec2 size_;
};

/// The picture that moves, by hand or on its own.
void drawMotion(const UiContext& ui, const AppState& state, Commands& commands) {
    const Look& look = ui.look;
    const LessonMotion& motion = state.lesson.motion;
    if (plainButton(ui, motion.playing ? "Stop##motion" : "Play##motion")) {
        commands.emplace_back(PlayMotion{});
    }
    ui.mark("lesson.play");
    actTooltip(ui, Act::play);
    ImGui::SameLine();
    const char* const still = state.motion ? "Keep still" : "Let it move";
    const float button = buttonWidth(look.fonts.body, still) + look.px(10);
    auto at = static_cast<float>(motion.at);
    ImGui::SetNextItemWidth(std::max(look.px(60), ImGui::GetContentRegionAvail().x - button));
    if (ImGui::SliderFloat("##motion", &at, 0, 1, "")) {
        commands.emplace_back(SetMotionAt{static_cast<double>(at)});
    }
    ui.mark("lesson.motion");
    ImGui::SameLine();
    actButton(ui, state, Act::motion, commands, false, still);
}

/// How much of the height each picture wants: a covered one little, so that the others are large.
float weightOf(const LearnPicture& picture) {
    if (picture.covered) return 0.4F;
    switch (picture.panel) {
        case PictureKind::request:
        case PictureKind::reduction:
            return 1.15F;
        default:
            return 1;
    }
}

}  // namespace

void drawLearnPictures(const UiContext& ui, MappingCanvas& canvas, const AppState& state,
                       const LearnPage& page, LearnKeeping& keeping, Commands& commands) {
    const Look& look = ui.look;
    ImGui::PushTextWrapPos(0);
    text(look.fonts.strong, look.colors.text, scenarioNamed(state.view.experiment.scenario).title);
    ImGui::SameLine(0, look.px(14));
    const float room = ImGui::GetContentRegionAvail().x;
    const bool here = page.elsewhere.empty();
    text(look.fonts.small, here ? look.colors.muted : look.colors.warning,
         fitted(look.fonts.small, here ? page.pictureTitle : page.elsewhere, std::max(1.0F, room)));
    ImGui::PopTextWrapPos();
    if (page.moves) drawMotion(ui, state, commands);
    space(ui, 10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    float weights = 0;
    for (const LearnPicture& picture : page.pictures) weights += weightOf(picture);
    const float gap = look.px(18);
    const float height = size.y - gap * (static_cast<float>(page.pictures.size()) - 1);
    float y = at.y;
    for (std::size_t i = 0; i < page.pictures.size(); ++i) {
        const LearnPicture& picture = page.pictures[i];
        const float share = std::max(1.0F, std::floor(height * weightOf(picture) / weights));
        ImGui::PushID(static_cast<int>(i));
        PictureDrawer(ui, canvas, state, keeping, commands, {at.x, std::floor(y)}, {size.x, share})
            .draw(picture);
        ImGui::PopID();
        y += share + gap;
    }
    pointAway(state, commands);
}

}  // namespace warplens::window
