#include <cctype>

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
    const Colors& c = ui.colors;
    const LineDifference& first = *differences.front();
    const bool confirmed = first.cause != DifferenceCause::unexplained;
    const Rgb color = confirmed ? c.accent : c.warning;
    const auto [list, at, width] = penHere();
    const float inset = ui.px(10);
    const auto lines = [&](ImDrawList* into) {
        float y = at.y + ui.px(8);
        const auto add = [&](ImFont* font, Rgb ink, const std::string& words) {
            y += textInLines(into, font, ink, {at.x + inset, y}, words, width - 2 * inset) +
                 ui.px(3);
        };
        add(ui.fonts.strong, mixed(color, c.text, 0.25F),
            "Why the " + spoken(nameOf(first.kind)) + "s differ: " + spoken(toString(first.cause)));
        for (const LineDifference* const difference : differences) {
            add(ui.fonts.body, c.text, sentence(difference->words) + '.');
            if (difference->intervention.empty()) continue;
            add(ui.fonts.small, c.muted,
                (confirmed ? "Confirmed: " : "Tried: ") + difference->intervention + '.');
        }
        return y + ui.px(5) - at.y;
    };
    const float height = lines(nullptr);
    list.AddRectFilled(at, {at.x + width, at.y + height}, packed(mixed(c.panel, color, 0.12F)),
                       ui.px(6));
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
void codeBox(const UiContext& ui, const ProgramState& program, const CompiledLine& code) {
    const bool machine = program.machineCode && !code.sass.empty();
    text(ui.fonts.strong, ui.colors.text, "What the line was compiled to");
    ImGui::PushFont(ui.fonts.small);
    const auto choice = [&](const char* label, const char* mark, bool sass, bool there) {
        commandButton(ui, label, mark, ShowMachineCode{sass}, "",
                      {.enabled = there, .chosen = machine == sass});
    };
    choice("PTX", "program.ptx", false, true);
    tooltip(ui, "Memory accesses and branches of the line, in the order of the code");
    ImGui::SameLine(0, ui.px(4));
    choice("SASS", "program.sass", true, !code.sass.empty());
    tooltip(ui, code.sass.empty() ? "There was no nvdisasm where it was measured"
                                  : "All machine instructions of the line");
    ImGui::PopFont();
    const std::vector<std::string>& lines = machine ? code.sass : code.ptx;
    ImFont* const font = ui.fonts.smallNumber;
    const float row = font->FontSize + ui.px(3);
    const auto shown = static_cast<float>(std::clamp<std::size_t>(lines.size(), 1, 9));
    const float height = shown * row + ui.px(14) + ImGui::GetStyle().ScrollbarSize;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(ui.colors.background));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(6)));
    ImGui::BeginChild(
        "code", {0, height}, false,
        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(3)));
    if (lines.empty()) {
        text(ui.fonts.small, ui.colors.muted, "No memory access and no branch is left.");
    }
    for (const std::string& line : lines) text(font, ui.colors.text, line);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ui.mark("program.code");
    space(ui, 6);
}

}  // namespace

bool hasFaults(const ProgramState& program) {
    return program.now && program.now->failure.empty() &&
           std::ranges::any_of(program.now->trace.findings,
                               [](const Finding& finding) { return !isWarning(finding.kind); });
}

void drawProgramComparison(const UiContext& ui, const ProgramState& program) {
    const auto comparisons = comparisonOfChosen(program, program.line);
    const auto differences = differencesOfChosen(program, program.line);
    if (program.line != 0 && !comparisons.empty()) comparisonTable(ui, comparisons, differences);
    // What is wrong is put right before it is asked what the compiler makes of it.
    if (!hasFaults(program)) differenceBoxes(ui, differences);
    if (const CompiledLine* code = codeOfChosen(program, program.line)) {
        codeBox(ui, program, *code);
    }
}

}  // namespace warplens::window
