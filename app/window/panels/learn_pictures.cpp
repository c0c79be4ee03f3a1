
#include "app/drawing/lesson_pictures.h"
#include "app/drawing/occupancy_slots.h"
#include "app/figure/kinds/kind.h"
#include "app/window/panels/learn_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/sm_grid.h"
#include "app/window/state/timeline.h"

namespace warplens::window {
namespace {

constexpr float titleHeight = 36;  ///< of the second of two pictures, with what parts them

/// The sum that the lesson compares the shown one with, where it may be seen beside it.
std::optional<Experiment> otherSum(const AppState& state) {
    const Lesson* const lesson = shownLesson(state);
    if (lesson == nullptr || !lesson->compare || progressOf(state).page > 0) return {};
    const Experiment& a = lesson->launches.at(lesson->compare->a);
    const Experiment& b = lesson->launches.at(lesson->compare->b);
    const Experiment& shown = state.view.experiment;
    if (shown != a && shown != b) return {};
    const Experiment& other = shown == a ? b : a;
    const bool covered = coverNow(state).hidesAny(rowOf(PictureKind::reduction).tells, other);
    return covered ? std::nullopt : std::optional(other);
}

/// One picture and the room it has.
class PictureDrawer final {
  public:
    PictureDrawer(const UiContext& ui, MappingCanvas& canvas, LearnKeeping& keeping, ImVec2 at,
                  ImVec2 size)
        : ui_(ui), canvas_(canvas), keeping_(keeping), at_(at), size_(size) {}

    void draw(const LearnPicture& picture) {
        if (picture.covered) {
            covered();
            return;
        }
        if (picture.own) return own();
        switch (picture.panel) {
            case PictureKind::threads:
                return threads();
            case PictureKind::line:
                return lineUp(!picture.bare);
            case PictureKind::block3d:
                return drawBlock3dPicture(mapContextOf(ui_, canvas_), at_, size_);
            case PictureKind::lanes:
                return lanes();
            case PictureKind::request:
                return request();
            case PictureKind::reduction:
                return rounds();
            case PictureKind::requests:
                return requests();
            case PictureKind::tiles:
                if (const auto phases = phasesShown())
                    items(drawing::prepareTilePhases(*phases, area()));
                return;
            case PictureKind::slots:
                return slots();
            case PictureKind::times:
                return times();
            case PictureKind::waves:
                return waves();
            case PictureKind::barrier:
                return barrier();
            case PictureKind::source:
                return drawSource(ui_, at_, end(), !picture.bare);
            case PictureKind::table:
                // The first one before the answer; the last one has it.
                if (const Lesson* lesson = shownLesson(ui_.state);
                    lesson != nullptr && !lesson->tables.empty()) {
                    ImGui::SetCursorScreenPos(at_);
                    drawLessonTable(ui_, questionIsOpen(ui_.state) ? lesson->tables.front()
                                                                   : lesson->tables.back());
                }
                return;
            default:  // no panel of lessons
                return;
        }
    }

  private:
    [[nodiscard]] ImVec2 end() const { return {at_.x + size_.x, at_.y + size_.y}; }
    [[nodiscard]] ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
    [[nodiscard]] drawing::DrawArea area(float textSize = 1) const {
        return drawArea(ui_.look, at_, end(), textSize);
    }
    void items(const drawing::Items& items) const { paint(list(), ui_.fonts, items); }
    void say(const std::string& words) const {
        textAt(list(), ui_.fonts.body, ui_.colors.muted, at_,
               fitted(ui_.fonts.body, words, size_.x));
    }

    /// How far the motion has come; a picture that stands still before it shows all there is.
    [[nodiscard]] double come() const {
        const LessonMotion& motion = ui_.state.lesson.motion;
        return motion.playing || motion.at > 0 ? motion.at : 1;
    }

