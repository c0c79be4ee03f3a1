#include <algorithm>
#include <cctype>
#include <span>

#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/program_panels.h"

namespace warplens::window {
namespace {

/// A quantity of a line of one kind.
struct LineQuantity final {
    std::string name;
    Metric metric;
    bool units = false;  ///< sectors, wavefronts or divergent warps; else requests
    std::string_view meaning{};
};

std::vector<LineQuantity> quantitiesOf(AccessKind kind) {
    constexpr const char* sharedRequests = "Warp-level accesses of shared memory on this line.";
    switch (kind) {
        case AccessKind::load:
            return {{"Load requests", Metric::globalLoadRequests},
                    {"Load sectors", Metric::globalLoadSectors, true}};
        case AccessKind::store:
            return {{"Store requests", Metric::globalStoreRequests},
                    {"Store sectors", Metric::globalStoreSectors, true}};
        case AccessKind::atomic:
        case AccessKind::sharedAtomic:
            return {{"Atomic requests", Metric::atomicRequests}};
        case AccessKind::sharedLoad:
            return {{"Shared loads", Metric::globalLoadRequests, false, sharedRequests},
                    {"Load wavefronts", Metric::sharedWavefronts, true}};
        case AccessKind::sharedStore:
            return {{"Shared stores", Metric::globalStoreRequests, false, sharedRequests},
                    {"Store wavefronts", Metric::sharedWavefronts, true}};
        default:
            break;
    }
    return {{"Branches", Metric::branches}, {"Divergent", Metric::divergentBranches, true}};
}

/// Three columns, and whether they agree.
void comparisonTable(const UiContext& ui, const std::vector<LineComparison>& comparisons,
                     const std::vector<const LineDifference*>& differences) {
    Evidence evidence;
    evidence.values.reserve(2 * comparisons.size() * lineSources.size());  // rows point into it
    std::vector<NumberRow> rows;
    for (const LineComparison& line : comparisons) {
        const bool explained =
            std::ranges::any_of(differences, [&](const LineDifference* difference) {
                return nameOf(difference->kind) == nameOf(line.kind);
            });
        for (const LineQuantity& quantity : quantitiesOf(line.kind)) {
            const Metric metric = quantity.metric;
            NumberRow row;
            row.name = quantity.name;
            row.meaning = !quantity.meaning.empty() ? quantity.meaning : metricInfo(metric).meaning;
            row.explained = explained;
            row.countsBranches = metric == Metric::branches || metric == Metric::divergentBranches;
            for (std::size_t which = 0; which < lineSources.size(); ++which) {
                const auto& counts = line.counts.at(which);
                if (!counts) continue;
                evidence.values.push_back(
                    {metric, "line", lineSources.at(which), Variant::none,
                     static_cast<double>(quantity.units ? unitsOf(line.kind, *counts)
                                                        : counts->requests)});
                row.cells.at(which) = &evidence.values.back();
            }
            rows.push_back(std::move(row));
        }
    }
    numberTable(ui, evidence, rows);
    ui.mark("program.comparison");
}

std::string sentence(std::string words) {
    if (!words.empty()) {
        words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    }
    return words;
}

/// Why the sources differ in accesses of one kind: the cause in words, and what confirms it.
void differenceBox(const UiContext& ui, std::span<const LineDifference* const> differences) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const LineDifference& first = *differences.front();
    const bool confirmed = first.cause != DifferenceCause::unexplained;
    const Rgb color = confirmed ? c.accent : c.warning;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float inset = look.px(10);
    const auto lines = [&](ImDrawList* list) {
        float y = at.y + look.px(8);
        const auto add = [&](ImFont* font, Rgb ink, const std::string& words) {
            y += textInLines(list, font, ink, {at.x + inset, y}, words, width - 2 * inset) +
                 look.px(3);
        };
        add(look.fonts.strong, mixed(color, c.text, 0.25F),
            "Why the " + spoken(nameOf(first.kind)) + "s differ: " + spoken(toString(first.cause)));
        for (const LineDifference* const difference : differences) {
            add(look.fonts.body, c.text, sentence(difference->words) + '.');
            if (difference->intervention.empty()) continue;
            add(look.fonts.small, c.muted,
                (confirmed ? "Confirmed: " : "Tried: ") + difference->intervention + '.');
        }
        return y + look.px(5) - at.y;
    };
    const float height = lines(nullptr);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, packed(mixed(c.panel, color, 0.12F)),
                       look.px(6));
    lines(&list);
    ImGui::Dummy({width, height});
    ui.mark("program.difference");
    space(ui, 4);
}

/// A box for those of one kind and cause.
void differenceBoxes(const UiContext& ui, const std::vector<const LineDifference*>& differences) {
    for (std::size_t begin = 0; begin < differences.size();) {
        std::size_t end = begin + 1;
        while (end < differences.size() && differences[end]->kind == differences[begin]->kind &&
               differences[end]->cause == differences[begin]->cause) {
            ++end;
        }
        differenceBox(ui, std::span(differences).subspan(begin, end - begin));
        begin = end;
    }
}

/// As it was compiled, in a box of its own that scrolls both ways.
void codeBox(const UiContext& ui, const ProgramState& program, const CompiledLine& code,
             Commands& commands) {
    const Look& look = ui.look;
    const bool machine = program.machineCode && !code.sass.empty();
    text(look.fonts.strong, look.colors.text, "What the line was compiled to");
    ImGui::PushFont(look.fonts.small);
    const auto choice = [&](const char* label, const char* mark, bool sass, bool there) {
        if (plainButton(ui, label, there, machine == sass)) {
            commands.emplace_back(ShowMachineCode{sass});
        }
        ui.mark(mark);
    };
    choice("PTX", "program.ptx", false, true);
    tooltip(ui, "Memory accesses and branches of the line, in the order of the code");
    ImGui::SameLine(0, look.px(4));
    choice("SASS", "program.sass", true, !code.sass.empty());
    tooltip(ui, code.sass.empty() ? "There was no nvdisasm where it was measured"
                                  : "All machine instructions of the line");
    ImGui::PopFont();
    const std::vector<std::string>& lines = machine ? code.sass : code.ptx;
    ImFont* const font = look.fonts.smallNumber;
    const float row = font->FontSize + look.px(3);
    const auto shown = static_cast<float>(std::clamp<std::size_t>(lines.size(), 1, 9));
    const float height = shown * row + look.px(14) + ImGui::GetStyle().ScrollbarSize;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(look.colors.background));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(10), look.px(6)));
    ImGui::BeginChild(
        "code", {0, height}, false,
        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(3)));
    if (lines.empty()) {
        text(look.fonts.small, look.colors.muted, "No memory access and no branch is left.");
    }
    for (const std::string& line : lines) text(font, look.colors.text, line);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ui.mark("program.code");
    space(ui, 6);
}

}  // namespace

Commands drawProgramComparison(const UiContext& ui, const ProgramState& program) {
    Commands commands;
    const auto comparisons = comparisonOfChosen(program, program.line);
    const auto differences = differencesOfChosen(program, program.line);
    if (program.line != 0 && !comparisons.empty()) comparisonTable(ui, comparisons, differences);
    differenceBoxes(ui, differences);
    if (const CompiledLine* code = codeOfChosen(program, program.line)) {
        codeBox(ui, program, *code, commands);
    }
    return commands;
}

}  // namespace warplens::window
