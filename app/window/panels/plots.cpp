#include "app/window/panels/plots.h"

#include <algorithm>
#include <cmath>

#include "core/text/format.h"

namespace warplens::window {
namespace {

/// Advances the cursor past what was drawn by hand at it.
void advance(const Pen& pen, float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
    ImGui::PopStyleVar();
    (void)pen;
}

Rgb shareColor(const Colors& colors, double percent) {
    return percent >= 80 ? colors.good : percent >= 40 ? colors.warning : colors.bad;
}

std::string explain(const Evidence& evidence, const FigureRow& row) {
    std::string words = row.meaning;
    for (const Value* cell : row.cells) {
        if (cell == nullptr) continue;
        words += "\n" + evidence.sourceText(cell->source) + ": " + formatValue(*cell);
    }
    if (!row.ideal.empty()) words += "\nfewest possible: " + row.ideal;
    return words;
}

}  // namespace

void shareBar(const Pen& pen, const Evidence& evidence, std::string_view meaning, Metric metric) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    const Value* value = evidence.best(metric);
    if (value == nullptr) return;
    const double* number = value->number();
    if (number == nullptr) {
        wrapped(look.fonts.small, c.muted, formatValue(*value));
        return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const large = look.fonts.largeNumber;
    const Rgb color = shareColor(c, *number);
    const std::string shown = formatNumber(*number, Unit::percent);
    textAt(list, large, c.text, at, shown);
    const float left = measured(large, shown).x + look.px(12);
    textAt(list, look.fonts.small, c.muted,
           {at.x + left, at.y + large->FontSize - look.fonts.small->FontSize - look.px(3)},
           meaning);
    textAt(list, look.fonts.small, c.faint,
           {at.x + width, at.y + large->FontSize - look.fonts.small->FontSize - look.px(3)},
           evidence.sourceText(value->source), 1);
    const float top = std::floor(at.y + large->FontSize + look.px(5));
    const float height = look.snap(9);
    bar(list, look, {at.x, top}, {width, height}, static_cast<float>(*number / 100), color);
    const Value* predicted = evidence.find(metric, Source::predicted, Variant::none, "kernel");
    if (value->source != Source::predicted && predicted != nullptr &&
        predicted->number() != nullptr) {
        const float x = at.x + width * static_cast<float>(*predicted->number() / 100);
        list.AddRectFilled({x - look.snap(1), top - look.px(3)},
                           {x + look.snap(1), top + height + look.px(3)}, packed(c.text));
    }
    advance(pen, large->FontSize + look.px(20));
}

void figureTable(const Pen& pen, const Evidence& evidence, const std::vector<FigureRow>& rows) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    const float first = width * 0.37F;
    const float column = (width - first) / 3;
    ImVec2 at = ImGui::GetCursorScreenPos();
    constexpr std::array<Source, 3> sources{Source::predicted, Source::probed, Source::counted};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        textAt(list, look.fonts.small, c.faint,
               {at.x + first + column * static_cast<float>(i + 1), at.y}, toString(sources.at(i)),
               1);
    }
    if (evidence.recorded) textAt(list, look.fonts.small, c.warning, at, "recorded");
    advance(pen, look.fonts.small->FontSize + look.px(5));
    const float lineHeight = look.fonts.small->FontSize + look.px(4);
    for (const FigureRow& row : rows) {
        at = ImGui::GetCursorScreenPos();
        std::string name = row.name;
        textAt(list, look.fonts.small, c.muted, {at.x, at.y + look.px(2)},
               fitted(look.fonts.small, name, first - look.px(4)));
        if (!row.ideal.empty()) {
            const float left = measured(look.fonts.small, name).x + look.px(8);
            textAt(list, look.fonts.smallNumber, c.faint, {at.x + left, at.y + look.px(3)},
                   fitted(look.fonts.smallNumber, "≥ " + row.ideal, first - left + look.px(10)));
        }
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const Value* cell = row.cells.at(i);
            const bool number = cell != nullptr && cell->number() != nullptr;
            textAt(list, look.fonts.smallNumber, number ? c.text : c.faint,
                   {at.x + first + column * static_cast<float>(i + 1), at.y + look.px(2)},
                   cell == nullptr ? "–" : compact(*cell), 1);
        }
        advance(pen, lineHeight);
        tooltip(pen, explain(evidence, row));
    }
    space(pen, 4);
    for (const std::string& reason : reasonsIn(evidence, rows)) {
        wrapped(look.fonts.small, c.faint, "n/a  " + reason);
    }
    space(pen, 10);
}

