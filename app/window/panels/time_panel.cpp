
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/scene.h"
#include "core/launch/mapping.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

void chooseRows(const UiContext& ui, const Schedule& schedule) {
    const auto choice = [&](const std::string& label, TimeRows rows, const char* mark,
                            const char* help) {
        commandButton(
            ui, label, mark, SetTimeView{{rows, {}, {}}}, help,
            {.chosen = !showsModel(ui.state) && shownRows(ui.state.time, schedule) == rows});
        ImGui::SameLine(0, ui.px(4));
    };
    choice("All SMs", TimeRows::sms, "time.sms", "A row for each SM");
    choice("SM " + std::to_string(schedule.followedSm), TimeRows::warps, "time.warps",
           "A row for each place of a warp on the SM that ran block 0");
    commandButton(ui, "Model", "time.model", SetTimeView{{TimeRows::model, {}, {}}},
                  "One SM, its schedulers and warps, cycle by cycle; a model",
                  {.chosen = showsModel(ui.state)});
    if (showsModel(ui.state)) return;
    ImGui::SameLine(0, ui.px(12));
    commandButton(ui, "Whole", "time.whole",
                  SetTimeView{{ui.state.time.rows, drawing::TimeSpan{}, {}}},
                  "The whole recorded time; the wheel zooms, a drag moves",
                  {.enabled = !(shownSpan(ui.state.time, schedule) == drawing::TimeSpan{})});
}

/// Wheel and drag over the plot, and a click on a block.
void takePointer(const UiContext& ui, const Schedule& schedule,
                 const drawing::ScheduleChart& chart) {
    const ImGuiIO& io = ImGui::GetIO();
    const double about = std::clamp(
        static_cast<double>((io.MousePos.x - chart.plot.left) / chart.plot.width()), 0.0, 1.0);
    const drawing::TimeSpan before = shownSpan(ui.state.time, schedule);
    drawing::TimeSpan span = before;
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        span = drawing::zoomed(span, std::pow(1.25, io.MouseWheel), about);
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        span = drawing::moved(span, -io.MouseDelta.x / chart.plot.width());
    }
    if (!(span == before)) ui.issue(SetTimeView{{ui.state.time.rows, span, {}}});
    if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && chart.block &&
        io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold) {
        ui.issue(ChooseBlock{blockIndexInGrid(*chart.block, ui.state.view.experiment.launch.grid)});
    }
}

constexpr int leastLatency = 50;
constexpr int mostLatency = 1500;

std::array<Rgb, warpActivities> activityColors(const Colors& c) {
    return {c.accent,
            mixed(c.panel, c.bad, 0.55F),
            mixed(c.panel, c.warning, 0.75F),
            mixed(c.panel, c.text, 0.32F),
            mixed(c.panel, c.text, 0.5F),
            mixed(c.panel, c.good, 0.6F)};
}

void drawKnobs(const UiContext& ui, const ModelledSm* modelled) {
    ModelView view = ui.state.time.model;
    const ModelView before = view;
    if (plainButton(ui, view.playing ? "Pause" : "Play", modelled != nullptr)) {
        view.playing = !view.playing;
    }
    ui.mark("model.play");
    tooltip(ui, "Cycle by cycle; a drag in the picture moves, the wheel shows more or fewer");
    ImGui::SameLine(0, ui.px(12));
    int latency = static_cast<int>(view.latency == 0 ? SmModel{}.globalLatency : view.latency);
    ImGui::SetNextItemWidth(ui.px(110));
    if (ImGui::SliderInt("##latency", &latency, leastLatency, mostLatency, "")) {
        view.latency = static_cast<std::uint32_t>(std::clamp(latency, leastLatency, mostLatency));
    }
    ui.mark("model.latency");
    tooltip(ui, "Until global memory answers. " + std::to_string(SmModel{}.globalLatency) +
                    " were measured on an H100 (docs/sm-model.md)");
    ImGui::SameLine(0, ui.px(4));
    text(ui.fonts.small, ui.colors.muted, "memory " + std::to_string(latency) + " cycles");
    ImGui::SameLine(0, ui.px(12));
    const std::uint32_t resident = modelled == nullptr ? 0 : modelled->place.resident;
    if (plainButton(ui, "–", resident > 1)) view.resident = resident - 1;
    ui.mark("model.fewer");
    ImGui::SameLine(0, ui.px(4));
    text(ui.fonts.number, ui.colors.text, std::to_string(resident));
    ui.mark("model.blocks");
    ImGui::SameLine(0, ui.px(4));
    if (plainButton(ui, "+", resident != 0 && view.resident != 0)) view.resident = resident + 1;
    ui.mark("model.more");
    ImGui::SameLine(0, ui.px(4));
    text(ui.fonts.small, ui.colors.muted, resident == 1 ? "block at once" : "blocks at once");
    if (!(view == before)) ui.issue(SetModelView{view});
}

