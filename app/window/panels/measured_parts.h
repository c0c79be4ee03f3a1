#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"
#include "app/window/state/comparison.h"
#include "core/program/line_costs.h"

/// The parts of the Measured panel: how long a launch took, where its numbers come from; plots,
/// lines and tables.
namespace warplens::window {

/// Where measured numbers come from.
struct Origin final {
    const Device& device;
    const Timing& timing;
    const std::string& takenAt;
    const std::string& version;
    bool recorded = false;
};

/// The time, and beside it the effective bandwidth where it is known.
void drawHeadlines(const UiContext& ui, const Evidence& evidence, const Timing& timing);

/// Of `drawOrigin` in lines of at most `width`, in pixels.
[[nodiscard]] float originHeight(const UiContext& ui, const Origin& origin, float width);
/// A thin line and below it device, CUDA, runs, when, and by which version.
void drawOrigin(const UiContext& ui, const Origin& origin);

/// `Recorded on NVIDIA H200, 2026-11-21: every measured number`; draws nothing of fresh ones.
void drawRecordedTag(const UiContext& ui, const Origin& origin);

/// Percent of what was fetched or run that is of use: from here on it is good.
inline constexpr double goodShare = 75;
[[nodiscard]] Rgb colorOfShare(const Colors& colors, double percent);
/// Of a line's sectors: at most amber where data alone leave lanes out.
[[nodiscard]] Rgb colorOfShare(const Colors& colors, const LineCosts& costs);

/// Advances the cursor past `height` pixels that were drawn by hand, without the usual spacing.
void advance(float height);

/// One large number with a small caption below it, in `width` pixels; the cursor stays on the line.
void headline(const UiContext& ui, std::string_view number, std::string_view caption, float width);

/// One large number, what it is beside it, and its source at the right; the cursor stays.
void largeNumber(const UiContext& ui, Rgb color, const std::string& number,
                 std::string_view meaning, Source source);

/// A percentage as one wide bar, its number large, and its source; marks the prediction on it.
void shareBar(const UiContext& ui, const Evidence& evidence, std::string_view meaning,
              Metric metric);

/// A bar of a group, or the reason why there is none.
struct NamedBar final {
    std::string name;
    std::optional<double> share;  ///< of the group's scale, 0 .. 1
    std::string number;
    Rgb color{};
    std::string source;
    std::string reason;
    std::string meaning;
};
/// Name, bar, number and source of each, one below the other.
void namedBars(const UiContext& ui, const std::vector<NamedBar>& bars);

enum class Check : std::uint8_t { passed, broken, unknown };
void tick(ImDrawList& list, ImVec2 at, float side, Rgb color);
/// A tick, a cross or a ring, and what was checked.
void checkLine(const UiContext& ui, Check check, std::string_view words);

/// Columns predicted, compiled, counted, and whether they agree; below, why numbers are missing or
/// differ.
void numberTable(const UiContext& ui, const Evidence& evidence, const std::vector<NumberRow>& rows);

/// `a` and `b` are what A and B are called.
void comparisonTable(const UiContext& ui, const std::string& a, const std::string& b,
                     std::vector<Comparison> lines);

/// Below the time of a result: how the runs lie as a histogram, what a launch costs beside its
/// kernel, and what the next measurement's runs are to find in the L2.
void drawRunTimes(const UiContext& ui, const Evidence& evidence, const Timing& timing);

}  // namespace warplens::window
