#pragma once

#include <string_view>

namespace warplens::window {

/// The bytes of a shader that travels inside the program. `name` must be one of those that
/// CMakeLists.txt embeds.
[[nodiscard]] std::string_view embeddedFile(std::string_view name);

}  // namespace warplens::window
