#include <algorithm>
#include <array>
#include <cmath>

#include "app/window/panels/panels.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

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

void drawKnobs(const UiContext& ui, const AppState& state, const ModelledSm* modelled,
               Commands& commands) {
    const Look& look = ui.look;
    ModelView view = state.time.model;
    const ModelView before = view;
    if (plainButton(ui, view.playing ? "Pause" : "Play", modelled != nullptr)) {
        view.playing = !view.playing;
    }
    ui.mark("model.play");
    tooltip(ui, "Cycle by cycle; a drag in the picture moves, the wheel shows more or fewer");
    ImGui::SameLine(0, look.px(12));
    int latency = static_cast<int>(view.latency == 0 ? SmModel{}.globalLatency : view.latency);
    ImGui::SetNextItemWidth(look.px(110));
    if (ImGui::SliderInt("##latency", &latency, leastLatency, mostLatency, "")) {
        view.latency = static_cast<std::uint32_t>(std::clamp(latency, leastLatency, mostLatency));
    }
    ui.mark("model.latency");
    tooltip(ui, "Until global memory answers. " + std::to_string(SmModel{}.globalLatency) +
                    " were measured on an H100 (docs/sm-model.md)");
    ImGui::SameLine(0, look.px(4));
    text(look.fonts.small, look.colors.muted, "memory " + std::to_string(latency) + " cycles");
    ImGui::SameLine(0, look.px(12));
    const std::uint32_t resident = modelled == nullptr ? 0 : modelled->place.resident;
    if (plainButton(ui, "–", resident > 1)) view.resident = resident - 1;
    ui.mark("model.fewer");
    ImGui::SameLine(0, look.px(4));
    text(look.fonts.number, look.colors.text, std::to_string(resident));
    ui.mark("model.blocks");
    ImGui::SameLine(0, look.px(4));
    if (plainButton(ui, "+", resident != 0 && view.resident != 0)) view.resident = resident + 1;
    ui.mark("model.more");
    ImGui::SameLine(0, look.px(4));
    text(look.fonts.small, look.colors.muted, resident == 1 ? "block at once" : "blocks at once");
    if (!(view == before)) commands.emplace_back(SetModelView{view});
}

/// The model's time, and beside it what was measured.
void drawWords(const UiContext& ui, const AppState& state, const ModelledSm& modelled) {
    const Look& look = ui.look;
    const SmRun& run = modelled.run;
    std::string words =
        "A model, not a measurement: " + formatNumber(run.seconds(), Unit::seconds) +
        " for the launch";
    if (const auto result = shownResult(state)) {
        const double measured = result->measurement->timing.medianSeconds;
        const double off = 100 * (run.seconds() / measured - 1);
        words += ", " + fixedNumber(std::abs(off), 0) + " % " + (off < 0 ? "less" : "more") +
                 " than " + formatNumber(measured, Unit::seconds) + " on " +
                 result->measurement->device.name;
    }
    words +=
        "; its schedulers issue in " + fixedNumber(100 * run.issueShare(), 1) + " % of the cycles.";
    if (run.blocks < run.blocksWanted) {
        words += " From " + groupedDigits(run.blocks) + " of " + groupedDigits(run.blocksWanted) +
                 " blocks of an SM.";
    }
    if (!modelled.cut.empty()) words += " Of " + modelled.cut + ".";
    wrapped(look.fonts.small, look.colors.muted, words);
    ui.markPicture("model.words", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void drawLegend(const UiContext& ui, const SmRun& run) {
    const Look& look = ui.look;
    const auto colors = activityColors(look.colors);
    std::uint64_t all = 0;
    for (const std::uint64_t spent : run.spent) all += spent;
    const float side = look.fonts.small->FontSize * 0.7F;
    const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < warpActivities; ++i) {
        if (run.spent.at(i) == 0) continue;
        const std::string words =
            std::string(inWords(static_cast<WarpActivity>(i))) + ' ' +
            fixedNumber(100.0 * static_cast<double>(run.spent.at(i)) /
                            static_cast<double>(std::max<std::uint64_t>(all, 1)),
                        1) +
            " %";
        const float width = side + look.px(5) + measured(look.fonts.small, words).x;
        if (i != 0 && ImGui::GetItemRectMax().x + look.px(14) + width <= edge) {
            ImGui::SameLine(0, look.px(14));
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x, at.y + side * 0.3F}, {at.x + side, at.y + side * 1.3F}, packed(colors.at(i)));
        ImGui::Dummy({side, side});
        ImGui::SameLine(0, look.px(5));
        text(look.fonts.small, look.colors.muted, words);
    }
}

