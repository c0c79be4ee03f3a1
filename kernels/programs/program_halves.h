#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::programs {

/// Halves of a .cu file. Lines are those of the file.
struct ProgramHalves final {
    /// C++ for a compiler that knows no CUDA but its headers: kernels hand their arguments on,
    /// functions of the device are blank, launches are calls.
    std::string host;
    /// For NVRTC, which has no headers of the host: without these, and without the host's
    /// functions. Empty where those could make a difference: where something is compiled
    /// conditionally, names of a namespace are taken over, or NVRTC's own header has a function
    /// that is another than nvcc's.
    std::string device;
};

/// Those of the text, in a file that is called `name`. Nothing where it leaves any doubt of them:
/// where it has own headers, kernels of templates or elsewhere than at the top, variables of the
/// device, kernels that are used otherwise than launched by name, or code that differs with the
/// compiler. Cost: a few passes over the text.
[[nodiscard]] std::optional<ProgramHalves> halvesOf(std::string_view text, std::string_view name);

}  // namespace warplens::programs
