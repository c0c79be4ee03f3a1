#include <vector>

#include "app/window/panels/measured_parts.h"
#include "app/window/panels/plots.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

/// `2026-11-21T09:30:00Z` as `2026-11-21 09:30 UTC`.
std::string momentOf(const std::string& takenAt) {
    const std::size_t t = takenAt.find('T');
    if (t == std::string::npos || takenAt.size() < t + 6) return takenAt;
    return takenAt.substr(0, t) + " " + takenAt.substr(t + 1, 5) + " UTC";
}

/// Where the measured numbers come from, in lines of at most `width` that end between statements.
std::vector<std::string> linesOf(const UiContext& ui, const Origin& m, float width) {
    const std::vector<std::string> statements{
        (m.recorded ? "Recorded: " : "Measured: ") + m.device.name,
        "compute capability " + m.device.computeCapability,
        "CUDA " + m.device.cuda,
        std::to_string(m.timing.runs) + " runs, spread " +
            formatNumber(m.timing.spreadPercent, Unit::percent),
        momentOf(m.takenAt),
        "Warplens " + m.version};
    std::vector<std::string> lines;
    for (const std::string& statement : statements) {
        const std::string longer = lines.empty() ? "" : lines.back() + "  ·  " + statement;
        if (!lines.empty() && measured(ui.look.fonts.small, longer).x <= width) {
            lines.back() = longer;
        } else {
            lines.push_back(statement);
        }
    }
    return lines;
}

}  // namespace

void drawHeadlines(const UiContext& ui, const Evidence& evidence, const Timing& timing) {
    const float width = ImGui::GetContentRegionAvail().x;
    headline(ui, formatNumber(timing.medianSeconds, Unit::seconds),
             (timing.from == TimeFrom::deviceStamps ? "device time" : "event to event") +
                 (", median of " + std::to_string(timing.runs)) + " runs",
             width * 0.48F);
    tooltip(ui, "Fastest " + formatNumber(timing.minimumSeconds, Unit::seconds) + ", slowest " +
                    formatNumber(timing.maximumSeconds, Unit::seconds) + ", spread " +
                    formatNumber(timing.spreadPercent, Unit::percent) +
                    " (interquartile range over median). Taken " +
                    std::string(inWords(timing.from)) +
                    (timing.fromReason.empty() ? "" : ": " + timing.fromReason) + ". " +
                    std::string(metricInfo(Metric::time).meaning));
    const Value* effective = evidence.best(Metric::effectiveBandwidth);
    if (effective != nullptr && effective->number() != nullptr) {
        headline(ui, formatValue(*effective),
                 std::string(toString(effective->source)) + ": effective bandwidth", width * 0.52F);
        tooltip(ui, metricInfo(Metric::effectiveBandwidth).meaning);
    }
    ImGui::NewLine();
    advance(ui.look.px(4));
}

float originHeight(const UiContext& ui, const Origin& origin, float width) {
    return ui.look.px(12) + static_cast<float>(linesOf(ui, origin, width).size()) *
                                (ui.look.fonts.small->FontSize + ui.look.px(2));
}

void drawOrigin(const UiContext& ui, const Origin& m) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + width, at.y + look.snap(1)},
                                              packed(look.colors.border));
    advance(look.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(2)));
    ImGui::BeginGroup();
    for (const std::string& line : linesOf(ui, m, width)) {
        text(look.fonts.small, look.colors.muted, line);
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ui.mark("source");
    tooltip(ui, "Driver for CUDA " + m.device.driver + ". Caches " + m.timing.cacheState +
                    ". Clocks: " + m.timing.clocks + ".");
}

void drawRecordedTag(const UiContext& ui, const Origin& origin) {
    if (!origin.recorded) return;
    const std::string where = "Recorded on " + origin.device.name + ", " + dayOf(origin.takenAt);
    const std::string whole = where + ": every measured number";
    const float widest = ImGui::GetContentRegionAvail().x - ui.look.px(16);
    ImFont* const font = ui.look.fonts.small;
    tag(ui, measured(font, whole).x <= widest ? whole : fitted(font, where, widest),
        ui.look.colors.warning);
    ui.mark("recorded");
    advance(ui.look.px(2));
}

}  // namespace warplens::window
