#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/state/command.h"

/// The open file as it is typed in the window, in step with the file: who wrote last is shown, and
/// what the other had is one Undo away.
namespace warplens::window {

void perform(AppState& state, const EditProgram& command);
void perform(AppState& state, const TypeProgram& command);
void perform(AppState& state, const UndoTyping& command);
void perform(AppState& state, const RedoTyping& command);
void perform(AppState& state, const ResolveEdit& command);
void perform(AppState& state, const ProgramRead& read);
/// What was not saved goes to where drafts are kept.
void leaveEditor(AppState& state);

/// What is said at a line of the text: findings, or why it was not compiled.
struct EditorMark final {
    std::uint32_t line = 0;  ///< from 1
    std::string words;
    bool isError = false;  ///< it was not compiled
    bool isWarning = false;
};
/// In the order of their lines, each at the line of the text that it was said of, as far as that is
/// still there.
[[nodiscard]] std::vector<EditorMark> editorMarks(const ProgramState& program,
                                                  const std::vector<std::string>& lines);

/// One step in, as the text has it below its braces: a tab, or blanks; four where it has none.
[[nodiscard]] std::string indentStep(std::string_view text);
/// What the line begins with that Enter opens at the end of `before`, or a `}` that is typed there:
/// as far in as the line before, a step more behind a `{`; or as far as the line of the `{` that it
/// closes, nothing where there is none.
[[nodiscard]] std::string indentBehind(std::string_view before, std::string_view step);
[[nodiscard]] std::optional<std::string> indentOfClosing(std::string_view before);

}  // namespace warplens::window
