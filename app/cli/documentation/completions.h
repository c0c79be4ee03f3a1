#pragma once

#include <string>
#include <vector>

#include "app/cli/documentation/command_table.h"

/// What shells complete: commands, options, the words of a choice, files, and the names of
/// scenarios, lessons, sizes, quantities and compute capabilities.

namespace warplens {

/// The words that may stand for what an option takes; none where that is anything, or a file.
[[nodiscard]] std::vector<std::string> candidatesFor(const OptionRow& option);

[[nodiscard]] std::string bashCompletion(const std::vector<CommandRow>& table);
[[nodiscard]] std::string zshCompletion(const std::vector<CommandRow>& table);
[[nodiscard]] std::string fishCompletion(const std::vector<CommandRow>& table);

}  // namespace warplens
