#pragma once

#include "app/window/theme/look.h"

namespace warplens::window {

/// Where a line of source text stands: between `left` and `right`, its rows `height` apart.
struct CodeRoom final {
    ImVec2 at;       ///< of the first row
    float left = 0;  ///< from `at.x`, as is `right`
    float right = 0;
    float height = 0;
};

/// Draws the line in colours, what does not fit on rows below it, a little further in; returns the
/// number of rows. Without a list it draws nothing.
int drawCode(ImDrawList* list, const Look& look, ImFont* font, std::string_view code,
             const CodeRoom& room);

}  // namespace warplens::window
