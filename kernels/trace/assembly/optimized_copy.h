#pragma once

#include <optional>
#include <string>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// The functions of a unit once more, as the compiler optimised them, to be put behind the text of
/// the same unit: each is `f.fast`, calls its like, and uses the variables of the unit's own text,
/// host's and device's. Calls of kernels stay launches.
struct OptimizedCopy final {
    std::string text;
    bool hasMain = false;
};

/// Nothing where `optimized` has a variable of its own that the other text would have to share.
[[nodiscard]] std::optional<OptimizedCopy> optimizedCopy(const Unit& optimized, const Unit& unit);

}  // namespace warplens::assembly
