#include <algorithm>
#include <cmath>

#include "app/drawing/plot_roof.h"
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/panels.h"
#include "app/window/state/roof.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

std::string pointWords(const drawing::RoofRow& row) {
    return row.name + (row.sizes.empty() ? "" : "  " + row.sizes) + "\n" + row.perAccess +
           " FLOP for each access of 4 bytes, predicted\n" + row.perDramByte +
           " FLOP for each byte of DRAM, counted\n" + row.rate +
           ", timed\nClick shows this launch.";
}

/// The points by number, in columns.
void table(const UiContext& ui, const Roofline& roofline, const std::vector<drawing::RoofRow>& rows,
           std::optional<std::size_t> held, Commands& commands) {
    const Look& look = ui.look;
    ImFont* const font = look.fonts.small;
    ImFont* const numbers = look.fonts.smallNumber;
    const float width = ImGui::GetContentRegionAvail().x;
    const float rate = measured(numbers, "88.8 TFLOP/s").x + look.px(6);
    const float each = measured(font, "per DRAM byte").x + look.px(12);
    const float pitch = font->FontSize + look.px(5);
    // In a narrow column the names are worth more than what the pointer tells, too.
    const bool narrow = width - rate - 2 * each < look.px(110);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto row = [&](ImVec2 at, const std::string& name, const std::string& access,
                         const std::string& dram, const std::string& flops, Rgb color,
                         ImFont* face) {
        const float names = narrow ? width - rate : width - rate - 2 * each;
        textAt(list, font, color, at, fitted(font, name, names - look.px(6)));
        if (!narrow) {
            textAt(list, face, color, {at.x + names + each - look.px(8), at.y}, access, 1);
            textAt(list, face, color, {at.x + names + 2 * each - look.px(8), at.y}, dram, 1);
        }
        textAt(list, face, color, {at.x + width, at.y}, flops, 1);
    };
    const ImVec2 top = ImGui::GetCursorScreenPos();
    row(top, narrow ? "" : "FLOP for each", "access", "DRAM byte", "FLOP/s", look.colors.faint,
        font);
    ImGui::Dummy({width, pitch});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::InvisibleButton("row", {width, pitch})) {
            commands.emplace_back(Show{.experiment = roofline.points[i].experiment});
        }
        ui.mark("roof.row." + std::to_string(i));
        ImGui::PopID();
        const bool pointed = ImGui::IsItemHovered();
        if (pointed || held == i) {
            list.AddRectFilled({at.x - look.px(4), at.y - look.px(1)},
                               {at.x + width + look.px(4), at.y + pitch - look.px(2)},
                               packed(mixed(look.colors.panel, look.colors.accent, 0.14F)),
                               look.px(4));
        }
        tooltip(ui, pointWords(rows[i]));
        const std::string name = std::to_string(i + 1) + "  " + rows[i].name;
        row(at, name, rows[i].perAccess, rows[i].perDramByte, rows[i].rate, look.colors.text,
            numbers);
    }
}

}  // namespace

Commands drawRoofPanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const Roofline roofline = shownRoofline(state);
    const std::vector<drawing::RoofRow> rows = drawing::rowsOf(roofline);
    const auto shown =
        std::ranges::find(roofline.points, state.view.experiment, &RoofPoint::experiment);
    std::optional<std::size_t> held;
    if (shown != roofline.points.end()) {
        held = static_cast<std::size_t>(shown - roofline.points.begin());
    }
    if (roofline.recorded) {
        tag(ui, "Recorded on " + roofline.ceilings->device + ", " + dayOf(roofline.takenAt),
            look.colors.warning);
        ui.mark("roof.recorded");
    } else if (!roofline.ceilings) {
        tag(ui, "Predicted only: no device was measured", look.colors.warning);
    }
    const std::vector<std::string> lines = drawing::provenanceOf(roofline);
    const float pitch = look.fonts.small->FontSize + look.px(5) + ImGui::GetStyle().ItemSpacing.y;
    const float below =
        pitch * static_cast<float>(rows.size() + 1) + look.px(20) + provenanceHeight(ui, lines);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    // In a low room the table stands beside the plot.
    const bool beside = room.y - below <= look.px(150) && room.x >= look.px(460);
    const ImVec2 size =
        beside ? ImVec2(std::floor(room.x * 0.52F), std::max(room.y - look.px(16), look.px(160)))
               : ImVec2(room.x, std::min(room.y - below, room.x * 1.15F));
    if (size.y > look.px(150)) {
        const bool clicked = ImGui::InvisibleButton("roof", size);
        ui.mark("roof.plot");
        const drawing::RoofPicture picture = drawing::prepareRoof(
            roofline, drawArea(look, at, {at.x + size.x, at.y + size.y}), held, pointerOnItem());
        paint(*ImGui::GetWindowDrawList(), look.fonts, picture.items);
        if (picture.pointed) {
            tooltip(ui, pointWords(rows[*picture.pointed]));
            if (clicked) {
                commands.emplace_back(
                    Show{.experiment = roofline.points[*picture.pointed].experiment});
            }
        }
        space(ui, 6);
    }
    if (beside) {
        ImGui::SetCursorScreenPos({at.x + size.x + look.px(16), at.y});
        beginPanel("roof.table", {room.x - size.x - look.px(16), size.y},
                   ImGuiWindowFlags_NoBackground);
    }
    table(ui, roofline, rows, held, commands);
    space(ui, 6);
    provenance(ui, lines);
    if (beside) ImGui::EndChild();
    return commands;
}

}  // namespace warplens::window
