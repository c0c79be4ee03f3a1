#pragma once

#include <string>

namespace warplens {

/// What waitpid(2) said about a process that has ended, in words: `exited with code 3`,
/// `was ended by signal 9 (Killed)`. Codes over 128 are read as the shell writes them, as the
/// signal that ended the command.
[[nodiscard]] std::string exitStatusInWords(int waitStatus);

/// The line is what a shell writes when a command of it ends like this, `Killed`: nothing new.
[[nodiscard]] bool isShellsNotice(const std::string& line, int waitStatus);

/// The shell found no such command, or may not run it (exit codes 127 and 126).
[[nodiscard]] bool saysCommandNotFound(int waitStatus);

}  // namespace warplens
