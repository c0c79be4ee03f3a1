#include <algorithm>

#include "app/drawing/line_meaning.h"
#include "app/window/panels/number_table.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/program_changes.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// A card that can be clicked: a title with a number at its right, and a line below.
class Card final {
  public:
    Card(const UiContext& ui, const std::string& id, Rgb color, bool chosen)
        : ui_(ui), at_(ImGui::GetCursorScreenPos()), width_(ImGui::GetContentRegionAvail().x) {
        const Look& look = ui.look;
        height_ = look.fonts.body->FontSize + look.fonts.small->FontSize + look.px(20);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 end{at_.x + width_, at_.y + height_};
        list.AddRectFilled(at_, end, packed(mixed(look.colors.panel, color, chosen ? 0.3F : 0.12F)),
                           look.px(6));
        if (chosen) list.AddRect(at_, end, packed(color), look.px(6), 0, look.px(2));
        clicked_ = ImGui::InvisibleButton(id.c_str(), {width_, height_});
        ui.mark(id);
    }
    [[nodiscard]] bool clicked() const { return clicked_; }
    void words(Rgb titleColor, const std::string& title, const std::string& below,
               const std::string& number = {}, Rgb numberColor = 0) const {
        const Look& look = ui_.look;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float inset = look.px(10);
        float room = width_ - 2 * inset;
        if (!number.empty()) {
            textAt(list, look.fonts.number, numberColor,
                   {at_.x + width_ - inset, at_.y + look.px(7)}, number, 1);
            room -= measured(look.fonts.number, number).x + look.px(8);
        }
        textAt(list, look.fonts.strong, titleColor, {at_.x + inset, at_.y + look.px(7)},
               fitted(look.fonts.strong, title, room));
        textAt(list, look.fonts.small, look.colors.muted,
               {at_.x + inset, at_.y + look.px(11) + look.fonts.body->FontSize},
               fitted(look.fonts.small, below, width_ - 2 * inset));
    }

  private:
    const UiContext& ui_;
    ImVec2 at_;
    float width_;
    float height_ = 0;
    bool clicked_ = false;
};

void launchCards(const UiContext& ui, const ProgramState& program, Commands& commands) {
    const Colors& c = ui.look.colors;
    for (const ProgramLaunch& launch : program.now->trace.launches) {
        const Card card(ui, "program.launch." + std::to_string(launch.index), c.accent,
                        launch.index == program.launch);
        std::string below = launchText(launch.launch);
        if (!launch.traced) below += "  run, not traced";
        const LineCosts costs = costsOf(launch);
        const auto used = costs.usedPercent();
        // Of memory and banks, what costs more than it must.
        const bool conflicts =
            costs.wavefronts > costs.idealWavefronts && used.value_or(100) >= goodShare;
        const std::string banks = perRequest(costs.wavefronts, costs.idealWavefronts) + "× banks";
        card.words(c.text, launch.kernel, below,
                   conflicts ? banks
                   : used    ? formatNumber(*used, Unit::percent)
                             : std::string(),
                   conflicts ? c.bad
                   : used    ? colorOfShare(c, *used)
                             : c.text);
        if (card.clicked()) commands.emplace_back(ChooseProgramLaunch{launch.index});
        tooltip(ui, launch.kernel + launchText(launch.launch) +
                        (used ? "\n" + formatNumber(*used, Unit::percent) +
                                    " of the bytes fetched from global memory are used"
                              : "\nNothing of global memory") +
                        (conflicts ? "\nBanks of shared memory: " +
                                         groupedDigits(costs.wavefronts) + " wavefronts where " +
                                         groupedDigits(costs.idealWavefronts) + " would do"
                                   : ""));
    }
}

std::string textOf(Index3 index) {
    return '(' + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
           std::to_string(index.z) + ')';
}

bool isWarning(FindingKind kind) {
    return kind == FindingKind::neverFreed || kind == FindingKind::notSupported;
}

std::string titleOf(const Finding& finding) {
    std::string title(toString(finding.kind));
    for (char& letter : title) letter = letter == '_' ? ' ' : letter;
    if (finding.place.line != 0) {
        title = "Line " + std::to_string(finding.place.line) + ": " + title;
    }
    return title;
}

