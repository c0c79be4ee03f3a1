#include <algorithm>
#include <cmath>
#include <vector>

#include "app/drawing/elements.h"
#include "app/window/panels/map_panel.h"
#include "app/window/state/actions.h"
#include "core/text/format.h"

namespace warplens::window {

namespace {

/// One button of the row, from right to left.
struct Tool final {
    std::string label;
    const char* mark;
    const char* tip;
    bool chosen;
    Command command;
};

std::string seen(const MapContext& context, const MapFrame& frame, float room) {
    if (context.stale) return "last launch that CUDA accepts";
    if (context.state.view.map == MapFollows::block) {
        const bool alone = context.state.view.experiment.launch.grid.count() == 1;
        const std::string words = "Threads of block " + toText(context.state.view.block);
        const std::string more = words + ", neighbours dimmed";
        const auto fits = [&](const std::string& one) {
            return measured(context.ui.look.fonts.small, one).x <= room;
        };
        if (!alone && fits(more)) return more;
        return fits(words) ? words : "Block " + toText(context.state.view.block);
    }
    const std::string where =
        context.state.view.map == MapFollows::grid ? "The whole grid: " : "Map: ";
    return where + describeScale(frame);
}

}  // namespace

float mapToolsHeight(const Look& look) {
    return look.fonts.small->FontSize + look.px(18);
}

float drawMapTools(const MapContext& context, const MapFrame& frame, ImVec2 at, float width,
                   Commands& commands) {
    const Look& look = context.ui.look;
    const View& view = context.state.view;
    const auto does = [&](Act act) { return actionOf(act).command(context.state); };
    std::vector<Tool> tools{
        {"Grid", "map.grid", "The whole grid (F)", view.map == MapFollows::grid,
         Show{.map = MapFollows::grid}},
        {"Block", "map.block", "The chosen block (F)", view.map == MapFollows::block,
         Show{.map = MapFollows::block}},
        {"+", "map.closer", "Closer (+, or the wheel over the map)", false, does(Act::closer)},
        {"–", "map.further", "Further away (-)", false, does(Act::further)},
        {"Cells: " + std::string(toString(view.numbers)), "map.numbers",
         "What stands in the cells: warp, coordinates, rank in the block, element (E)", false,
         does(Act::cellNumbers)},
    };
    if (const auto& held = context.state.view.warp) {
        tools.push_back({"Warp " + std::to_string(held->value) + "  ×", "map.release",
                         "Selected: the others are dimmed. Click to deselect it (Esc)", true,
                         Show{.warp = noWarp}});
    }
    ImGui::PushFont(look.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(7), look.px(3)));
    const float height = look.fonts.small->FontSize + 2 * look.px(3);
    float right = at.x + width;
    for (const Tool& tool : tools) {
        const float wide =
            std::max(measured(look.fonts.small, tool.label).x + 2 * look.px(7), height);
        // The narrowest windows keep the keys and the wheel.
        if (right - wide < at.x) break;
        ImGui::SetCursorScreenPos({std::floor(right - wide), at.y});
        ImGui::PushID(tool.mark);
        if (plainButton(context.ui, tool.label.c_str(), true, tool.chosen, {wide, height})) {
            commands.push_back(tool.command);
        }
        ImGui::PopID();
        context.ui.mark(tool.mark);
        tooltip(context.ui, tool.tip);
        right = std::floor(right - wide) - look.px(4);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    const float room = right - at.x - look.px(8);
    if (room > look.px(60)) {
        textAt(*ImGui::GetWindowDrawList(), look.fonts.small, look.colors.muted,
               {at.x, at.y + look.px(3)},
               fitted(look.fonts.small, seen(context, frame, room), room));
    }
    return mapToolsHeight(look);
}

namespace {

struct Entry final {
    Rgb color;
    bool hatched;
    std::string words;
};

std::vector<Entry> entriesOf(const MapContext& context) {
    std::vector<Entry> entries;
    std::uint64_t wasted = 0;
    for (const BlockCaseCount& count : context.cases) {
        std::string words =
            std::string(nameOf(count.which)) + "  " + counted(count.blocks, "block");
        if (count.wasted > 0) words += ", " + groupedDigits(count.wasted) + " wasted";
        entries.push_back(
            {context.ui.look.colors.cases.at(count.which.index()), false, std::move(words)});
        wasted = count.wasted > UINT64_MAX - wasted ? UINT64_MAX : wasted + count.wasted;
    }
    entries.push_back({context.ui.look.colors.muted, true,
                       counted(wasted, "thread") + " without an element of their own"});
    return entries;
}

float swatch(const Look& look) {
    return std::floor(look.fonts.small->FontSize * 0.85F);
}

/// Walks the entries in columns as wide as the widest; returns the height.
float walk(const MapContext& context, float width, auto&& visit) {
    const Look& look = context.ui.look;
    const std::vector<Entry> entries = entriesOf(context);
    float widest = 0;
    for (const Entry& entry : entries) {
        widest = std::max(widest, measured(look.fonts.small, entry.words).x);
    }
    const float column = widest + swatch(look) + look.px(26);
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(width / column));
    const float line = look.fonts.small->FontSize + look.px(6);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        visit(entries[i], ImVec2(static_cast<float>(i % columns) * column,
                                 static_cast<float>(i / columns) * line));
    }
    return static_cast<float>((entries.size() + columns - 1) / columns) * line;
}

void stripes(ImDrawList& list, ImVec2 from, ImVec2 to, Rgb color, float spacing) {
    list.PushClipRect(from, to, true);
    const float height = to.y - from.y;
    for (float x = from.x - height; x < to.x; x += spacing) {
        list.AddLine({x, to.y}, {x + height, from.y}, packed(color), spacing * 0.45F);
    }
    list.PopClipRect();
}

}  // namespace

float mapLegendHeight(const MapContext& context, float width) {
    if (!context.guarded()) return 0;
    return walk(context, width, [](const Entry&, ImVec2) {}) + context.ui.look.px(8);
}

void drawMapLegend(const MapContext& context, ImVec2 at, float width) {
    if (!context.guarded()) return;
    const Look& look = context.ui.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = swatch(look);
    walk(context, width, [&](const Entry& entry, ImVec2 place) {
        const ImVec2 from{std::floor(at.x + place.x), std::floor(at.y + place.y + look.px(8))};
        const ImVec2 to{from.x + side, from.y + side};
        if (entry.hatched) {
            list.AddRect(from, to, packed(entry.color, 0.6F));
            stripes(list, from, to, entry.color, look.px(4));
        } else {
            list.AddRectFilled(from, to, packed(entry.color));
        }
        textAt(list, look.fonts.small, look.colors.text,
               {to.x + look.px(7), from.y + (side - look.fonts.small->FontSize) / 2}, entry.words);
    });
}

}  // namespace warplens::window
