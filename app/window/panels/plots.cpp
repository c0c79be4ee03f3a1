#include "app/window/panels/plots.h"

#include <algorithm>
#include <cmath>

#include "core/measurement/value_text.h"

namespace warplens::window {

Rgb colorOfShare(const Colors& colors, double percent) {
    return percent >= goodShare ? colors.good : percent >= 40 ? colors.warning : colors.bad;
}

void advance(float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
    ImGui::PopStyleVar();
}

void headline(const UiContext& ui, std::string_view number, std::string_view caption, float width) {
    const Look& look = ui.look;
    ImFont* const large = look.fonts.largeNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    textAt(list, large, look.colors.text, at, fitted(large, number, width));
    textAt(list, look.fonts.small, look.colors.muted, {at.x, at.y + large->FontSize + look.px(1)},
           fitted(look.fonts.small, caption, width - look.px(6)));
    ImGui::Dummy({width, large->FontSize + look.fonts.small->FontSize + look.px(4)});
    ImGui::SameLine(0, 0);
}

void shareBar(const UiContext& ui, const Evidence& evidence, std::string_view meaning,
              Metric metric) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const Value* value = evidence.best(metric);
    if (value == nullptr || value->number() == nullptr) return;
    const double number = *value->number();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const large = look.fonts.largeNumber;
    ImFont* const small = look.fonts.small;
    const std::string shown = formatNumber(number, Unit::percent);
    textAt(list, large, c.text, at, shown);
    const float baseline = at.y + large->FontSize - small->FontSize - look.px(3);
    const std::string source(toString(value->source));
    const float left = measured(large, shown).x + look.px(12);
    textAt(list, small, c.muted, {at.x + left, baseline},
           fitted(small, meaning, width - left - measured(small, source).x - look.px(8)));
    textAt(list, small, c.faint, {at.x + width, baseline}, source, 1);
    const float top = std::floor(at.y + large->FontSize + look.px(3));
    const float height = look.snap(9);
    bar(list, look, {at.x, top}, {width, height}, static_cast<float>(number / 100),
        colorOfShare(c, number));
    const Value* predicted = evidence.find(metric, Source::predicted, Variant::none, "kernel");
    if (value->source != Source::predicted && predicted != nullptr &&
        predicted->number() != nullptr) {
        const float x = at.x + width * static_cast<float>(*predicted->number() / 100);
        list.AddRectFilled({x - look.snap(1), top - look.px(3)},
                           {x + look.snap(1), top + height + look.px(3)}, packed(c.text));
    }
    advance(large->FontSize + look.px(17));
    tooltip(ui, metricInfo(metric).meaning);
}

void namedBars(const UiContext& ui, const std::vector<NamedBar>& bars) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    ImFont* const small = look.fonts.small;
    ImFont* const mono = look.fonts.smallNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    float names = 0;
    float numbers = 0;
    float sources = 0;
    for (const NamedBar& one : bars) {
        names = std::max(names, measured(small, one.name).x);
        numbers = std::max(numbers, measured(mono, one.number).x);
        sources = std::max(sources, measured(small, one.source).x);
    }
    const float gap = look.px(10);
    const float left = names + gap;
    const float right = sources + gap;
    const float height = look.snap(11);
    const float line = small->FontSize + look.px(3.5F);
    for (const NamedBar& one : bars) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(list, small, c.muted, {at.x, at.y + look.px(1)}, one.name);
        if (one.share) {
            bar(list, look, {at.x + left, std::floor(at.y + (line - height) / 2)},
                {width - left - right - numbers - gap, height}, static_cast<float>(*one.share),
                one.color);
            textAt(list, mono, c.text, {at.x + width - right, at.y + look.px(1.5F)}, one.number, 1);
            textAt(list, small, c.faint, {at.x + width, at.y + look.px(1)}, one.source, 1);
        } else {
            textAt(list, small, c.faint, {at.x + left, at.y + look.px(1)},
                   fitted(small, "n/a " + one.source + ": " + one.reason, width - left));
        }
        advance(line);
        tooltip(ui, one.share ? one.meaning : one.reason);
    }
}

void tick(ImDrawList& list, ImVec2 at, float side, Rgb color) {
    const float thick = std::max(1.0F, side / 8);
    const ImVec2 foot{at.x + side * 0.4F, at.y + side * 0.8F};
    list.AddLine({at.x + side * 0.1F, at.y + side * 0.5F}, foot, packed(color), thick);
    list.AddLine(foot, {at.x + side * 0.95F, at.y + side * 0.15F}, packed(color), thick);
}

void checkLine(const UiContext& ui, Check check, std::string_view words) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = look.fonts.small->FontSize;
    const float thick = std::max(1.0F, side / 8);
    if (check == Check::passed) {
        tick(list, at, side, c.good);
    } else if (check == Check::broken) {
        list.AddLine({at.x, at.y + side * 0.1F}, {at.x + side * 0.8F, at.y + side * 0.9F},
                     packed(c.bad), thick);
        list.AddLine({at.x, at.y + side * 0.9F}, {at.x + side * 0.8F, at.y + side * 0.1F},
                     packed(c.bad), thick);
    } else {
        list.AddCircle({at.x + side / 2, at.y + side / 2}, side * 0.3F, packed(c.faint), 0, thick);
    }
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    wrapped(look.fonts.small, check == Check::broken ? c.bad : c.text, words);
}

}  // namespace warplens::window
