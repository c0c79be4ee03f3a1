#pragma once

#include <string>
#include <vector>

#include "app/cli/documentation/command_table.h"

namespace warplens {

/// warplens(1), as man reads it.
[[nodiscard]] std::string manPage(const std::vector<CommandRow>& table);

}  // namespace warplens