void rateBars(const Pen& pen, const std::vector<RateBar>& bars) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    double most = 0;
    for (const RateBar& rate : bars) most = std::max(most, rate.bytesPerSecond.value_or(0));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    const float names = look.px(84);
    const float numbers = measured(look.fonts.smallNumber, "0.00 TB/s").x + look.px(10);
    const float height = look.snap(12);
    for (const RateBar& rate : bars) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = look.fonts.body->FontSize + look.px(3);
        textAt(list, look.fonts.small, c.muted, {at.x, at.y + look.px(2)}, rate.name);
        if (rate.bytesPerSecond) {
            bar(list, look, {at.x + names, std::floor(at.y + (line - height) / 2)},
                {width - names - numbers, height},
                most > 0 ? static_cast<float>(*rate.bytesPerSecond / most) : 0, rate.color);
            textAt(list, look.fonts.smallNumber, c.text, {at.x + width, at.y + look.px(2)},
                   formatNumber(*rate.bytesPerSecond, Unit::bytesPerSecond), 1);
        } else {
            textAt(list, look.fonts.small, c.faint, {at.x + names, at.y + look.px(2)},
                   fitted(look.fonts.small, rate.reason, width - names));
        }
        advance(pen, line);
        tooltip(pen, rate.bytesPerSecond ? rate.name + ": " + rate.source : rate.reason);
    }
    space(pen, 4);
}

void sourcedLine(const Pen& pen, const Evidence& evidence, std::string_view name,
                 const Value& value) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    if (value.number() == nullptr) {
        wrapped(look.fonts.small, c.muted, std::string(name) + ": " + formatValue(value));
        return;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    textAt(list, look.fonts.small, c.muted, {at.x, at.y + look.px(2)}, name);
    textAt(list, look.fonts.smallNumber, c.text, {at.x + width * 0.62F, at.y + look.px(2)},
           formatValue(value), 1);
    textAt(list, look.fonts.small, c.faint, {at.x + width, at.y + look.px(2)},
           evidence.sourceText(value.source), 1);
    advance(pen, look.fonts.small->FontSize + look.px(6));
    tooltip(pen, metricInfo(value.metric).meaning);
}

void checkLine(const Pen& pen, Check check, std::string_view words) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = look.fonts.small->FontSize;
    const float thick = look.px(2);
    const ImVec2 centre{at.x + side / 2, at.y + side / 2};
    if (check == Check::passed) {
        list.AddLine({at.x + side * 0.1F, centre.y}, {at.x + side * 0.4F, at.y + side * 0.8F},
                     packed(c.good), thick);
        list.AddLine({at.x + side * 0.4F, at.y + side * 0.8F},
                     {at.x + side * 0.95F, at.y + side * 0.15F}, packed(c.good), thick);
    } else if (check == Check::broken) {
        list.AddLine({at.x, at.y + side * 0.1F}, {at.x + side * 0.8F, at.y + side * 0.9F},
                     packed(c.bad), thick);
        list.AddLine({at.x, at.y + side * 0.9F}, {at.x + side * 0.8F, at.y + side * 0.1F},
                     packed(c.bad), thick);
    } else {
        list.AddCircle(centre, side * 0.3F, packed(c.faint), 0, thick);
    }
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    wrapped(look.fonts.small, check == Check::broken ? c.bad : c.text, words);
}

void comparisonTable(const Pen& pen, const Result& a, const Result& b) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    heading(pen, "A against B");
    wrapped(look.fonts.small, c.muted, "A  " + shortName(a.measurement.experiment));
    wrapped(look.fonts.small, c.muted, "B  " + shortName(b.measurement.experiment));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::array<float, 3> edges{width * 0.50F, width * 0.71F, width};
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (const auto& [edge, name] :
         {std::pair{edges[0], "A"}, std::pair{edges[1], "B"}, std::pair{edges[2], "B against A"}}) {
        textAt(list, look.fonts.small, c.faint, {at.x + edge, at.y}, name, 1);
    }
    advance(pen, look.fonts.small->FontSize + look.px(5));
    for (const Comparison& line : compare(a, b)) {
        at = ImGui::GetCursorScreenPos();
        const Rgb verdict = line.verdict > 0 ? c.good : line.verdict < 0 ? c.bad : c.muted;
        textAt(list, look.fonts.small, c.muted, {at.x, at.y + look.px(2)},
               fitted(look.fonts.small, line.name, width * 0.33F));
        textAt(list, look.fonts.smallNumber, c.text, {at.x + edges[0], at.y + look.px(2)}, line.a,
               1);
        textAt(list, look.fonts.smallNumber, c.text, {at.x + edges[1], at.y + look.px(2)}, line.b,
               1);
        textAt(list, look.fonts.smallNumber, verdict, {at.x + edges[2], at.y + look.px(2)},
               line.ratio, 1);
        advance(pen, look.fonts.body->FontSize + look.px(5));
    }
    space(pen, 16);
}

}  // namespace warplens::window
