#pragma once

#include <stop_token>

#include "app/window/state/command.h"

/// What the window does with files of programs besides tracing them.
namespace warplens::window {

/// Reads and writes the text of the open file, begins new files and keeps drafts, as the state's
/// outbox has it; what came of it.
[[nodiscard]] Commands exchangeFiles(const AppState& state);

/// Opens the file at its line in the person's editor, which outlives the window; what came of it.
/// app/platform has it, and the next.
[[nodiscard]] Command openInEditor(const ProgramState& program);

/// Lets the person choose a file in the desktop's dialog, of zenity or kdialog, or the browser's:
/// ProgramBrowsed. Returns when that is closed, or stopped; in a page at once, and the file is
/// dropped when it is chosen.
[[nodiscard]] Command browseNow(std::uint32_t number, const std::stop_token& stop);

}  // namespace warplens::window
