#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/subject.h"

namespace warplens::figure {

/// A line of a subject's source.
struct CodeLine final {
    std::uint32_t number = 0;  ///< in its file, from 1
    std::string text{};        ///< without comments and the blanks in front of it
    std::string line{};        ///< word for word
};

/// The lines of the two that the other has not, in their order, without braces alone and comments.
struct ChangedLines final {
    std::vector<CodeLine> a;
    std::vector<CodeLine> b;
};

/// By the longest common subsequence of the lines. Cost: lines times lines, of at most 1,000 each.
[[nodiscard]] ChangedLines changedLines(const Subject& a, const Subject& b);

/// All of its kernel, or of its file.
[[nodiscard]] std::vector<CodeLine> linesOf(const Subject& subject);

}  // namespace warplens::figure
