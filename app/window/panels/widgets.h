#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "app/window/panels/tab_order.h"
#include "app/window/theme/look.h"

/// The small parts that several panels share.
namespace warplens::window {

/// Where the main widgets lie this frame, by name: read by tests and screen readers (state_file.h).
using WidgetRects = std::map<std::string, ImVec4, std::less<>>;  ///< x, y, width, height

/// What a panel draws with.
struct UiContext final {
    const Look& look;
    WidgetRects& rects;
    TabOrder& order;

    /// Notes the last item's place under `name`; where it can be used, Tab comes by.
    void mark(std::string_view name) const;
};

/// Text at the cursor in a font and colour; advances the cursor as ImGui::Text does.
void text(ImFont* font, Rgb color, std::string_view words);
/// Lines of at most `width` from `at` on, broken at blanks alone: Dear ImGui's own break inside of
/// numbers, too. Returns their height; draws nothing where `list` is null.
float textInLines(ImDrawList* list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
                  float width, float opacity = 1);
/// The same at the cursor, to the right edge of the content.
void wrapped(ImFont* font, Rgb color, std::string_view words);

/// The same in the body font, with what stands between `backticks` monospaced. The first of each of
/// the glossary's words is underlined and explains itself to the pointer.
void prose(const UiContext& ui, Rgb color, std::string_view words);

/// Size of one line in a font.
[[nodiscard]] ImVec2 measured(ImFont* font, std::string_view words);
/// Draws text with its left edge, centre or right edge (`align` 0, 0.5, 1) at `at.x`.
void textAt(ImDrawList& list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
            float align = 0);
/// The words cut with an ellipsis so that they fit.
[[nodiscard]] std::string fitted(ImFont* font, std::string_view words, float width);

/// A section's heading with a thin line beneath.
void heading(const UiContext& ui, std::string_view words, std::string_view aside = {});
/// Vertical space in design pixels.
void space(const UiContext& ui, float designPixels);

[[nodiscard]] bool primaryButton(const UiContext& ui, const char* label, bool enabled,
                                 ImVec2 size = {});
[[nodiscard]] bool plainButton(const UiContext& ui, const char* label, bool enabled = true,
                               bool chosen = false, ImVec2 size = {});
/// Shown while the last item is pointed at.
void tooltip(const UiContext& ui, std::string_view words);

/// What is typed to find something in a list.
struct ListFilter final {
    std::array<char, 64> typed{};
};
/// A field for it, `width` wide, or as wide as there is room where it is -1; true when Enter is
/// pressed in it.
bool filterField(const UiContext& ui, ListFilter& filter, std::string_view mark, const char* hint,
                 float width = -1);

/// A filled pill with a word in it, at the cursor.
void tag(const UiContext& ui, std::string_view words, Rgb color);

/// A horizontal bar `width` x `height` at `at`, filled to `share` (0 .. 1).
void bar(ImDrawList& list, const Look& look, ImVec2 at, ImVec2 size, float share, Rgb color);

}  // namespace warplens::window
