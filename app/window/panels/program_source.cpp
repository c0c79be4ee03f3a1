#include <algorithm>
#include <set>

#include "app/drawing/line_meaning.h"
#include "app/drawing/source_code.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/plots.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/program_text.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

constexpr const char* widestEach = "28.13 | 32 of 4";

/// Where the columns of numbers end, from the right edge of the list.
struct Columns final {
    float code = 0;      ///< where the code of a line with costs ends
    float requests = 0;  ///< 0 where there is no room for them; the line's own panel has them
    float compiled = 0;  ///< likewise; 0 as well where no compiled code was run
    float each = 0;
    float bar = 0;
    float used = 0;
};

/// Of a launch that was measured: what the judges say, in place of those.
struct JudgeColumns final {
    float code = 0;
    std::array<float, 3> numbers{};  ///< 0 where there is no room for them
    float unit = 0;                  ///< 0 as well
};

JudgeColumns judgeColumnsFor(const Look& look, float width) {
    const float letter = measured(look.fonts.number, "0").x;
    const float number = measured(look.fonts.smallNumber, "99,999,999").x + look.px(8);
    const float unit = measured(look.fonts.small, "wavefronts").x + look.px(8);
    JudgeColumns columns;
    float left = width - measured(look.fonts.strong, "≠").x - look.px(8);
    if (left - unit - 3 * number >= 40 * letter) {
        columns.unit = left - look.px(2);
        left -= unit;
    }
    if (left - 3 * number >= 38 * letter) {
        for (std::size_t i = columns.numbers.size(); i-- > 0; left -= number) {
            columns.numbers.at(i) = left;
        }
    }
    columns.code = left - look.px(8);
    return columns;
}

Columns columnsFor(const Look& look, float width, bool hasCompiled) {
    ImFont* const font = look.fonts.smallNumber;
    Columns columns;
    columns.used = width;
    columns.bar = width - measured(font, "100.0 %").x - look.px(8);
    columns.each = columns.bar - look.px(48);
    const float requests = measured(font, "99,999,999").x + look.px(10);
    columns.code = columns.each - measured(font, widestEach).x - look.px(14);
    // What a line says comes before how often.
    const float least = measured(look.fonts.number, "0").x * 52;
    for (float* const column : {&columns.compiled, &columns.requests}) {
        if (column == &columns.compiled && !hasCompiled) continue;
        if (columns.code - requests < least) break;
        *column = columns.code;
        columns.code -= requests;
    }
    // One of both alone would be taken for the other.
    if (columns.requests == 0 && columns.compiled != 0) {
        columns.requests = columns.compiled;
        columns.compiled = 0;
    }
    return columns;
}

class ProgramSource final {
  public:
    /// `costs` by line of the text that is shown; `compiled` is empty where no compiled code was
    /// run.
    ProgramSource(const UiContext& ui, const AppState& state, const ShownText& text,
                  std::vector<LineCosts> costs, std::vector<LineCosts> compiled, float width)
        : ui_(ui),
          state_(state),
          text_(text),
          costs_(std::move(costs)),
          compiled_(std::move(compiled)),
          judged_(judgedIn(text, state.program)),
          wrong_(linesWithFindings(state.program)),
          worst_(worstLine(costs_)),
          width_(width),
          area_(drawArea(ui.look, {}, {})),
          columns_(columnsFor(ui.look, width, !compiled_.empty())),
          judges_(judgeColumnsFor(ui.look, width)),
          codeEnd_(judged_.empty() ? columns_.code : judges_.code) {}

    void head(const std::string& of) const {
        const Look& look = ui_.look;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const Rgb color = look.colors.muted;
        textAt(list, look.fonts.small, color, at,
               fitted(look.fonts.small, of, codeEnd_ - look.px(8)));
        const auto title = [&](float end, std::string_view words) {
            if (end > 0) textAt(list, look.fonts.small, color, {at.x + end, at.y}, words, 1);
        };
        for (std::size_t i = 0; !judged_.empty() && i < lineSources.size(); ++i) {
            title(judges_.numbers.at(i), namesOfLineSources.at(i));
        }
        if (judged_.empty()) {
            title(columns_.requests, compiled_.empty() ? "requests" : "predicted");
            title(columns_.compiled, "compiled");
            title(columns_.each, "each");
            title(columns_.used, "used");
        }
        ImGui::Dummy({width_, look.fonts.small->FontSize + look.px(4)});
    }

