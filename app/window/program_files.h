#pragma once

#include <stop_token>

#include "app/window/state/command.h"

/// What the window does with files of programs besides tracing them.
namespace warplens::window {

/// Reads and writes the text of the open file, begins new files and keeps drafts, as the state's
/// outbox has it; what came of it.
[[nodiscard]] Commands exchangeFiles(const AppState& state);

/// Lets the person choose a file in the desktop's dialog, of zenity or kdialog: ProgramBrowsed.
/// Returns when that is closed, or stopped.
[[nodiscard]] Command browseNow(std::uint32_t number, const std::stop_token& stop);

}  // namespace warplens::window