void findingCards(const UiContext& ui, const ProgramState& program, Commands& commands) {
    const Colors& c = ui.look.colors;
    const std::vector<Finding>& findings = program.now->trace.findings;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        const Rgb color = isWarning(finding.kind) ? c.warning : c.bad;
        const Card card(ui, "program.finding." + std::to_string(i), color, false);
        std::string where = finding.words;
        if (finding.block && finding.thread) {
            where += "\nblock " + textOf(*finding.block) + ", thread " + textOf(*finding.thread);
        }
        card.words(color, titleOf(finding), finding.words);
        if (card.clicked()) commands.emplace_back(ShowFinding{i});
        tooltip(ui, where);
    }
}

/// Launches of the version before that are made no longer, a line each.
void goneCards(const UiContext& ui, const ProgramState& program) {
    constexpr std::size_t most = 4;
    const std::vector<const ProgramLaunch*> gone = launchesGone(program);
    if (gone.empty() || !program.stage.empty()) return;
    const Look& look = ui.look;
    const ProgramExit& exit = program.now->trace.exit;
    const bool ended = !exit.stopped.empty() || !exit.signal.empty();
    std::string words = ended ? "Not reached this time:" : "No longer made:";
    for (std::size_t i = 0; i < std::min(most, gone.size()); ++i) {
        words += (i == 0 ? " " : ", ") + gone[i]->kernel + launchText(gone[i]->launch);
    }
    if (gone.size() > most) words += " and " + std::to_string(gone.size() - most) + " more";
    wrapped(look.fonts.small, look.colors.warning, words + '.');
    ui.mark("program.gone");
}

void changedFindings(const UiContext& ui, const std::vector<const Finding*>& findings,
                     const char* how, Rgb color) {
    for (const Finding* const finding : findings) {
        std::string kind(toString(finding->kind));
        std::ranges::replace(kind, '_', ' ');
        wrapped(ui.look.fonts.small, color, how + kind + ", " + finding->words);
    }
}

}  // namespace

Rgb colorOfShare(const Colors& colors, double percent) {
    return percent >= goodShare ? colors.good : percent >= 40 ? colors.warning : colors.bad;
}

Commands drawProgramLaunches(const UiContext& ui, const AppState& state, WishFields& fields) {
    Commands commands;
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ProgramState& program = state.program;
    heading(ui, "Launches");
    if (!program.now) {
        wrapped(look.fonts.small, c.muted, program.stage.empty() ? "" : program.stage + " …");
        return commands;
    }
    if (!program.now->failure.empty()) {
        wrapped(look.fonts.body, c.bad, program.now->failure);
        space(ui, 8);
        wrapped(look.fonts.small, c.muted,
                program.wishes.empty() ? "Mend it in your editor and save: it runs again."
                                       : "It runs again with another value.");
        return drawProgramWishes(ui, program, fields);
    }
    const ProgramTrace& trace = program.now->trace;
    if (trace.launches.empty()) {
        wrapped(look.fonts.small, c.muted, whyWithout("a launch", trace));
        ui.mark("program.without");
    }
    launchCards(ui, program, commands);
    goneCards(ui, program);
    if (const auto compared = programComparison(state)) {
        space(ui, 10);
        comparisonTable(ui, compared->a, compared->b, compared->lines);
        ui.mark("program.compared");
    }
    for (Command& command : drawProgramWishes(ui, program, fields)) {
        commands.push_back(std::move(command));
    }
    if (!trace.findings.empty()) {
        space(ui, 10);
        heading(ui, "Found in this file");
        findingCards(ui, program, commands);
    }
    const std::vector<VersionChange> changes = changesOf(program);
    const FindingChanges findings = findingChangesOf(program);
    if (!changes.empty() || !findings.gone.empty() || !findings.come.empty()) {
        space(ui, 10);
        heading(ui, "Against the version before");
        changedFindings(ui, findings.gone, "gone: ", c.good);
        changedFindings(ui, findings.come, "new: ", c.bad);
        for (const VersionChange& change : changes) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float width = ImGui::GetContentRegionAvail().x;
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const Rgb color = change.now < change.before ? c.good : c.bad;
            textAt(list, look.fonts.small, c.text, at, change.what);
            textAt(list, look.fonts.smallNumber, color, {at.x + width, at.y},
                   groupedDigits(static_cast<std::uint64_t>(change.before)) + " → " +
                       groupedDigits(static_cast<std::uint64_t>(change.now)),
                   1);
            ImGui::Dummy({width, look.fonts.small->FontSize + look.px(4)});
        }
    }
    if (!trace.notes.empty()) {
        space(ui, 10);
        heading(ui, "To know");
        for (const std::string& note : trace.notes) wrapped(look.fonts.small, c.muted, note);
    }
    return commands;
}

}  // namespace warplens::window
