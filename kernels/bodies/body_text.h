#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/kernel.h"

namespace warplens {

/// The text of the body file that holds the kernel, as it was compiled.
[[nodiscard]] std::string_view bodyText(const Kernel& kernel);

/// Of the kernel's own part of its body file, comments and blanks left out: the same as long as the
/// same is measured. Empty for a kernel without a body.
[[nodiscard]] std::string kernelDigest(const Kernel& kernel);

/// Line of the body file, from 1, on which the kernel's mark `name` stands (BRANCH or WHILE); 0
/// when there is no such mark.
[[nodiscard]] std::uint32_t markLine(const Kernel& kernel, std::string_view name);

/// One line of the kernel's body file, from 1, without the blanks around it.
[[nodiscard]] std::string_view sourceLine(const Kernel& kernel, std::uint32_t line);

/// A loop of the kernel that is marked: WHILE, or a ROUND in it.
struct LoopMark final {
    std::string_view name;       ///< of the mark, or the loop's variable
    std::uint32_t line = 0;      ///< of the mark
    std::uint32_t lastLine = 0;  ///< of the loop
    bool counted = false;        ///< a WHILE: its rounds have numbers, and no variable
    friend bool operator==(const LoopMark&, const LoopMark&) = default;
};
/// In the order of their lines.
[[nodiscard]] std::vector<LoopMark> loopMarks(const Kernel& kernel);

}  // namespace warplens
