#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/kernel.h"

namespace warplens {

/// One line of a kernel's file, word for word.
struct KernelLine final {
    std::uint32_t line = 0;  ///< from 1
    std::string_view text;
    friend bool operator==(const KernelLine&, const KernelLine&) = default;
};

/// The kernel's .cu file from the end of its header on.
[[nodiscard]] std::vector<KernelLine> codeLines(const Kernel& kernel);

/// One line of the kernel's file, from 1, without the blanks around it.
[[nodiscard]] std::string_view sourceLine(const Kernel& kernel, std::uint32_t line);

/// Line of the kernel's file that bears the name; 0 when there is none.
[[nodiscard]] std::uint32_t namedLine(const Kernel& kernel, std::string_view name);

/// A loop of the kernel whose rounds are told.
struct LoopMark final {
    std::string_view name;       ///< of the loop's variable, or of its condition
    std::uint32_t line = 0;      ///< where it begins
    std::uint32_t lastLine = 0;  ///< of the loop
    bool counted = false;        ///< its rounds have numbers, and no variable
    friend bool operator==(const LoopMark&, const LoopMark&) = default;
};
/// In the order of their lines.
[[nodiscard]] std::vector<LoopMark> loopMarks(const Kernel& kernel);

}  // namespace warplens
