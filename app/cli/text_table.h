#pragma once

#include <string>
#include <vector>

namespace warplens {

/// Rows of text in columns as wide as their widest cell, two blanks apart, each row on its own line
/// after `indent`. The last column is not padded. Rows may be shorter than others.
[[nodiscard]] std::string toTable(const std::vector<std::vector<std::string>>& rows,
                                  const std::string& indent = "");

}  // namespace warplens
