#include <cmath>

#include "app/drawing/elements.h"
#include "app/drawing/warp_memory.h"
#include "app/window/panels/map_panel.h"
#include "app/window/panels/widgets.h"
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

/// As many words as there is room for.
std::string seen(const MapContext& context, const MapFrame& frame, float room) {
    const auto longest = [&](std::initializer_list<std::string> all) -> std::string {
        for (const std::string& one : all) {
            if (measured(context.ui.fonts.small, one).x <= room) return one;
        }
        return {};
    };
    if (context.stale) return longest({"last launch that CUDA accepts", "last valid launch"});
    if (context.state.view.map == MapFollows::block) {
        const bool alone = context.state.view.experiment.launch.grid.count() == 1;
        const std::string index = toText(context.state.view.block);
        const std::string words = "Threads of block " + index;
        return longest(
            {alone ? words : words + ", neighbours dimmed", words, "Block " + index, index});
    }
    const bool whole = context.state.view.map == MapFollows::grid;
    const std::string where = whole ? "The whole grid" : "Map";
    return longest({where + ": " + describeScale(frame), where, whole ? "Grid" : ""});
}

/// The whole map on an area of its own, no larger than it needs.
MapFrame overview(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size) {
    const MapLayout& layout = frame.layout;
    MapArea area;
    area.width = std::max(1.0F, std::floor(size.x));
    area.height = std::max(1.0F, std::floor(size.y));
    // A block is no larger than it must be to be seen.
    area.largestCell = context.ui.px(40) / std::max(layout.pitchX, layout.pitchY);
    MapFrame small{area, layout, fittedToGrid(layout, area), at};
    const double cell = small.camera.cell;
    const double needed = static_cast<double>(layout.placesY()) * layout.pitchY * cell;
    const double across = static_cast<double>(layout.placesX()) * layout.pitchX * cell;
    small.area.height = std::clamp(static_cast<float>(std::ceil(needed)), 1.0F, area.height);
    small.area.width = std::clamp(static_cast<float>(std::ceil(across)), 1.0F, area.width);
    return small;
}

/// What the map shows, at least as large as can be seen.
void window(const MapContext& context, const MapFrame& map, const MapFrame& small) {
    const Look& look = context.ui.look;
    const ImVec2 from = small.on(pointAt(map.camera, map.layout, map.area, {0, 0}));
    const ImVec2 to =
        small.on(pointAt(map.camera, map.layout, map.area, {map.area.width, map.area.height}));
    const ImVec2 end{small.at.x + small.area.width, small.at.y + small.area.height};
    ImVec2 low{std::clamp(from.x, small.at.x, end.x), std::clamp(from.y, small.at.y, end.y)};
    ImVec2 high{std::clamp(to.x, small.at.x, end.x), std::clamp(to.y, small.at.y, end.y)};
    const float least = look.px(5);
    if (high.x - low.x < least) {
        low.x = (low.x + high.x - least) / 2;
        high.x = low.x + least;
    }
    if (high.y - low.y < least) {
        low.y = (low.y + high.y - least) / 2;
        high.y = low.y + least;
    }
    outline(*ImGui::GetWindowDrawList(), look, low, high);
}

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
            {context.ui.colors.cases.at(count.which.index()), false, std::move(words)});
        wasted = count.wasted > UINT64_MAX - wasted ? UINT64_MAX : wasted + count.wasted;
    }
    entries.push_back({context.ui.colors.muted, true,
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

/// Threads without an element of their own; or those that take no part in the step shown.
WastedMask hatchedLanes(const MapContext& context) {
    if (!context.lanes) return wastedMask(context.guard, context.state.view.block);
    WastedMask mask{};
    const Extents block = context.state.view.experiment.launch.block;
    for (std::uint32_t warp = 0; warp < warpCountPerBlock(block); ++warp) {
        const std::uint32_t threads = threadCountInWarp({warp}, block);
        mask.at(warp) = ~context.lanes->at(warp) & (threads == 32 ? ~0U : (1U << threads) - 1);
    }
    return mask;
}

}  // namespace

float mapToolsHeight(const Look& look) {
    return look.fonts.small->FontSize + look.px(18);
}

float drawMapTools(const MapContext& context, const MapFrame& frame, ImVec2 at, float width) {
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
            context.ui.issue(tool.command);
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
               {at.x, at.y + look.px(3)}, seen(context, frame, room));
    }
    return mapToolsHeight(look);
}

