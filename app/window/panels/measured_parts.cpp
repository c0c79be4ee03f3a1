#include "app/window/panels/measured_parts.h"

#include <algorithm>
#include <cmath>

#include "core/measurement/measurement.h"
#include "core/program/reasons.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

constexpr std::array columns{Source::predicted, Source::compiled, Source::counted};

std::string explain(const Evidence& evidence, const NumberRow& row) {
    std::string words = row.meaning;
    for (const Value* cell : row.cells) {
        if (cell == nullptr) continue;
        words += "\n" + evidence.sourceText(cell->source) + ": " + formatValue(*cell);
    }
    if (!row.ideal.empty()) words += "\nfewest that hold the bytes asked for: " + row.ideal;
    if (row.leftToCount) {
        words += "\nleft to count in the compiled code: " +
                 groupedDigits(static_cast<std::uint64_t>(*row.leftToCount));
    }
    if (agreementOf(row) == Agreement::different) words += "\nThey differ: " + spelledOut(row);
    return words;
}

/// A number that keeps its right edge and shrinks where it is too long for its column.
void numberAt(ImDrawList& list, ImFont* font, Rgb color, ImVec2 rightTop, const std::string& number,
              float room) {
    const float natural = measured(font, number).x;
    const float size = font->FontSize * std::min(1.0F, room / std::max(1.0F, natural));
    const float width = natural * size / font->FontSize;
    list.AddText(font, size, {rightTop.x - width, rightTop.y + (font->FontSize - size) * 0.6F},
                 packed(color), number.c_str());
}

/// Green where all three sources agree, grey where only one other agrees with what was counted.
void agreementMark(ImDrawList& list, const Look& look, ImVec2 at, const NumberRow& row) {
    const Agreement agreement = agreementOf(row);
    const auto hasNumber = [&](Source source) {
        const Value* cell = row.cell(source);
        return cell != nullptr && cell->number() != nullptr;
    };
    if (agreement == Agreement::equal) {
        if (!hasNumber(Source::counted)) return;
        const bool all = std::ranges::all_of(columns, hasNumber);
        tick(list, {at.x, at.y + look.px(4)}, look.fonts.small->FontSize * 0.72F,
             all ? look.colors.good : look.colors.faint);
    } else if (agreement == Agreement::different) {
        textAt(list, look.fonts.strong, look.colors.warning, {at.x, at.y - look.px(1)}, "≠");
    }
}

/// No more than amber.
constexpr double fairShare = 40;

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

Rgb colorOfShare(const Colors& colors, double percent) {
    return percent >= goodShare ? colors.good : percent >= fairShare ? colors.warning : colors.bad;
}

Rgb colorOfShare(const Colors& colors, const LineCosts& costs) {
    const auto used = costs.usedPercent();
    if (!used) return colors.text;
    const auto ofMask = [](const ProgramLine& line) {
        return line.decidedBy == CostDecider::maskOfData;
    };
    const bool isMasked = std::ranges::any_of(costs.globalParts, ofMask) &&
                          std::ranges::none_of(costs.globalParts, isCostly);
    return colorOfShare(colors, isMasked ? std::max(*used, fairShare) : *used);
}

void advance(float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
    ImGui::PopStyleVar();
}

void headline(const UiContext& ui, std::string_view number, std::string_view caption, float width) {
    ImFont* const large = ui.fonts.largeNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    textAt(list, large, ui.colors.text, at, fitted(large, number, width));
    textAt(list, ui.fonts.small, ui.colors.muted, {at.x, at.y + large->FontSize + ui.px(1)},
           fitted(ui.fonts.small, caption, width - ui.px(6)));
    ImGui::Dummy({width, large->FontSize + ui.fonts.small->FontSize + ui.px(4)});
    ImGui::SameLine(0, 0);
}

