#pragma once

namespace warplens {

/// Everything the program does, from its arguments to its exit code. Results go to standard output,
/// all other words to standard error, each line there after `warplens: `.
[[nodiscard]] int runCommandLine(int argumentCount, char** arguments);

}  // namespace warplens
