#pragma once

#include "app/drawing/items.h"
#include "app/window/theme/look.h"

/// Walks a prepared picture and draws it with Dear ImGui.
namespace warplens::window {

void paint(ImDrawList& list, const Fonts& fonts, const drawing::Items& items);

/// How wide the window's fonts make a text.
[[nodiscard]] drawing::TextWidth textWidthOf(const Fonts& fonts);

/// The window's neutral colours, on a panel.
[[nodiscard]] drawing::ColorRoles colorRolesOf(const Colors& colors);

}  // namespace warplens::window
