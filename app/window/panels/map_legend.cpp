#include "app/window/panels/map_legend.h"

#include <algorithm>
#include <cmath>

#include "core/text/format.h"

namespace warplens::window {
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
