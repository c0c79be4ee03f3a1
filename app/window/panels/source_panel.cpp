#include "app/window/panels/source_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/drawing/source_code.h"
#include "app/window/panels/items_painter.h"
#include "app/window/state/timeline.h"
#include "core/measurement/value_text.h"
#include "core/program/line_costs.h"
#include "core/text/format.h"
#include "kernels/library/kernel_text.h"

namespace warplens::window {
namespace {

/// What is known of the lines: of the whole launch, or until that is traced of the shown block.
struct ShownCosts final {
    std::span<const ProgramLine> lines{};
    std::string of;
};

ShownCosts costsShown(const AppState& state) {
    if (const LaunchReport* prediction = shownPrediction(state)) {
        return {prediction->lines,
                prediction->exact ? "predicted, whole launch" : "predicted by a sample of blocks"};
    }
    if (const LaunchReport* block = shownBlockPrediction(state)) {
        return {block->lines, "predicted, this block"};
    }
    return {{}, "tracing …"};
}

constexpr std::array<const char*, 3> columns{"requests", "each", "used"};

/// A line's costs in words: how often, what each takes, how much of that was asked for.
struct CostCells final {
    std::array<std::string, 3> cells;
    std::string help;
    bool wasteful = false;
};

CostCells cellsOf(std::span<const ProgramLine> lines, std::uint32_t line) {
    LineCosts sum;
    for (const ProgramLine& one : lines) {
        if (one.place.line == line && one.source == Source::predicted) sum.add(one);
    }
    CostCells cost;
    const auto each = [](std::uint64_t units, std::uint64_t requests) {
        const std::string text =
            formatNumber(static_cast<double>(units) / static_cast<double>(requests), Unit::one);
        return text.substr(0, text.size() - 1);
    };
    const auto tell = [&](const std::string& sentence) {
        cost.help += (cost.help.empty() ? "" : "\n") + sentence;
    };
    if (sum.requests != 0) {
        cost.cells = {groupedDigits(sum.requests), each(sum.sectors, sum.requests) + " sectors",
                      formatNumber(sum.usedPercent().value_or(0), Unit::percent)};
        cost.wasteful = sum.sectors > sum.idealSectors;
        tell("Global memory: " + groupedDigits(sum.requests) + " requests, " +
             groupedDigits(sum.sectors) + " sectors, at best " + groupedDigits(sum.idealSectors));
    } else if (sum.sharedRequests != 0) {
        cost.cells = {groupedDigits(sum.sharedRequests),
                      each(sum.wavefronts, sum.sharedRequests) + " wavefronts", ""};
        cost.wasteful = sum.wavefronts > sum.idealWavefronts;
    } else if (sum.branches != 0) {
        cost.cells = {groupedDigits(sum.branches), groupedDigits(sum.divergent) + " diverge", ""};
        cost.wasteful = sum.divergent != 0;
    }
    if (sum.sharedRequests != 0) {
        tell("Shared memory: " + groupedDigits(sum.sharedRequests) + " requests, " +
             groupedDigits(sum.wavefronts) + " wavefronts, at best " +
             groupedDigits(sum.idealWavefronts));
    }
    if (sum.branches != 0) {
        tell("Named branch: " + groupedDigits(sum.branches) + " decisions of warps, " +
             groupedDigits(sum.divergent) + " of them diverge");
    }
    return cost;
}

/// The held warp's next step on the line after the one that is shown, round to its first; none
/// where it has none there.
std::optional<std::uint64_t> nextStepOn(const AppState& state, std::uint32_t line) {
    const WarpTrace* const trace = shownTrace(state);
    if (trace == nullptr || trace->steps.empty()) return std::nullopt;
    const Timeline timeline(state);
    const std::size_t now = timeline.size() == 0 ? 0 : timeline.stepAt(timeline.position());
    for (std::size_t i = 1; i <= trace->steps.size(); ++i) {
        const std::size_t at = (now + i) % trace->steps.size();
        if (trace->steps[at].line == line) return at;
    }
    return std::nullopt;
}

std::uint32_t shownLine(const AppState& state) {
    const WarpStep* const step = stepShown(state);
    return step == nullptr ? 0 : step->line;
}

class SourceList final {
  public:
    SourceList(const UiContext& ui, const AppState& state, float width, bool costs)
        : ui_(ui),
          state_(state),
          costs_(costs ? costsShown(state) : ShownCosts{}),
          width_(width),
          area_(drawArea(ui.look, {}, {})) {
        code_ = width;
        if (!costs) return;
        const Look& look = ui.look;
        ImFont* const font = look.fonts.smallNumber;
        const char* const widest[] = {"999,999,999", "16.00 wavefronts", "100.0 %"};
        // How often a line asks is in its tooltip, too.
        const float wanted = measured(font, "0").x * 56;
        float right = width;
        for (std::size_t i = columns.size(); i-- > 0;) {
            const float column = measured(font, widest[i]).x + look.px(10);
            if (i == 0 && right - column < wanted) break;
            ends_.at(i) = right;
            right -= column;
        }
        code_ = right;
    }