/// The model's time, and beside it what was measured.
void drawWords(const UiContext& ui, const ModelledSm& modelled) {
    const SmRun& run = modelled.run;
    std::string words =
        "A model, not a measurement: " + formatNumber(run.seconds(), Unit::seconds) +
        " for the launch";
    if (const auto result = shownResult(ui.state)) {
        const double measured = result->measurement->timing.medianSeconds;
        const double off = 100 * (run.seconds() / measured - 1);
        words += ", " + fixedNumber(std::abs(off), 0) + " % " + (off < 0 ? "less" : "more") +
                 " than " + formatNumber(measured, Unit::seconds) + " on " +
                 result->measurement->device.name;
    }
    words +=
        "; its schedulers issue in " + fixedNumber(100 * run.issueShare(), 1) + " % of its cycles.";
    if (run.blocks < run.blocksWanted) {
        words += " From " + groupedDigits(run.blocks) + " of " + groupedDigits(run.blocksWanted) +
                 " blocks of an SM.";
    }
    if (!modelled.cut.empty()) words += " Of " + modelled.cut + ".";
    wrapped(ui.fonts.small, ui.colors.muted, words);
    ui.markPicture("model.words", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void drawLegend(const UiContext& ui, const SmRun& run) {
    const auto colors = activityColors(ui.colors);
    std::uint64_t all = 0;
    for (const std::uint64_t spent : run.spent) all += spent;
    text(ui.fonts.small, ui.colors.muted, "A warp");
    const float side = ui.fonts.small->FontSize * 0.7F;
    const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < warpActivities; ++i) {
        if (run.spent.at(i) == 0) continue;
        const std::string words =
            std::string(inWords(static_cast<WarpActivity>(i))) + ' ' +
            fixedNumber(100.0 * static_cast<double>(run.spent.at(i)) /
                            static_cast<double>(std::max<std::uint64_t>(all, 1)),
                        1) +
            " %";
        const float width = side + ui.px(5) + measured(ui.fonts.small, words).x;
        if (ImGui::GetItemRectMax().x + ui.px(14) + width <= edge) {
            ImGui::SameLine(0, ui.px(14));
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x, at.y + side * 0.3F}, {at.x + side, at.y + side * 1.3F}, packed(colors.at(i)));
        ImGui::Dummy({side, side});
        ImGui::SameLine(0, ui.px(5));
        text(ui.fonts.small, ui.colors.muted, words);
    }
}

/// Rows of warps, those of a scheduler together; cycles to the right.
class ModelChart final {
  public:
    ModelChart(const UiContext& ui, const SmRun& run, const ModelView& view, ImVec2 at, ImVec2 size)
        : ui_(ui), run_(run), view_(view), at_(at), size_(size) {
        const std::uint32_t schedulers = run.model.schedulers;
        const float label = measured(ui.fonts.smallNumber, "sched. 0").x + ui.px(10);
        left_ = at.x + label;
        width_ = size.x - label;
        const float axis = ui.fonts.smallNumber->FontSize + ui.px(4);
        gap_ = ui.px(5);
        row_ = (size.y - axis - static_cast<float>(schedulers - 1) * gap_) /
               static_cast<float>(std::max(run.slots, schedulers));
        row_ = std::min(row_, ui.px(26));
    }