    /// Rows of the line.
    [[nodiscard]] int rows(std::uint32_t number, const std::string& code) const {
        return drawLine(nullptr, number, code, {});
    }
    [[nodiscard]] float rowHeight() const {
        return ui_.look.fonts.number->FontSize + ui_.look.px(4);
    }

    void line(std::uint32_t number, const std::string& code, float height,
              Commands& commands) const {
        const Look& look = ui_.look;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const std::uint32_t traced = text_.traced[number - 1];
        const bool isChosen = traced != 0 && traced == state_.program.line;
        const bool failed = traced != 0 && traced == state_.program.now->failureLine;
        if (isChosen || number == worst_ || failed) {
            const Rgb color = failed             ? look.colors.bad
                              : number == worst_ ? colorOfWorst()
                                                 : look.colors.accent;
            const float strength = isChosen ? 0.24F : 0.1F;
            list.AddRectFilled(at, {at.x + width_, at.y + height}, packed(color, strength));
            list.AddRectFilled(at, {at.x + look.px(3), at.y + height}, packed(color));
        }
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
        if (hasCosts(number)) {
            ImGui::PushID(static_cast<int>(number));
            if (ImGui::InvisibleButton("line", {width_, height})) {
                commands.emplace_back(ChooseProgramLine{traced});
            }
            ImGui::PopID();
            ui_.mark("program.line." + std::to_string(number));
        } else {
            ImGui::Dummy({width_, height});
        }
        ImGui::PopStyleVar();
        drawLine(&list, number, code, at);
        const ImVec2 numbers{at.x, at.y + look.px(2)};
        if (const auto judged = judged_.find(number); judged != judged_.end()) {
            drawJudged(list, judged->second, numbers);
        } else if (judged_.empty() && hasCosts(number)) {
            drawCosts(list, costs_[number - 1], wrong_.contains(traced), numbers);
            if (!compiled_.empty()) drawCompiled(list, number, numbers);
        }
    }

