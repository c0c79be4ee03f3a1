#pragma once

#include <string>
#include <vector>

namespace warplens {

/// Rows of text in columns as wide as their widest cell that another follows, two blanks apart,
/// each row on its own line after `indent`. Rows may be shorter than others: a row's last cell is
/// not padded, and runs on over the columns that follow. A newline inside a cell is a blank.
[[nodiscard]] std::string toTable(std::vector<std::vector<std::string>> rows,
                                  const std::string& indent = "");

}  // namespace warplens
