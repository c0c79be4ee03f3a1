#pragma once

#include <imgui.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/drawing/warp_memory.h"
#include "app/window/state/command.h"
#include "app/window/theme/look.h"

struct ImGuiWindow;

/// The small parts that several panels share.
namespace warplens::window {

/// What the Tab key walks through: every marked widget that can be used now, in the order in which
/// they are drawn, across all panels; with a window on top of the others only what is in that.
class TabOrder final {
  public:
    void beginFrame();
    /// The last item; one without an id, or disabled, is passed over.
    void add(std::string_view name);
    /// From now on only what is in the current window counts.
    void keepToThisWindow();
    /// So many widgets on, at the end of the frame; backwards for negative numbers.
    void move(int steps);
    /// To the first whose name begins so, at the end of the frame.
    void moveTo(std::string_view name) { wanted_ = name; }
    /// From now on the field, while it is active, takes the Tab key itself; whether it was pressed
    /// since the frame before. Shift+Tab leaves it.
    [[nodiscard]] bool takesTab(ImGuiID field);
    /// Types a digit into the field that has the focus and is not typed in; false where none has.
    bool type(int digit);
    /// Presses the one that has the focus, as Enter does, unless it takes text.
    void press();
    /// Moves, and draws a frame round the widget that has the focus.
    void endFrame(ImU32 color, float width);
    /// The widget that has the focus of the keyboard; empty: none.
    [[nodiscard]] std::string_view focused() const;

  private:
    struct Stop final {
        std::string name;
        ImGuiID id = 0;
        ImGuiWindow* window = nullptr;
        ImVec2 from{};
        ImVec2 to{};
        bool takesText = false;
    };
    [[nodiscard]] bool isReachable(const Stop& stop) const;
    void go();
    void focus(const Stop& stop);

    std::vector<Stop> stops_;
    ImGuiWindow* only_ = nullptr;
    int steps_ = 0;
    std::string wanted_;
    ImGuiID tabTaker_ = 0;
    bool tabbed_ = false;
    ImGuiID typed_ = 0;  ///< the field that `digit_` is for, once it is active
    char digit_ = 0;
};

/// Where the main widgets lie this frame, by name: read by tests and screen readers (state_file.h).
using WidgetRects = std::map<std::string, ImVec4, std::less<>>;  ///< x, y, width, height

/// What a panel draws with.
struct UiContext final {
    const Look& look;
    const AppState& state;
    WidgetRects& rects;
    TabOrder& order;
    Commands& commands;  ///< what the person did in this frame
    const Colors& colors = look.colors;
    const Fonts& fonts = look.fonts;

    [[nodiscard]] float px(float designPixels) const { return look.px(designPixels); }
    [[nodiscard]] float snap(float designPixels) const { return look.snap(designPixels); }
    void issue(Command command) const { commands.push_back(std::move(command)); }
    /// Notes the last item's place under `name`; where it can be used, Tab comes by.
    void mark(std::string_view name) const;
    /// The same of a picture, which is no item.
    void markPicture(std::string_view name, ImVec2 from, ImVec2 to) const;
};

/// Where the next line of the current window goes, how wide it may be, and what it is drawn into.
struct Pen final {
    ImDrawList& list;
    ImVec2 at;
    float width;
};
[[nodiscard]] inline Pen penHere() {
    return {*ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(),
            ImGui::GetContentRegionAvail().x};
}

/// Text at the cursor in a font and colour; advances the cursor as ImGui::Text does.
void text(ImFont* font, Rgb color, std::string_view words);
/// Lines of at most `width` from `at` on, broken at blanks alone: Dear ImGui's own break inside of
/// numbers, too. Returns their height; draws nothing where `list` is null.
float textInLines(ImDrawList* list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
                  float width, float opacity = 1);
[[nodiscard]] float heightInLines(ImFont* font, std::string_view words, float width);
/// The same at the cursor, to the right edge of the content.
void wrapped(ImFont* font, Rgb color, std::string_view words);

/// Where numbers come from: small, a paragraph for each, and how high that is.
void provenance(const UiContext& ui, const std::vector<std::string>& lines);
[[nodiscard]] float provenanceHeight(const UiContext& ui, const std::vector<std::string>& lines);

/// The same in the body font, or the small one, with what stands between `backticks` monospaced.
/// The first of each of the glossary's words is underlined and explains itself to the pointer.
void prose(const UiContext& ui, Rgb color, std::string_view words, bool small = false);

/// Size of one line in a font.
[[nodiscard]] ImVec2 measured(ImFont* font, std::string_view words);
/// Draws text with its left edge, centre or right edge (`align` 0, 0.5, 1) at `at.x`.
void textAt(ImDrawList& list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
            float align = 0);
/// Whether `value` is another than in the frame before; kept by name, for the current window.
[[nodiscard]] bool hasChanged(const char* name, std::uint32_t value);
/// The words cut with an ellipsis so that they fit.
[[nodiscard]] std::string fitted(ImFont* font, std::string_view words, float width);

/// A name of documents in words: `never_freed` as `never freed`.
[[nodiscard]] std::string spoken(std::string_view name);

/// A section's heading with a thin line beneath.
void heading(const UiContext& ui, std::string_view words, std::string_view aside = {});
/// Vertical space in design pixels.
void space(const UiContext& ui, float designPixels);

[[nodiscard]] bool primaryButton(const UiContext& ui, const char* label, bool enabled);
[[nodiscard]] bool plainButton(const UiContext& ui, const char* label, bool enabled = true,
                               bool chosen = false, ImVec2 size = {});
/// How a button that issues a command stands there.
struct ButtonLook final {
    bool enabled = true;
    bool chosen = false;
    bool primary = false;
};
/// A button marked `mark` that issues the command; `words` are for the pointer.
void commandButton(const UiContext& ui, const std::string& label, std::string_view mark,
                   const Command& command, std::string_view words = {}, ButtonLook look = {});
/// Of a button with this label in this font.
[[nodiscard]] float buttonWidth(ImFont* font, std::string_view label);
/// Shown while the last item is pointed at: beside the pointer, or of a card below it and no wider,
/// so that the code beside it stays in sight.
void tooltip(const UiContext& ui, std::string_view words, bool isOfCard = false);

/// A field for what is typed to find something in a list, `width` wide, or as wide as there is room
/// where it is -1; true when Enter is pressed in it.
bool filterField(const UiContext& ui, std::string& typed, std::string_view mark, const char* hint,
                 float width = -1);

/// A filled pill with a word in it, at the cursor.
void tag(const UiContext& ui, std::string_view words, Rgb color);

/// A horizontal bar at `at`, filled to `share` (0 .. 1).
void bar(ImDrawList& list, const Look& look, ImVec2 at, ImVec2 size, float share, Rgb color);
/// How far something under way is, with words on it, at the cursor; as high as a button.
void progressBar(const UiContext& ui, std::string_view mark, float width, float share,
                 std::string_view words);

/// A window in the middle of the screen, as large as its content as long as that fits, that keeps
/// the Tab key to itself. Always to be ended.
void beginCentred(const UiContext& ui, const char* name, ImVec2 padding);
void endCentred();

}  // namespace warplens::window

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