void largeNumber(const UiContext& ui, Rgb color, const std::string& number,
                 std::string_view meaning, Source source) {
    const auto [list, at, width] = penHere();
    ImFont* const large = ui.fonts.largeNumber;
    ImFont* const small = ui.fonts.small;
    textAt(list, large, color, at, number);
    const float baseline = at.y + large->FontSize - small->FontSize - ui.px(3);
    const std::string_view from = toString(source);
    const float left = measured(large, number).x + ui.px(12);
    textAt(list, small, ui.colors.muted, {at.x + left, baseline},
           fitted(small, meaning, width - left - measured(small, from).x - ui.px(8)));
    textAt(list, small, ui.colors.faint, {at.x + width, baseline}, from, 1);
}

void shareBar(const UiContext& ui, const Evidence& evidence, std::string_view meaning,
              Metric metric) {
    const Colors& c = ui.colors;
    const Value* value = evidence.best(metric);
    if (value == nullptr || value->number() == nullptr) return;
    const double number = *value->number();
    const auto [list, at, width] = penHere();
    largeNumber(ui, c.text, formatNumber(number, Unit::percent), meaning, value->source);
    const float large = ui.fonts.largeNumber->FontSize;
    const float top = std::floor(at.y + large + ui.px(3));
    const float height = ui.snap(9);
    bar(list, ui.look, {at.x, top}, {width, height}, static_cast<float>(number / 100),
        colorOfShare(c, number));
    const Value* predicted = evidence.find(metric, Source::predicted, Variant::none, "kernel");
    if (value->source != Source::predicted && predicted != nullptr &&
        predicted->number() != nullptr) {
        const float x = at.x + width * static_cast<float>(*predicted->number() / 100);
        list.AddRectFilled({x - ui.snap(1), top - ui.px(3)},
                           {x + ui.snap(1), top + height + ui.px(3)}, packed(c.text));
    }
    advance(large + ui.px(17));
    tooltip(ui, metricInfo(metric).meaning);
}

void namedBars(const UiContext& ui, const std::vector<NamedBar>& bars) {
    const Colors& c = ui.colors;
    ImFont* const small = ui.fonts.small;
    ImFont* const mono = ui.fonts.smallNumber;
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
    const float gap = ui.px(10);
    const float left = names + gap;
    const float right = sources + gap;
    const float height = ui.snap(11);
    const float line = small->FontSize + ui.px(3.5F);
    for (const NamedBar& one : bars) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(list, small, c.muted, {at.x, at.y + ui.px(1)}, one.name);
        if (one.share) {
            bar(list, ui.look, {at.x + left, std::floor(at.y + (line - height) / 2)},
                {width - left - right - numbers - gap, height}, static_cast<float>(*one.share),
                one.color);
            textAt(list, mono, c.text, {at.x + width - right, at.y + ui.px(1.5F)}, one.number, 1);
            textAt(list, small, c.faint, {at.x + width, at.y + ui.px(1)}, one.source, 1);
        } else {
            textAt(list, small, c.faint, {at.x + left, at.y + ui.px(1)},
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
    const Colors& c = ui.colors;
    const auto [list, at, width] = penHere();
    const float side = ui.fonts.small->FontSize;
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
    wrapped(ui.fonts.small, check == Check::broken ? c.bad : c.text, words);
}

void numberTable(const UiContext& ui, const Evidence& evidence,
                 const std::vector<NumberRow>& rows) {
    const Colors& c = ui.colors;
    ImFont* const small = ui.fonts.small;
    ImFont* const mono = ui.fonts.smallNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    const float mark = small->FontSize;
    const float first = std::min(ui.px(112), width * 0.3F);
    const float column = (width - first - mark) / 3;
    const auto edge = [&](std::size_t i) { return first + column * static_cast<float>(i + 1); };
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        textAt(list, small, c.faint, {at.x + edge(i), at.y}, toString(columns.at(i)), 1);
    }
    advance(small->FontSize + ui.px(3));
    for (const NumberRow& row : rows) {
        at = ImGui::GetCursorScreenPos();
        float firstNumber = edge(0);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Value* cell = row.cell(columns.at(i));
            const bool number = cell != nullptr && cell->number() != nullptr;
            const std::string shown = cell == nullptr ? "–" : compact(*cell);
            const float room = column - ui.px(8);
            numberAt(list, mono, number ? c.text : c.faint, {at.x + edge(i), at.y + ui.px(1)},
                     shown, room);
            if (i == 0) firstNumber -= std::min(room, measured(mono, shown).x) + ui.px(8);
        }
        const std::string name = fitted(small, row.name, firstNumber);
        textAt(list, small, c.muted, at, name);
        const std::string ideal = "ideal " + row.ideal;
        const float left = measured(small, name).x + ui.px(8);
        if (!row.ideal.empty() && left + measured(small, ideal).x < firstNumber) {
            textAt(list, small, c.faint, {at.x + left, at.y}, ideal);
        }
        agreementMark(list, ui.look, {at.x + width - mark * 0.75F, at.y}, row);
        advance(small->FontSize + ui.px(2.5F));
        tooltip(ui, explain(evidence, row));
    }
    const auto remarks = remarksOn(rows);
    if (!remarks.empty()) advance(ui.px(3));
    for (const std::string& remark : remarks) {
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(1)));
        wrapped(small, c.muted, remark);
        ImGui::PopStyleVar();
    }
    advance(ui.px(9));
}

