#pragma once

#include <optional>

#include "app/drawing/warp_memory.h"
#include "app/window/theme/look.h"

/// Walks a prepared picture and draws it with Dear ImGui.
namespace warplens::window {

void paint(ImDrawList& list, const Fonts& fonts, const drawing::Items& items);

/// Where a picture is prepared in the window's neutral colours and fonts; `textSize` times as large
/// as small words.
[[nodiscard]] drawing::DrawArea drawArea(const Look& look, ImVec2 from, ImVec2 to,
                                         float textSize = 1);

/// Where the pointer is, while it is on the last item.
[[nodiscard]] std::optional<Point> pointerOnItem();

}  // namespace warplens::window