  private:
    [[nodiscard]] static std::set<std::uint32_t> linesWithFindings(const ProgramState& program) {
        std::set<std::uint32_t> lines;
        if (!program.now) return lines;
        for (const Finding& finding : program.now->trace.findings) {
            if (sameFile(finding.place.file, program.path)) lines.insert(finding.place.line);
        }
        return lines;
    }
    [[nodiscard]] static std::map<std::uint32_t, JudgedLine> judgedIn(const ShownText& text,
                                                                      const ProgramState& program) {
        const std::map<std::uint32_t, JudgedLine> traced = judgedLines(program);
        std::map<std::uint32_t, JudgedLine> shown;
        for (std::uint32_t number = 1; number <= text.lines.size(); ++number) {
            const auto found = traced.find(text.traced[number - 1]);
            if (found != traced.end()) shown.emplace(number, found->second);
        }
        return shown;
    }
    /// Of a number: it fades while another version is traced, whose numbers are not there yet.
    [[nodiscard]] Rgb ink(Rgb color) const {
        const Colors& c = ui_.look.colors;
        return state_.program.stage.empty() ? color : mixed(color, c.panel, 0.4F);
    }
    [[nodiscard]] bool hasCosts(std::uint32_t number) const {
        return (number <= costs_.size() && !costs_[number - 1].empty()) ||
               (number <= compiled_.size() && !compiled_[number - 1].empty()) ||
               judged_.contains(number);
    }
    /// The least bad of lines may be good enough.
    [[nodiscard]] Rgb colorOfWorst() const {
        const LineCosts& worst = costs_[worst_ - 1];
        const auto used = worst.usedPercent();
        const bool conflicts = worst.wavefronts > worst.idealWavefronts;
        return used && *used >= goodShare && !conflicts ? ui_.look.colors.accent
                                                        : ui_.look.colors.bad;
    }
    int drawLine(ImDrawList* list, std::uint32_t number, const std::string& code, ImVec2 at) const {
        const Look& look = ui_.look;
        ImFont* const font = look.fonts.number;
        const float gutter = measured(font, "9999").x + look.px(6);
        drawing::Items items;
        const int rows = drawing::drawCode(list == nullptr ? nullptr : &items, area_, number, code,
                                           {.at = {at.x, at.y + look.px(2)},
                                            .gutter = gutter,
                                            .left = gutter + look.px(12),
                                            .right = hasCosts(number) ? codeEnd_ : width_,
                                            .height = rowHeight(),
                                            .size = font->FontSize});
        if (list != nullptr) paint(*list, look.fonts, items);
        return rows;
    }
    void drawJudged(ImDrawList& list, const JudgedLine& line, ImVec2 at) const {
        const Look& look = ui_.look;
        const Colors& c = look.colors;
        for (std::size_t i = 0; i < line.numbers.size(); ++i) {
            if (judges_.numbers.at(i) == 0) continue;
            const auto& number = line.numbers.at(i);
            const bool differs = line.differs && number != line.numbers.front();
            const Rgb color = !number ? c.faint : differs ? c.warning : c.text;
            textAt(list, look.fonts.smallNumber, ink(color), {at.x + judges_.numbers.at(i), at.y},
                   number ? groupedDigits(*number) : "–", 1);
        }
        if (judges_.unit > 0) {
            textAt(list, look.fonts.small, c.faint, {at.x + judges_.unit, at.y}, line.unit, 1);
        }
        if (line.differs) {
            textAt(list, look.fonts.strong, ink(c.warning), {at.x + width_, at.y - look.px(1)}, "≠",
                   1);
        }
    }
    /// Requests of what the compiler made of the line, marked where they are others.
    void drawCompiled(ImDrawList& list, std::uint32_t number, ImVec2 at) const {
        if (columns_.compiled == 0) return;
        const Colors& c = ui_.look.colors;
        const LineCosts& written = costs_[number - 1];
        const LineCosts& compiled = compiled_[number - 1];
        const std::uint64_t requests = written.requests + compiled.requests != 0 ? compiled.requests
                                       : written.sharedRequests + compiled.sharedRequests != 0
                                           ? compiled.sharedRequests
                                           : compiled.branches;
        const Rgb color = isSameWork(written, compiled) ? c.muted : c.warning;
        textAt(list, ui_.look.fonts.smallNumber, ink(color), {at.x + columns_.compiled, at.y},
               groupedDigits(requests), 1);
    }
    /// Nothing of a line that has a finding is green.
    void drawCosts(ImDrawList& list, const LineCosts& costs, bool isWrong, ImVec2 at) const {
        const Look& look = ui_.look;
        const Colors& c = look.colors;
        const Rgb good = isWrong ? c.text : c.good;
        ImFont* const font = look.fonts.smallNumber;
        const auto cell = [&](float end, Rgb color, const std::string& words) {
            if (end > 0) textAt(list, font, ink(color), {at.x + end, at.y}, words, 1);
        };
        const auto each = [&](Rgb color, const std::vector<AccessCosts>& all) {
            const std::string apart = eachOf(all);
            const bool fits = measured(font, apart).x <= measured(font, widestEach).x;
            cell(columns_.each, color, fits ? apart : eachOfWorst(all));
        };
        // Where banks are what costs, they are what stands beside the line.
        const bool conflicts = costs.wavefronts > costs.idealWavefronts;
        if (costs.requests != 0 && !(conflicts && costs.wastedSectors() == 0)) {
            const auto used = costs.usedPercent();
            const bool isGood = used && *used >= goodShare;
            const Rgb color = !used ? c.text : isGood ? good : colorOfShare(c, *used);
            cell(columns_.requests, c.text, groupedDigits(costs.requests));
            each(costs.wastedSectors() == 0 ? good : color, costs.global);
            if (used) {
                bar(list, look, {at.x + columns_.bar - look.px(40), at.y + look.px(3)},
                    {look.px(40), font->FontSize - look.px(6)}, static_cast<float>(*used / 100),
                    ink(color));
                cell(columns_.used, color, formatNumber(*used, Unit::percent));
            }
        } else if (costs.sharedRequests != 0) {
            cell(columns_.requests, c.text, groupedDigits(costs.sharedRequests));
            each(conflicts ? c.bad : good, costs.shared);
            cell(columns_.used, c.muted, "banks");
        } else {
            cell(columns_.requests, c.muted, groupedDigits(costs.branches));
            cell(
                columns_.used, costs.divergent != 0 ? c.warning : c.muted,
                groupedDigits(costs.divergent) + (costs.divergent == 1 ? " diverges" : " diverge"));
        }
    }

