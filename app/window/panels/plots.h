#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The plots and lines of the Measured panel.
namespace warplens::window {

/// Percent of what was fetched or run that is of use: from here on it is good.
inline constexpr double goodShare = 75;
[[nodiscard]] Rgb colorOfShare(const Colors& colors, double percent);

/// Advances the cursor past `height` pixels that were drawn by hand, without the usual spacing.
void advance(float height);

/// One large number with a small caption below it, in `width` pixels; the cursor stays on the line.
void headline(const UiContext& ui, std::string_view number, std::string_view caption, float width);

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

}  // namespace warplens::window