    void covered() const {
        list().AddRectFilled(at_, end(), packed(ui_.colors.raised), ui_.px(8));
        const char* const lines[] = {"what happens here", "appears when you have answered"};
        float y = at_.y + size_.y / 2 - ui_.fonts.body->FontSize * 1.3F;
        for (const char* line : lines) {
            textAt(list(), ui_.fonts.body, ui_.colors.muted, {at_.x + size_.x / 2, y},
                   fitted(ui_.fonts.body, line, size_.x - ui_.px(10)), 0.5F);
            y += ui_.fonts.body->FontSize * 1.4F;
        }
        ui_.markPicture("lesson.covered", at_, end());
    }
    void threads() {
        const MapContext context = mapContextOf(ui_, canvas_);
        const float legend = size_.y >= ui_.px(260) ? mapLegendHeight(context, size_.x) : 0;
        drawMap(context, mapFrame(context, at_, {size_.x, size_.y - legend}));
        if (legend > 0) drawMapLegend(context, {at_.x, end().y - legend}, size_.x);
    }
    void lanes() const {
        const Timeline timeline(ui_.state);
        const WarpTrace* const trace = shownTrace(ui_.state);
        if (trace == nullptr || timeline.size() == 0) {
            say(trace == nullptr ? "tracing …" : "this warp accesses nothing");
            return;
        }
        items(drawing::prepareLaneBytes(*trace, timeline.stepAt(timeline.position()), area()));
    }
    void request() {
        ImGui::SetCursorScreenPos(at_);
        float below = at_.y;
        // While a question is open the step is the lesson's own.
        if (!questionIsOpen(ui_.state) && size_.y > ui_.px(150)) {
            ImGui::PushFont(ui_.fonts.small);
            ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui_.px(8), ui_.px(3)));
            ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui_.px(4), 0));
            drawStepControls(ui_, at_.x, end().x);
            below = ImGui::GetItemRectMax().y + ui_.px(10);
            ImGui::PopStyleVar(2);
            ImGui::PopFont();
        }
        if (end().y - below > ui_.px(280) && sectors(below)) return;
        drawWarpStep(ui_, {at_.x, below}, end());
    }
    /// A request to global memory, sector by sector, below `top`; false where the step is none.
    [[nodiscard]] bool sectors(float top) const {
        const Timeline timeline(ui_.state);
        const WarpTrace* const trace = shownTrace(ui_.state);
        if (trace == nullptr || timeline.size() == 0) return false;
        const std::size_t at = timeline.stepAt(timeline.position());
        const WarpStep& step = trace->steps[at];
        if (!step.isGlobal()) return false;
        draw(*trace, at, drawing::titleOf(*trace, step), top);
        ui_.markPicture("memory", {at_.x, top}, end());
        return true;
    }
    /// What the line did that the lesson was opened from.
    void own() const {
        const OwnStep& own = *ui_.state.lesson.own;
        const WarpStep& step = own.trace->steps.at(own.step);
        if (step.isGlobal()) {
            draw(*own.trace, own.step, own.where + ": " + drawing::titleOf(*own.trace, step),
                 at_.y);
        } else {
            // Its picture has a title.
            textAt(list(), ui_.fonts.strong, ui_.colors.text, at_, own.where);
            drawing::DrawArea below = area(1.3F);
            below.box.top += ui_.fonts.strong->FontSize + ui_.px(10);
            items(drawing::prepareWarpMemory(*own.trace, own.step, below).items);
        }
        ui_.markPicture("lesson.own", at_, end());
    }
    /// A request to global memory, below a title and what it costs.
    void draw(const WarpTrace& trace, std::size_t at, const std::string& title, float top) const {
        const WarpStep& step = trace.steps[at];
        const Fonts& fonts = ui_.fonts;
        const Colors& c = ui_.colors;
        const drawing::CostWords cost = drawing::costWords(trace, step);
        const float room = size_.x - measured(fonts.strong, title).x - ui_.px(18);
        const auto fits = [&](const std::string& words) {
            return measured(fonts.body, words).x <= room;
        };
        textAt(list(), fonts.strong, c.text, {at_.x, top}, title);
        const bool isBeside = fits(cost.full) || fits(cost.brief);
        if (!isBeside) top += fonts.strong->FontSize + ui_.px(4);
        textAt(list(), fonts.body, cost.wasteful ? c.warning : c.muted,
               {isBeside ? end().x : at_.x, top}, fits(cost.full) ? cost.full : cost.brief,
               isBeside ? 1 : 0);
        drawing::DrawArea below = area(1.3F);
        below.box.top = top + fonts.strong->FontSize + ui_.px(10);
        items(drawing::prepareSectorGrid(trace, at, below));
    }
    void lineUp(bool told) {
        const Extents block = ui_.state.view.experiment.launch.block;
        drawing::LineUp lineUp{.block = block, .at = ui_.state.lesson.motion.at, .told = told};
        if (const auto thread = threadAsked(ui_.state))
            lineUp.marked = threadRankInBlock(*thread, block);
        items(drawing::prepareLineUp(lineUp, area()));
    }
    [[nodiscard]] std::optional<drawing::TilePhases> phasesShown() const {
        auto phases = drawing::tilePhasesOf(ui_.state.view.experiment, ui_.state.view.block);
        if (phases) phases->at = ui_.state.lesson.motion.at;
        return phases;
    }
    /// Of launches that are traced for it: made anew only where what is drawn is another.
    template <class Make>
    drawing::Items& kept(PictureKind picture, const std::vector<Experiment>& of, Make make) {
        LearnKeeping::Traced& kept = keeping_.traced;
        const View& view = ui_.state.view;
        if (kept.of != of || kept.picture != picture || kept.array != view.array ||
            kept.theme != view.theme || kept.width != size_.x || kept.height != size_.y) {
            kept = {.of = of,
                    .picture = picture,
                    .array = view.array,
                    .theme = view.theme,
                    .width = size_.x,
                    .height = size_.y,
                    .items = make()};
        }
        return kept.items;
    }
    /// Of all warps of the block, which are traced once.
    template <class Prepare>
    void ofBlock(PictureKind picture, Prepare prepare) {
        const View& view = ui_.state.view;
        drawing::Items moved = kept(picture, {view.experiment}, [&] {
            std::vector<WarpTrace> warps;
            for (std::uint32_t w = 0; w < warpCountPerBlock(view.experiment.launch.block); ++w) {
                warps.push_back(traceWarp({view.experiment, view.block, {w}}));
            }
            drawing::DrawArea room = area();
            room.box = {0, 0, size_.x, size_.y};
            return prepare(warps, room);
        });
        figure::move(moved, {at_.x, at_.y});
        items(moved);
    }
    void requests() {
        ofBlock(PictureKind::requests, [&](const auto& warps, const drawing::DrawArea& room) {
            return drawing::prepareBlockRequests(warps, ui_.state.view.array.value_or(0), room);
        });
    }
    void barrier() {
        ofBlock(PictureKind::barrier, [](const auto& warps, const drawing::DrawArea& room) {
            return drawing::prepareBarrier(warps, room);
        });
    }
    /// On a lesson's first page both sums that it compares are there, one below the other.
    void rounds() {
        float unit = ui_.fonts.small->FontSize / figure::size::smallest;
        std::vector<Experiment> sums{ui_.state.view.experiment};
        drawing::Box room{0, 0, size_.x / unit, size_.y / unit};
        const auto other = otherSum(ui_.state);
        // Where both have no room their letters are smaller.
        for (const float share : {1.0F, 0.9F, 0.8F, 0.7F}) {
            const float each = unit * share;
            const drawing::Box half{0, 0, size_.x / each, (size_.y / each - titleHeight) / 2};
            if (sums.size() > 1 || !other || !figure::fitsReduction(*other, half)) continue;
            sums.push_back(*other);
            room = half;
            unit = each;
        }
        const float pitch = room.height() + titleHeight;
        drawing::Items moved = kept(PictureKind::reduction, sums, [&] {
            figure::Canvas canvas(figure::styleOf(ui_.state.view.theme), figure::figureTextWidth());
            figure::Subject subject{.view = ui_.state.view};
            figure::drawReduction(canvas, subject, room);
            if (sums.size() > 1) {
                subject.view.experiment = sums[1];
                canvas.write({0, room.bottom, room.right, pitch},
                             {"The other sum: " + scenarioNamed(sums[1].scenario).title,
                              drawing::Face::strong, figure::size::smallest, canvas.colors().text});
                figure::drawReduction(canvas, subject, {0, pitch, room.right, pitch + room.bottom});
            }
            drawing::Items made = canvas.take();
            figure::enlarge(made, unit);
            return made;
        });
        figure::move(moved, {at_.x, at_.y});
        // Round after round appears.
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const float top = at_.y + pitch * unit * static_cast<float>(i);
            const float shown = pitch * unit * static_cast<float>(0.1 + 0.9 * come());
            list().PushClipRect({at_.x, top}, {end().x, top + shown}, true);
            items(moved);
            list().PopClipRect();
        }
    }
    void slots() {
        const ShownSm sm = shownSm(ui_.state);
        const drawing::GridShare grid = shownGrid(ui_.state);
        ImGui::SetCursorScreenPos(at_);
        text(ui_.fonts.small, ui_.colors.muted,
             "Compute capability " + toString(sm.limits.capability) +
                 (ui_.state.view.capability ? "" : ", " + sm.limitsFrom));
        wrapped(ui_.fonts.strong, ui_.colors.text,
                drawing::occupancyInWords(sm.limits, sm.block, grid));
        wrapped(ui_.fonts.body, ui_.colors.warning,
                drawing::limitInWords(sm.limits, sm.block, grid));
        const float top = ImGui::GetCursorScreenPos().y + ui_.px(8);
        drawing::DrawArea below = area();
        below.box.top = std::min(top, below.box.bottom - 1);
        if (below.box.height() < ui_.px(60)) return;
        items(drawing::prepareOccupancySlots(sm.limits, sm.block, below, {}, grid).items);
    }
    void times() const {
        const std::optional<Result> result = shownResult(ui_.state);
        if (!result || !result->measurement->schedule) {
            say("nothing is recorded of when its blocks ran");
            return;
        }
        const Schedule& schedule = *result->measurement->schedule;
        const bool warps = shownRows(ui_.state.time, schedule) == TimeRows::warps;
        const auto prepare = warps ? drawing::prepareWarpChart : drawing::prepareSmChart;
        items(prepare(schedule, area(), shownSpan(ui_.state.time, schedule), {}).items);
    }
    void waves() const {
        const Launch& launch = ui_.state.view.experiment.launch;
        const std::uint32_t atATime =
            occupancyOf(smLimitsNamed("9.0"), {.threads = launch.block.count()}).residentBlocks;
        items(drawing::prepareBlockWaves(launch.grid.count(), atATime, area()));
    }

    const UiContext& ui_;
    MappingCanvas& canvas_;
    LearnKeeping& keeping_;
    ImVec2 at_;
    ImVec2 size_;
};

