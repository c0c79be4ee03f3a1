#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/declared_kernels.h"
#include "core/program/masked_text.h"
#include "kernels/trace/source/unsupported_uses.h"

namespace warplens::source {

/// One `k<<<...>>>(...)`.
struct LaunchSource final {
    std::string kernel;  ///< as written: `ns::scan<true>`
    TextPlace place;
};

/// Where a line of the rewritten text stands in the original: from `column` of the rewritten line
/// on, columns are those from `originalColumn` on.
struct ColumnShift final {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t originalColumn = 0;
};

/// One file of a program, as C++ that any compiler takes.
struct RewrittenFile final {
    std::string text;  ///< lines are those of the original
    std::vector<KernelSource> kernels;
    std::vector<LaunchSource> launches;
    std::vector<UnsupportedUse> unsupported;
    std::vector<ColumnShift> shifts;
    std::set<std::string, std::less<>> constantNames;
    std::set<std::string, std::less<>> deviceNames;
    bool hasMain = false;
    bool isCooperative = false;  ///< all threads of a launch may wait for one another
};

/// Launches become calls after a configuration; kernels say who they are.
[[nodiscard]] RewrittenFile rewriteFile(std::string_view text);

/// The column in the original.
[[nodiscard]] std::uint32_t originalColumn(const std::vector<ColumnShift>& shifts,
                                           std::uint32_t line, std::uint32_t column);

}  // namespace warplens::source
