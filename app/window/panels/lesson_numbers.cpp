#include <algorithm>
#include <cmath>

#include "app/window/panels/learn_parts.h"
#include "core/lesson/document.h"

namespace warplens::window {
namespace {

/// Words without the backticks around code.
std::string plain(std::string_view words) {
    std::string text(words);
    std::erase(text, '`');
    return text;
}

/// A number at the right, what it is from at the left, in as many lines as that takes.
void numberLine(const UiContext& ui, const std::string& value, Rgb color, const std::string& from) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImFont* const font = look.fonts.number;
    const float taken = measured(font, value).x + look.px(12);
    ImFont* const small = look.fonts.small;
    const float room = std::max(look.px(80), width - taken);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, font, color, {at.x + width, at.y}, value, 1);
    const float height =
        textInLines(&list, small, look.colors.muted,
                    {at.x, at.y + (font->FontSize - small->FontSize) * 0.6F}, from, room);
    ImGui::Dummy({width, std::max(font->FontSize, height) + look.px(2)});
}

}  // namespace

bool wideButton(const UiContext& ui, const char* name, std::string_view before,
                std::string_view words, bool chosen) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float padding = look.px(9);
    const float indent = before.empty() ? 0 : look.px(24);
    ImFont* const font = look.fonts.body;
    const std::string text = plain(words);
    const float wrap = width - 2 * padding - indent;
    const float height = textInLines(nullptr, font, c.text, {}, text, wrap) + 2 * look.px(6);
    const Rgb background = chosen ? mixed(c.raised, c.accent, 0.28F) : c.raised;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, packed(background), look.px(6));
    ImGui::PushStyleColor(ImGuiCol_Header, 0);
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, packed(c.accent, 0.22F));
    ImGui::PushStyleColor(ImGuiCol_HeaderActive, packed(c.accent, 0.4F));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(6)));
    const bool pressed = ImGui::Selectable(name, false, 0, {width, height});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    if (!before.empty()) {
        textAt(list, look.fonts.strong, c.accent, {at.x + padding, at.y + look.px(6)}, before);
    }
    textInLines(&list, font, c.text, {at.x + padding + indent, at.y + look.px(6)}, text, wrap);
    return pressed;
}

void drawLessonTable(const UiContext& ui, const LessonTable& table) {
    const Look& look = ui.look;
    heading(ui, table.title);
    const std::size_t columns = table.rows.at(0).size();
    const float width = ImGui::GetContentRegionAvail().x;
    ImFont* const font = look.fonts.small;
    // As wide as their words, and what is left over shared out.
    std::vector<float> widths(columns, 0);
    float taken = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        for (const auto& row : table.rows)
            widths[i] = std::max(widths[i], measured(font, row[i]).x);
        taken += widths[i];
    }
    const float spare = std::max(0.0F, width - taken) / static_cast<float>(columns);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t place = 0; place < table.rows.size(); ++place) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        float x = at.x;
        for (std::size_t i = 0; i < columns; ++i) {
            textAt(list, font, place == 0 ? look.colors.muted : look.colors.text, {x, at.y},
                   table.rows[place][i]);
            x += widths[i] + spare;
        }
        ImGui::Dummy({width, font->FontSize + look.px(3)});
    }
    space(ui, 12);
}

void drawLessonNumbers(const UiContext& ui, const ResolvedLesson& resolved) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    for (const ResolvedNumber& figure : resolved.figures) {
        wrapped(look.fonts.body, c.text, figure.name);
        for (const ResolvedNumber::Line& line : figure.lines) {
            numberLine(ui, line.value, c.text, line.sources);
        }
        if (figure.lines.empty()) numberLine(ui, "-", c.muted, figure.missing);
        if (figure.document) {
            const SourceDocument* document = findDocument(figure.document->document);
            numberLine(ui, figure.document->says, c.accent,
                       document == nullptr ? "document" : std::string(document->title));
            if (!figure.document->why.empty()) {
                space(ui, 2);
                wrapped(look.fonts.small, c.text, plain(figure.document->why));
            }
        }
        space(ui, 8);
    }
}

}  // namespace warplens::window