    const UiContext& ui_;
    const AppState& state_;
    const ShownText& text_;
    std::vector<LineCosts> costs_;
    std::vector<LineCosts> compiled_;
    std::map<std::uint32_t, JudgedLine> judged_;
    std::set<std::uint32_t> wrong_;  ///< lines of the traced text that have a finding
    std::uint32_t worst_;
    float width_;
    drawing::DrawArea area_;
    Columns columns_;
    JudgeColumns judges_;
    float codeEnd_;  ///< of a line with numbers beside it
};

}  // namespace

Commands drawProgramSource(const UiContext& ui, const AppState& state) {
    Commands commands;
    const ProgramState& program = state.program;
    const ShownText shown = shownText(program);
    if (shown.lines.empty()) return commands;
    const ProgramLaunch* const launch = chosenLaunch(program);
    std::vector<LineCosts> costs(shown.lines.size());
    std::vector<LineCosts> compiled;
    std::string of = program.stage.empty() ? "no launch" : "being traced";
    if (launch != nullptr) {
        const std::vector<LineCosts> traced =
            costsByLine(*launch, program.path, program.now->lines.size());
        const std::vector<LineCosts> ran =
            costsByLine(*launch, program.path, program.now->lines.size(), Source::compiled);
        if (hasCompiled(*launch)) compiled.resize(costs.size());
        for (std::size_t i = 0; i < costs.size(); ++i) {
            if (shown.traced[i] == 0) continue;
            costs[i] = traced[shown.traced[i] - 1];
            if (!compiled.empty()) compiled[i] = ran[shown.traced[i] - 1];
        }
        of = launch->kernel + launchText(launch->launch) +
             (!program.stage.empty()               ? "  of the run before; another is under way"
              : resultOfChosen(program) != nullptr ? "  what each line was found to ask for"
              : launch->exact                      ? "  predicted, every block"
                              : "  predicted from " + groupedDigits(launch->blocksTraced) + " of " +
                                    groupedDigits(launch->blocks) + " blocks");
    }
    const float barWidth = ImGui::GetStyle().ScrollbarSize;
    const ProgramSource source(ui, state, shown, std::move(costs), std::move(compiled),
                               std::max(1.0F, ImGui::GetContentRegionAvail().x - barWidth));
    source.head(of);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const bool moved = hasChanged("line shown last", program.line);
    // Only what can be seen is laid out: files have thousands of lines.
    const std::vector<std::string>& lines = shown.lines;
    const float begin = ImGui::GetScrollY();
    const float end = begin + ImGui::GetWindowHeight();
    float y = 0;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (std::uint32_t number = 1; number <= lines.size(); ++number) {
        const std::string& code = lines[number - 1];
        const float height = static_cast<float>(source.rows(number, code)) * source.rowHeight();
        if (moved && program.line != 0 && shown.traced[number - 1] == program.line) {
            ImGui::SetScrollY(std::max(0.0F, y + height / 2 - ImGui::GetWindowHeight() / 2));
        }
        if (y + height > begin && y < end) {
            ImGui::SetCursorPosY(y);
            source.line(number, code, height, commands);
        }
        y += height;
    }
    ImGui::SetCursorPosY(y);
    ImGui::Dummy({0, 0});
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ui.mark("program.source");
    return commands;
}

}  // namespace warplens::window