    [[nodiscard]] std::string draw() const {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const auto colors = activityColors(ui_.colors);
        const ImVec2 pointer = ImGui::GetIO().MousePos;
        std::string pointed;
        list.PushClipRect(at_, {at_.x + size_.x, at_.y + size_.y}, true);
        const double end = view_.at + view_.cycles;
        for (const WarpSpan& span : run_.spans) {
            if (static_cast<double>(span.begin) > end) break;
            if (static_cast<double>(span.end) < view_.at) continue;
            const float top = rowTop(span.slot);
            const ImVec2 from{std::max(left_, x(span.begin)), top};
            const ImVec2 to{std::min(left_ + width_, std::max(x(span.end), from.x + 1)),
                            top + std::max(row_ - 1, 1.0F)};
            list.AddRectFilled(from, to,
                               packed(colors.at(static_cast<std::size_t>(span.activity))));
            if (ImGui::IsItemHovered() && pointer.x >= from.x && pointer.x < to.x &&
                pointer.y >= from.y && pointer.y < to.y) {
                pointed = "Warp in place " + std::to_string(span.slot) + ", scheduler " +
                          std::to_string(span.slot % run_.model.schedulers) + ", block " +
                          groupedDigits(span.block) +
                          " of this SM: " + std::string(inWords(span.activity)) + ", cycles " +
                          groupedDigits(span.begin) + " to " + groupedDigits(span.end) +
                          (span.line != 0 ? ", line " + std::to_string(span.line) : "");
            }
        }
        drawLabels(list);
        list.PopClipRect();
        return pointed;
    }

    [[nodiscard]] double cyclesOf(float pixels) const {
        return static_cast<double>(pixels) / static_cast<double>(width_) * view_.cycles;
    }

  private:
    [[nodiscard]] float x(std::uint64_t cycle) const {
        return left_ +
               width_ * static_cast<float>((static_cast<double>(cycle) - view_.at) / view_.cycles);
    }
    [[nodiscard]] float rowTop(std::uint32_t slot) const {
        const std::uint32_t schedulers = run_.model.schedulers;
        std::uint32_t before = slot / schedulers;
        for (std::uint32_t other = 0; other < slot % schedulers; ++other) {
            before += (run_.slots + schedulers - 1 - other) / schedulers;
        }
        return at_.y + static_cast<float>(before) * row_ +
               static_cast<float>(slot % schedulers) * gap_;
    }
    void drawLabels(ImDrawList& list) const {
        ImFont* const font = ui_.fonts.smallNumber;
        const bool all = row_ >= font->FontSize;
        for (std::uint32_t slot = 0; slot < run_.slots; ++slot) {
            if (!all && slot >= run_.model.schedulers) break;
            const std::string words =
                all ? "warp " + std::to_string(slot) : "sched. " + std::to_string(slot);
            textAt(list, font, ui_.colors.muted,
                   {left_ - ui_.px(6), rowTop(slot) + std::max(0.0F, (row_ - font->FontSize) / 2)},
                   words, 1);
        }
        const double step = drawing::roundStepBelow(std::max(view_.cycles / 5, 1.0));
        const float y = at_.y + size_.y - font->FontSize - ui_.px(2);
        for (double tick = std::ceil(view_.at / step) * step; tick <= view_.at + view_.cycles;
             tick += step) {
            const float at = x(static_cast<std::uint64_t>(tick));
            const std::string words = groupedDigits(static_cast<std::uint64_t>(tick));
            if (at + measured(font, words).x > left_ + width_) break;
            list.AddLine({at, at_.y}, {at, y}, packed(ui_.colors.border, 0.6F));
            textAt(list, font, ui_.colors.muted, {at + ui_.px(2), y}, words);
        }
        textAt(list, font, ui_.colors.faint, {left_ - ui_.px(6), y}, "cycle", 1);
    }

