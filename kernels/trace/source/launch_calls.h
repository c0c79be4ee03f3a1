#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warplens::source {

/// Positions of `kernel<<<configuration>>>(arguments)` in a text.
struct LaunchCall final {
    std::size_t begin = 0;             ///< of the kernel's expression
    std::size_t open = 0;              ///< of `<<<`
    std::size_t configuration = 0;     ///< one past it
    std::size_t configurationEnd = 0;  ///< of `>>>`
    std::size_t configured = 0;        ///< one past it
    std::size_t arguments = 0;         ///< of `(`
    std::size_t end = 0;               ///< one past `)`
};

/// In the order of the text, which is a masked one.
[[nodiscard]] std::vector<LaunchCall> launchCallsIn(std::string_view masked);

}  // namespace warplens::source