/// The picture that moves, by hand or on its own.
void drawMotion(const UiContext& ui) {
    const LessonMotion& motion = ui.state.lesson.motion;
    commandButton(ui, motion.playing ? "Stop##motion" : "Play##motion", "lesson.play",
                  PlayMotion{});
    actTooltip(ui, Act::play);
    ImGui::SameLine();
    const char* const still = ui.state.motion ? "Keep still" : "Let it move";
    const float button = buttonWidth(ui.fonts.body, still) + ui.px(10);
    auto at = static_cast<float>(motion.at);
    ImGui::SetNextItemWidth(std::max(ui.px(60), ImGui::GetContentRegionAvail().x - button));
    if (ImGui::SliderFloat("##motion", &at, 0, 1, "")) {
        ui.issue(SetMotionAt{static_cast<double>(at)});
    }
    ui.mark("lesson.motion");
    ImGui::SameLine();
    actButton(ui, Act::motion, false, still);
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

void drawLearnPictures(const UiContext& ui, MappingCanvas& canvas, const LearnPage& page,
                       LearnKeeping& keeping) {
    ImGui::PushTextWrapPos(0);
    const auto room = [] { return std::max(1.0F, ImGui::GetContentRegionAvail().x); };
    if (page.elsewhere.empty()) {
        text(ui.fonts.strong, ui.colors.text,
             scenarioNamed(ui.state.view.experiment.scenario).title);
        ImGui::SameLine(0, ui.px(14));
        text(ui.fonts.small, ui.colors.muted, fitted(ui.fonts.small, page.pictureTitle, room()));
    } else {
        text(ui.fonts.title, ui.colors.text,
             fitted(ui.fonts.title, "To compare: " + page.elsewhere, room()));
    }
    ImGui::PopTextWrapPos();
    if (page.moves) drawMotion(ui);
    space(ui, 10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    float weights = 0;
    for (const LearnPicture& picture : page.pictures) weights += weightOf(picture);
    const float gap = ui.px(18);
    const float height = size.y - gap * (static_cast<float>(page.pictures.size()) - 1);
    float y = at.y;
    for (std::size_t i = 0; i < page.pictures.size(); ++i) {
        const LearnPicture& picture = page.pictures[i];
        const float share = std::max(1.0F, std::floor(height * weightOf(picture) / weights));
        ImGui::PushID(static_cast<int>(i));
        PictureDrawer(ui, canvas, keeping, {at.x, std::floor(y)}, {size.x, share}).draw(picture);
        ImGui::PopID();
        y += share + gap;
    }
    pointAway(ui);
}

}  // namespace warplens::window
