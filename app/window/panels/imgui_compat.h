#pragma once

#include <imgui.h>

/// What Dear ImGui 1.86 (Debian 12), 1.90 and 1.92 spell differently.
namespace warplens::window {

/// Whether the Escape key is down.
[[nodiscard]] inline bool escapeIsDown() {
#if IMGUI_VERSION_NUM < 18700
    return ImGui::IsKeyDown(ImGui::GetKeyIndex(ImGuiKey_Escape));
#else
    return ImGui::IsKeyDown(ImGuiKey_Escape);
#endif
}

}  // namespace warplens::window
