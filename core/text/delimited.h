#pragma once

#include <string>
#include <vector>

/// Tables for other programs.
namespace warplens {

/// The first row names the columns; rows may be shorter than it.
using TextRows = std::vector<std::vector<std::string>>;

/// As RFC 4180 has it: fields with commas, quotes or line ends stand in quotes, lines end in LF.
[[nodiscard]] std::string toCsv(const TextRows& rows);

/// A table of GitHub's Markdown; a `|` and a line end inside a field do not end it.
[[nodiscard]] std::string toMarkdown(const TextRows& rows);

}  // namespace warplens
