#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/element_type.h"

namespace warplens {

struct CodeParameter final {
    std::string name;
    bool isPointer = false;
    ElementType type{};  ///< its own, or of what it points to
};

struct CodeShared final {
    std::string name;
    std::uint32_t elementBytes = 4;
    std::string columns{};  ///< the second of two extents, as written
};

/// What a comment at the end of a line says of it: `// name: inside, step: k`, `// only computes`.
struct CodeMark final {
    enum class Kind : std::uint8_t { branch, step, onlyComputes };
    Kind kind = Kind::branch;
    std::string name;  ///< of the branch; the loop's variable
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;  ///< of the loop that begins on the line; 0: none does
};

/// What the one kernel of a file says of itself.
struct KernelCode final {
    std::string kernel;
    std::uint32_t line = 0;  ///< of its name
    std::string templateParameter;
    std::vector<CodeParameter> parameters;
    std::vector<CodeShared> shared;  ///< arrays in shared memory, in order
    std::vector<CodeMark> marks;
    bool usesBarriers = false;
};

/// Throws MalformedKernelFile for a file without a kernel or with several, and for a parameter or a
/// mark that is not understood.
[[nodiscard]] KernelCode readKernelCode(const std::string& file, std::string_view text);

}  // namespace warplens
