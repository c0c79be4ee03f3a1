#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/window/panels/widgets.h"
#include "app/window/state/actions.h"
#include "app/window/state/command.h"

/// Fields for numbers, and buttons of the table of actions.
namespace warplens::window {

/// What fields hold while they are typed into, by field: two, while the keyboard goes from one to
/// another. It counts when it is complete: `1024` is not meant to pass through `1`.
using TypedText = std::map<std::string, std::string>;

/// A field that holds `now` until something else is typed into it: that, where the keyboard has
/// left the field and not by Escape.
[[nodiscard]] std::optional<std::string> completedText(TypedText& typed, const std::string& field,
                                                       const std::string& now, const char* hint,
                                                       ImGuiInputTextFlags flags = 0);

/// The fields that numbers are typed, dragged and stepped in; each makes EnterNumber commands.
struct NumberFields final {
    const UiContext& ui;
    TypedText& typed;
    const Edit& edit;
    const std::vector<LimitViolation>& violations;  ///< fields named in them are marked
    Commands& commands;

    /// [-] value [+] in `width`.
    void number(const std::string& field, std::int64_t value, std::int64_t most, float width) const;
    /// x, y and z of the grid or block, one below the other.
    void extents(const std::string& name, Extents extents, float width) const;

  private:
    void text(const std::string& field, std::int64_t value, std::int64_t most) const;
    void enter(const std::string& field, std::string words, bool finished) const;
};

/// Of an action: its label, enabled where it is possible, with its words and keys for the pointer.
/// `label` goes before that of the table.
void actButton(const UiContext& ui, Act act, bool chosen = false, const char* label = nullptr,
               ImVec2 size = {});
void actButton(const UiContext& ui, const Action& action, bool chosen = false,
               const char* label = nullptr, ImVec2 size = {});

/// For a widget of another kind that does the same: the action's words and keys for the pointer.
void actTooltip(const UiContext& ui, Act act);
/// `Undo  Ctrl+Z`.
[[nodiscard]] std::string actWords(const Action& action);

}  // namespace warplens::window
