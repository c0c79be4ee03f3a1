#pragma once

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

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

/// Whether the last item, a DragScalar, has turned into a text field.
[[nodiscard]] inline bool itemTakesText() {
    return ImGui::TempInputIsActive(ImGui::GetItemID());
}

/// Whether a text field has the keyboard as of the last frame; io.WantTextInput is a frame behind,
/// and the first character would be taken for a shortcut.
[[nodiscard]] inline bool textFieldIsActive() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return context.ActiveId != 0 && context.ActiveId == context.InputTextState.ID;
}

/// How far the text of a field is scrolled to the right, where it has the keyboard.
[[nodiscard]] inline float textScroll(ImGuiID field) {
    const ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
#if IMGUI_VERSION_NUM < 19140
    return state.ID == field ? state.ScrollX : 0;
#else
    return state.ID == field ? state.Scroll.x : 0;
#endif
}

inline void scrollTextToLeft(ImGuiID field) {
    ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
    if (state.ID != field) return;
#if IMGUI_VERSION_NUM < 19140
    state.ScrollX = 0;
#else
    state.Scroll.x = 0;
#endif
}

/// The Tab key is ours (widgets.h), and so are the keys that turn pages, but where text is typed:
/// they would move the focus, too. Before 1.87 they are not handed on (glfw_display.cpp).
inline void keepKeysFromImGui() {
#if IMGUI_VERSION_NUM >= 18920
    const ImGuiID owner = ImGui::GetID("tab order");
    ImGui::SetKeyOwner(ImGuiKey_Tab, owner);
    if (textFieldIsActive()) return;
    ImGui::SetKeyOwner(ImGuiKey_PageUp, owner);
    ImGui::SetKeyOwner(ImGuiKey_PageDown, owner);
#endif
}

/// Whether the widget that the keyboard is at is marked.
[[nodiscard]] inline bool focusIsShown() {
#if IMGUI_VERSION_NUM < 19140
    return !ImGui::GetCurrentContext()->NavDisableHighlight;
#else
    return ImGui::GetCurrentContext()->NavCursorVisible;
#endif
}
/// Of the last item, once what was typed in it is taken: digits are keys again, and Tab goes on
/// from it.
inline void hideFocusOfItem() {
    if (ImGui::GetCurrentContext()->NavId != ImGui::GetItemID()) return;
#if IMGUI_VERSION_NUM < 19140
    ImGui::GetCurrentContext()->NavDisableHighlight = true;
#else
    ImGui::SetNavCursorVisible(false);
#endif
}
inline void showFocus() {
#if IMGUI_VERSION_NUM < 19140
    ImGui::GetCurrentContext()->NavDisableHighlight = false;
    ImGui::GetCurrentContext()->NavDisableMouseHover = true;
#else
    ImGui::SetNavCursorVisible(true);
#endif
}

/// Where Enter only begins to type, and leaves buttons alone.
inline constexpr bool enterPressesNothing = IMGUI_VERSION_NUM < 18970;
inline void activateItem(ImGuiID id) {
#if IMGUI_VERSION_NUM < 18970
    ImGui::ActivateItem(id);
#else
    ImGui::ActivateItemByID(id);
#endif
}

/// A part of the window between whose widgets and those of its neighbours the arrow keys move.
inline bool beginPanel(const char* name, ImVec2 size, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM < 19090
    return ImGui::BeginChild(name, size, false, flags | ImGuiWindowFlags_NavFlattened);
#else
    return ImGui::BeginChild(name, size, ImGuiChildFlags_NavFlattened, flags);
#endif
}

/// Makes the OpenGL backend take over fonts that were rebuilt after its first frame. Its
/// DestroyDeviceObjects would do, were it not that 1.86 then draws into a buffer without storage.
inline void renewFontTexture() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace warplens::window
