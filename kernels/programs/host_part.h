#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::programs {

/// The host's half of a .cu file as C++, for a compiler that knows no CUDA but its headers: kernels
/// hand their arguments on, functions of the device are blank, launches are calls. Lines are those
/// of the file, which is called `name`. Nothing where the text leaves any doubt of that: where it
/// has own headers, kernels of templates or elsewhere than at the top, variables of the device,
/// kernels that are used otherwise than launched by name, or code that differs with the compiler.
/// Cost: a few passes over the text.
[[nodiscard]] std::optional<std::string> hostPart(std::string_view text, std::string_view name);

}  // namespace warplens::programs