    const UiContext& ui_;
    const SmRun& run_;
    const ModelView& view_;
    ImVec2 at_;
    ImVec2 size_;
    float left_ = 0;
    float width_ = 0;
    float row_ = 0;
    float gap_ = 0;
};

}  // namespace

void drawTimePanel(const UiContext& ui) {
    const float room = ImGui::GetContentRegionAvail().x;
    const float titled = drawBlockViewChoice(ui);
    const std::optional<Result> result = shownResult(ui.state);
    const bool recorded = result && result->measurement->schedule;
    if (showsModel(ui.state)) {
        text(ui.fonts.title, ui.colors.text, fitted(ui.fonts.title, "One SM, modelled", titled));
        space(ui, 6);
        if (recorded) chooseRows(ui, *result->measurement->schedule);
        drawModel(ui);
        return;
    }
    const bool ofWarps =
        recorded && shownRows(ui.state.time, *result->measurement->schedule) == TimeRows::warps;
    text(ui.fonts.title, ui.colors.text,
         fitted(ui.fonts.title, ofWarps ? "Warps over time" : "Blocks over time", titled));
    space(ui, 6);
    const Schedule& schedule = *result->measurement->schedule;
    chooseRows(ui, schedule);
    space(ui, 4);
    const bool low = ImGui::GetContentRegionAvail().y < ui.px(260);
    const std::string all = joined(ofWarps ? warpsInWords(schedule) : inWords(schedule), "  ·  ");
    if (low) {
        text(ui.fonts.small, ui.colors.muted, fitted(ui.fonts.small, all, room));
    } else {
        wrapped(ui.fonts.body, ui.colors.muted, all);
    }
    ui.mark("time.words");
    const std::string from = "time stamps taken on " + result->measurement->device.name +
                             (result->recorded ? ", recorded " : ", ") +
                             dayOf(result->measurement->takenAt) + "; CUDA promises no order";
    text(ui.fonts.small, ui.colors.faint, fitted(ui.fonts.small, from, room));
    space(ui, 6);

    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (size.x < ui.px(120) || size.y < ui.px(90)) return;
    ImGui::InvisibleButton("schedule", size);
    ui.mark("time.chart");
    const auto prepare = ofWarps ? drawing::prepareWarpChart : drawing::prepareSmChart;
    const drawing::ScheduleChart chart =
        prepare(schedule, drawArea(ui.look, at, {at.x + size.x, at.y + size.y}),
                shownSpan(ui.state.time, schedule), pointerOnItem());
    paint(*ImGui::GetWindowDrawList(), ui.fonts, chart.items);
    takePointer(ui, schedule, chart);
    if (!chart.pointed.empty()) tooltip(ui, chart.pointed);
}

void drawModel(const UiContext& ui) {
    const ModelledSm* const modelled = ui.state.model.get();
    drawKnobs(ui, modelled);
    if (modelled == nullptr) {
        wrapped(ui.fonts.body, ui.colors.muted, "The model is being run …");
        return;
    }
    if (!modelled->failure.empty()) {
        wrapped(ui.fonts.body, ui.colors.muted, "There is no model of it: " + modelled->failure);
        return;
    }
    drawWords(ui, *modelled);
    drawLegend(ui, modelled->run);
    space(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (size.x < ui.px(160) || size.y < ui.px(60)) return;
    ImGui::InvisibleButton("model", size);
    ui.mark("model.chart");
    ModelView view = ui.state.time.model;
    // Of a short run no more than there is.
    if (const auto& spans = modelled->run.spans; !spans.empty()) {
        view.cycles = std::min(view.cycles, 1.05 * static_cast<double>(spans.back().end));
    }
    const ModelView shown = view;
    const ModelChart chart(ui, modelled->run, shown, at, size);
    const std::string pointed = chart.draw();
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        view.cycles *= std::pow(1.25, -static_cast<double>(io.MouseWheel));
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        view.at -= chart.cyclesOf(io.MouseDelta.x);
        view.playing = false;
    }
    if (!(view == shown)) ui.issue(SetModelView{view});
    if (!pointed.empty()) tooltip(ui, pointed);
}

}  // namespace warplens::window