    void head() const {
        const Look& look = ui_.look;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        textAt(list, look.fonts.small, look.colors.muted, at, costs_.of);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!ends_.at(i)) continue;
            textAt(list, look.fonts.small, look.colors.muted, {at.x + *ends_.at(i), at.y},
                   columns.at(i), 1);
        }
        ImGui::Dummy({width_, look.fonts.small->FontSize + look.px(3)});
    }

    void line(const KernelLine& line, bool lit, Commands& commands) const {
        const Look& look = ui_.look;
        ImFont* const font = look.fonts.smallNumber;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const CostCells cost = cellsOf(costs_.lines, line.line);
        const bool clickable = !cost.cells[0].empty();
        const float room = clickable ? code_ : width_;
        const int rows = code(nullptr, line, at, room);
        const float height = static_cast<float>(rows) * rowHeight();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (lit) {
            list.AddRectFilled(at, {at.x + width_, at.y + height},
                               packed(look.colors.accent, 0.25F), look.px(3));
        }
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
        if (clickable) {
            ImGui::PushStyleColor(ImGuiCol_HeaderHovered, packed(look.colors.accent, 0.15F));
            ImGui::PushStyleColor(ImGuiCol_HeaderActive, packed(look.colors.accent, 0.3F));
            const std::string name = "##line" + std::to_string(line.line);
            if (ImGui::Selectable(name.c_str(), false, 0, {width_, height})) {
                if (const auto step = nextStepOn(state_, line.line)) {
                    commands.emplace_back(ChooseArray{{}, *step});
                }
            }
            ui_.mark("source.line." + std::to_string(line.line));
            ImGui::PopStyleColor(2);
            tooltip(ui_, cost.help);
        } else {
            ImGui::Dummy({width_, height});
        }
        ImGui::PopStyleVar();
        code(&list, line, at, room);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!ends_.at(i)) continue;
            const Rgb color = i > 0 && cost.wasteful ? look.colors.warning : look.colors.text;
            textAt(list, font, color, {at.x + *ends_.at(i), at.y + look.px(1)}, cost.cells.at(i),
                   1);
        }
    }

  private:
    [[nodiscard]] float rowHeight() const {
        return ui_.look.fonts.smallNumber->FontSize + ui_.look.px(3);
    }
    /// Draws the line's text into `width`; returns the number of rows. Without a list it draws
    /// nothing.
    int code(ImDrawList* list, const KernelLine& line, ImVec2 at, float width) const {
        const Look& look = ui_.look;
        ImFont* const font = look.fonts.smallNumber;
        const float gutter = measured(font, "999").x;
        drawing::Items items;
        const int rows =
            drawing::drawCode(list == nullptr ? nullptr : &items, area_, line.line, line.text,
                              {.at = {at.x, at.y + look.px(1)},
                               .gutter = gutter,
                               .left = gutter + look.px(10),
                               .right = width,
                               .height = rowHeight(),
                               .size = font->FontSize});
        if (list != nullptr) paint(*list, look.fonts, items);
        return rows;
    }

    const UiContext& ui_;
    const AppState& state_;
    ShownCosts costs_;
    float width_;
    drawing::DrawArea area_;
    std::array<std::optional<float>, 3> ends_{};  ///< none where there is no room for the column
    float code_ = 0;                              ///< where the code of a line with costs ends
};

}  // namespace

Commands drawSource(const UiContext& ui, const AppState& state, ImVec2 at, ImVec2 end, bool costs) {
    Commands commands;
    const Kernel& kernel = kernelOf(state.view.experiment);
    ImGui::SetCursorScreenPos(at);
    const float bar = ImGui::GetStyle().ScrollbarSize;
    const SourceList source(ui, state, std::max(1.0F, end.x - at.x - bar - ui.look.px(4)), costs);
    if (costs) source.head();
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x, below.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("source", {end.x - at.x, std::max(1.0F, end.y - below.y)}, false,
                      ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const std::uint32_t shown = shownLine(state);
    const bool moved = hasChanged("line shown last", shown);
    for (const KernelLine& line : codeLines(kernel)) {
        const bool lit = line.line == shown;
        source.line(line, lit, commands);
        // Only when the step moves: a person may scroll meanwhile.
        if (lit && moved) ImGui::SetScrollHereY(0.5F);
    }
    ImGui::EndChild();
    ui.mark("source");
    return commands;
}

}  // namespace warplens::window