void comparisonTable(const UiContext& ui, const std::string& a, const std::string& b,
                     std::vector<Comparison> lines) {
    // What makes the difference is seen first.
    std::ranges::stable_partition(lines, [](const auto& line) { return line.ratio != "same"; });
    const Colors& c = ui.colors;
    ImFont* const small = ui.fonts.small;
    ImFont* const mono = ui.fonts.smallNumber;
    heading(ui, "A against B");
    wrapped(small, c.muted, "A  " + a);
    wrapped(small, c.muted, "B  " + b);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    // Of the names, A, B and what B is.
    std::array<float, 4> widths{0, 0, 0, measured(small, "B is").x};
    for (const Comparison& line : lines) {
        widths[0] = std::max(widths[0], measured(small, line.name).x);
        widths[1] = std::max(widths[1], measured(mono, line.a).x);
        widths[2] = std::max(widths[2], measured(mono, line.b).x);
        widths[3] = std::max(widths[3], measured(small, line.ratio).x);
    }
    const float gap = ui.px(12);
    const float taken = widths[0] + widths[1] + widths[2] + widths[3] + 3 * gap;
    // In a narrow column a name has a line of its own, with what B is.
    const bool apart = taken > width;
    const float spare = std::max(0.0F, width - taken + (apart ? widths[0] : 0)) / 3;
    const float first = (apart ? 0 : widths[0]) + gap + widths[1] + spare;
    const std::array<float, 3> edges{first, first + gap + widths[2] + spare, width};
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (const auto& [edge, name] :
         {std::pair{edges[0], "A"}, std::pair{edges[1], "B"}, std::pair{edges[2], "B is"}}) {
        textAt(list, small, c.faint, {at.x + edge, at.y}, name, 1);
    }
    advance(small->FontSize + ui.px(3));
    for (const Comparison& line : lines) {
        at = ImGui::GetCursorScreenPos();
        const Rgb verdict = line.verdict > 0 ? c.good : line.verdict < 0 ? c.bad : c.muted;
        const float ofName = apart ? width - measured(small, line.ratio).x - gap : width;
        textAt(list, small, c.muted, at, fitted(small, line.name, ofName));
        textAt(list, small, verdict, {at.x + edges[2], at.y}, line.ratio, 1);
        if (apart) {
            advance(small->FontSize + ui.px(1));
            at = ImGui::GetCursorScreenPos();
        }
        const float room = edges[1] - edges[0] - gap;
        numberAt(list, mono, c.text, {at.x + edges[0], at.y + ui.px(1)}, line.a,
                 std::max(room, widths[1]));
        numberAt(list, mono, c.text, {at.x + edges[1], at.y + ui.px(1)}, line.b, room);
        advance(small->FontSize + ui.px(apart ? 8 : 5));
        ui.mark("compared." + line.name);
    }
    advance(ui.px(12));
}

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