float mapLegendHeight(const MapContext& context, float width) {
    if (!context.guarded()) return 0;
    return walk(context, width, [](const Entry&, ImVec2) {}) + context.ui.px(8);
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

float drawMinimap(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size) {
    const MapFrame small = overview(context, frame, {std::floor(at.x), std::floor(at.y)}, size);
    const ImVec2 extent{small.area.width, small.area.height};
    MapPicture picture = context.map(small.at, small.layout, small.area);
    picture.heldWarp = -1;
    picture.camera = small.camera;
    picture.blocksOnly = true;
    context.canvas.add(*ImGui::GetWindowDrawList(), picture);
    ImGui::SetCursorScreenPos(small.at);
    ImGui::InvisibleButton("grid", extent);
    context.ui.mark("grid");
    window(context, frame, small);
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return extent.y;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto hit =
        pick(small.camera, small.layout, small.area, {mouse.x - small.at.x, mouse.y - small.at.y});
    if (!hit) return extent.y;
    if (ImGui::IsItemActive()) {
        context.ui.issue(ChooseBlock{hit->block});
        context.ui.issue(CentreMap{hit->block});
    }
    tooltip(context.ui, blockName(context.state, hit->block));
    return extent.y;
}

void drawWarpStrip(const MapContext& context, ImVec2 at, ImVec2 size) {
    const Look& look = context.ui.look;
    const Extents block = context.state.view.experiment.launch.block;
    const std::uint32_t warps = warpCountPerBlock(block);
    ImFont* const font = look.fonts.smallNumber;
    const float gutter = measured(font, "00").x + look.px(8);
    const float cellWidth = std::max(2.0F, std::floor((size.x - gutter) / 32));
    const float cellHeight =
        std::clamp(std::floor((size.y - font->FontSize - look.px(4)) / static_cast<float>(warps)),
                   2.0F, look.snap(24));
    const ImVec2 origin{std::floor(at.x + gutter), std::floor(at.y + font->FontSize + look.px(4))};
    const ImVec2 extent{cellWidth * 32, cellHeight * static_cast<float>(warps)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawing::Items lanes;
    const WastedMask hatched = hatchedLanes(context);
    const float gap = cellWidth >= 4 * look.snap(1) ? look.snap(1) : 0;
    const float gapBelow = cellHeight >= 4 * look.snap(1) ? look.snap(1) : 0;
    const std::optional<WarpRank> held = context.state.view.warp;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        const float top = origin.y + cellHeight * static_cast<float>(warp);
        drawing::drawLanes(
            {warp}, block, {origin.x, top, origin.x + cellWidth - gap, top + cellHeight - gapBelow},
            cellWidth,
            {.background = look.colors.panel,
             .outline = look.colors.faint,
             .outlineWidth = look.snap(1),
             .hatched = hatched.at(warp),
             .strength = (context.stale ? 0.35F : 1) * (held && held->value != warp ? 0.28F : 1)},
            lanes);
    }
    paint(list, look.fonts, lanes);
    for (const std::uint32_t lane : {0u, 8u, 16u, 24u, 31u}) {
        textAt(list, font, look.colors.faint,
               {origin.x + (static_cast<float>(lane) + 0.5F) * cellWidth, at.y},
               std::to_string(lane), lane == 31 ? 0.6F : 0.5F);
    }
    std::uint32_t every = 1;
    while (static_cast<float>(every) * cellHeight < font->FontSize) every *= 2;
    for (std::uint32_t warp = 0; warp < warps; warp += every) {
        const float middle = origin.y + (static_cast<float>(warp) + 0.5F) * cellHeight;
        textAt(list, font, look.colors.faint, {origin.x - look.px(6), middle - font->FontSize / 2},
               std::to_string(warp), 1);
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::InvisibleButton("warps", extent);
    context.ui.mark("warps");
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto lane = static_cast<std::uint32_t>((mouse.x - origin.x) / cellWidth);
    const auto warp = static_cast<std::uint32_t>((mouse.y - origin.y) / cellHeight);
    const std::uint32_t rank = firstThreadOfWarp({warp}).value + lane;
    if (lane < 32 && rank < block.count()) {
        if (ImGui::IsItemClicked()) context.ui.issue(ToggleWarp{{warp}});
        pointedThread(context, threadIndexInBlock({rank}, block));
    } else if (lane < 32 && warp < warps) {
        idleLane(context.ui, {warp}, {lane});
    }
}

}  // namespace warplens::window