/// Rows of warps, those of a scheduler together; cycles to the right.
class ModelChart final {
  public:
    ModelChart(const UiContext& ui, const SmRun& run, const ModelView& view, ImVec2 at, ImVec2 size)
        : ui_(ui), run_(run), view_(view), at_(at), size_(size) {
        const std::uint32_t schedulers = run.model.schedulers;
        const float label = measured(ui.look.fonts.smallNumber, "sched. 0").x + ui.look.px(10);
        left_ = at.x + label;
        width_ = size.x - label;
        const float axis = ui.look.fonts.smallNumber->FontSize + ui.look.px(4);
        gap_ = ui.look.px(5);
        row_ = (size.y - axis - static_cast<float>(schedulers - 1) * gap_) /
               static_cast<float>(std::max(run.slots, schedulers));
        row_ = std::min(row_, ui.look.px(26));
    }

    [[nodiscard]] std::string draw() const {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const auto colors = activityColors(ui_.look.colors);
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
        const Look& look = ui_.look;
        ImFont* const font = look.fonts.smallNumber;
        const bool all = row_ >= font->FontSize;
        for (std::uint32_t slot = 0; slot < run_.slots; ++slot) {
            if (!all && slot >= run_.model.schedulers) break;
            const std::string words =
                all ? "warp " + std::to_string(slot) : "sched. " + std::to_string(slot);
            textAt(list, font, look.colors.muted,
                   {left_ - look.px(6), rowTop(slot) + std::max(0.0F, (row_ - font->FontSize) / 2)},
                   words, 1);
        }
        const double step = drawing::roundStepBelow(std::max(view_.cycles / 5, 1.0));
        const float y = at_.y + size_.y - font->FontSize - look.px(2);
        for (double tick = std::ceil(view_.at / step) * step; tick <= view_.at + view_.cycles;
             tick += step) {
            const float at = x(static_cast<std::uint64_t>(tick));
            const std::string words = groupedDigits(static_cast<std::uint64_t>(tick));
            if (at + measured(font, words).x > left_ + width_) break;
            list.AddLine({at, at_.y}, {at, y}, packed(look.colors.border, 0.6F));
            textAt(list, font, look.colors.muted, {at + look.px(2), y}, words);
        }
        textAt(list, font, look.colors.faint, {left_ - look.px(6), y}, "cycle", 1);
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

void drawModel(const UiContext& ui, const AppState& state, Commands& commands) {
    const Look& look = ui.look;
    const ModelledSm* const modelled = state.model.get();
    drawKnobs(ui, state, modelled, commands);
    if (modelled == nullptr) {
        wrapped(look.fonts.body, look.colors.muted, "The model is being run …");
        return;
    }
    if (!modelled->failure.empty()) {
        wrapped(look.fonts.body, look.colors.muted,
                "There is no model of it: " + modelled->failure);
        return;
    }
    drawWords(ui, state, *modelled);
    drawLegend(ui, modelled->run);
    space(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (size.x < look.px(160) || size.y < look.px(60)) return;
    ImGui::InvisibleButton("model", size);
    ui.mark("model.chart");
    const ModelChart chart(ui, modelled->run, state.time.model, at, size);
    const std::string pointed = chart.draw();
    ModelView view = state.time.model;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        view.cycles *= std::pow(1.25, -static_cast<double>(io.MouseWheel));
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        view.at -= chart.cyclesOf(io.MouseDelta.x);
        view.playing = false;
    }
    if (!(view == state.time.model)) commands.emplace_back(SetModelView{view});
    if (!pointed.empty()) tooltip(ui, pointed);
}

}  // namespace warplens::window
