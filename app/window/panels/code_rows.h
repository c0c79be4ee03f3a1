#pragma once

#include "app/window/theme/look.h"

namespace warplens::window {

/// Where a line of source text stands: its number ends at `gutter`, its rows lie between `left` and
/// `right`, `height` apart.
struct CodeRoom final {
    ImVec2 at;         ///< of the first row
    float gutter = 0;  ///< from `at.x`, as are `left` and `right`
    float left = 0;
    float right = 0;
    float height = 0;
};

/// Draws the number, and the line in colours, what does not fit on rows below it, a little further
/// in; returns the number of rows. Without a list it draws nothing.
int drawCode(ImDrawList* list, const Look& look, ImFont* font, std::uint32_t number,
             std::string_view code, const CodeRoom& room);

/// Whether `value` is another than in the frame before; kept by name, for the current window.
[[nodiscard]] bool hasChanged(const char* name, std::uint32_t value);

}  // namespace warplens::window
