
#include "app/window/panels/items_painter.h"
#include "app/window/panels/measured_parts.h"
#include "core/measurement/measurement.h"

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
        if (!lines.empty() && measured(ui.fonts.small, longer).x <= width) {
            lines.back() = longer;
        } else {
            lines.push_back(statement);
        }
    }
    return lines;
}

/// The bars in the left half. Leaves the cursor at their right.
void drawBars(const UiContext& ui, const Timing& timing, float width, float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height});
    ui.mark("times.histogram");
    const Quartiles quartiles = *quartilesOf(timing);
    const std::vector<std::string> times = drawing::timesApart(
        {timing.minimumSeconds, timing.maximumSeconds, quartiles.lower, quartiles.upper});
    tooltip(ui, "How long each of the " + std::to_string(timing.runs) + " runs took, " +
                    std::string(inWords(timing.from)) + ". Fastest " + times[0] + ", slowest " +
                    times[1] + "; half of them from " + times[2] + " to " + times[3] + ".");
    paint(*ImGui::GetWindowDrawList(), ui.fonts,
          drawing::prepareRunTimes(timing, drawArea(ui.look, at, {at.x + width, at.y + height})));
    ImGui::SameLine(0, 0);
}

/// `+ 0.90 µs for each launch  timed`, or why that is not known.
void launchLine(const UiContext& ui, const Evidence& evidence, float width) {
    const Value* const overhead = evidence.best(Metric::launchOverhead);
    if (overhead == nullptr) return;
    const std::string meaning(metricInfo(Metric::launchOverhead).meaning);
    if (overhead->number() != nullptr) {
        text(ui.fonts.small, ui.colors.text,
             fitted(ui.fonts.small, "+ " + formatValue(*overhead) + " launch overhead", width));
        ui.mark("times.overhead");
        tooltip(ui, meaning);
    } else {
        text(ui.fonts.small, ui.colors.faint, fitted(ui.fonts.small, "launch overhead n/a", width));
        tooltip(ui, formatValue(*overhead) + ". " + meaning);
    }
}

std::string stateLine(const Timing& timing) {
    const std::string cache = "L2 " + std::string(toString(timing.cache));
    switch (timing.clockState) {
        case ClockState::free:
            return cache + " · clock free";
        case ClockState::limited:
            return cache + " · clock held back";
        case ClockState::locked:
            return cache + " · clock locked";
        case ClockState::unknown:
            break;
    }
    return cache;
}

void cacheChoice(const UiContext& ui) {
    ImGui::PushFont(ui.fonts.small);
    const auto choice = [&](const char* label, CacheBefore cache, const char* mark,
                            const char* help) {
        commandButton(ui, label, mark, SetCache{cache}, help,
                      {.chosen = ui.state.timing.cache == cache});
    };
    choice("warm L2", CacheBefore::warm, "times.warm",
           "Measure with what the run before left in the L2");
    const float right = ImGui::GetContentRegionMax().x;
    ImGui::SameLine(0, ui.px(4));
    if (ImGui::GetCursorPosX() + buttonWidth(ui.fonts.small, "cold L2") > right) ImGui::NewLine();
    choice("cold L2", CacheBefore::cold, "times.cold",
           "Measure with other data in the L2, read between the runs and outside of their time");
    ImGui::PopFont();
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
    advance(ui.px(4));
}

float originHeight(const UiContext& ui, const Origin& origin, float width) {
    return ui.px(12) + static_cast<float>(linesOf(ui, origin, width).size()) *
                           (ui.fonts.small->FontSize + ui.px(2));
}

void drawOrigin(const UiContext& ui, const Origin& m) {
    const auto [list, at, width] = penHere();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + width, at.y + ui.snap(1)},
                                              packed(ui.colors.border));
    advance(ui.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    ImGui::BeginGroup();
    for (const std::string& line : linesOf(ui, m, width)) {
        text(ui.fonts.small, ui.colors.muted, line);
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
    const float widest = ImGui::GetContentRegionAvail().x - ui.px(16);
    ImFont* const font = ui.fonts.small;
    tag(ui, measured(font, whole).x <= widest ? whole : fitted(font, where, widest),
        ui.colors.warning);
    ui.mark("recorded");
    advance(ui.px(2));
}

void drawRunTimes(const UiContext& ui, const Evidence& evidence, const Timing& timing) {
    const float width = ImGui::GetContentRegionAvail().x;
    if (!timing.runNanoseconds.empty()) {
        drawBars(ui, timing, width * 0.46F, 4.6F * ui.fonts.small->FontSize);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width * 0.02F);
    }
    const float right = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(2)));
    ImGui::BeginGroup();
    launchLine(ui, evidence, right);
    text(ui.fonts.small, ui.colors.muted, fitted(ui.fonts.small, stateLine(timing), right));
    ui.mark("times.state");
    tooltip(ui, "Caches " + timing.cacheState + ". Clocks: " + timing.clocks + ".");
    if (ui.state.canMeasure) cacheChoice(ui);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    if (const auto noise = noiseOf(timing)) {
        wrapped(ui.fonts.small, ui.colors.warning, *noise);
        ui.mark("times.noise");
    }
    advance(ui.px(6));
}

}  // namespace warplens::window
