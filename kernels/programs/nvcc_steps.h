#pragma once

#include <string>
#include <string_view>

namespace warplens::programs {

/// Where nvcc is to say that it keeps what is between its steps: in `object` and `debug` of it.
inline constexpr std::string_view keptFolder = "warplens-kept";

/// What `nvcc --dryrun --keep --keep-dir …` prints for one file, compiled to an object with its
/// PTX, and to PTX of -G.
struct NvccSteps final {
    std::string_view object;
    std::string_view debug;
};

/// The same steps as lines of the shell in which those run side by side that do not need one
/// another, where nvcc runs them one after the other: the host's half, the device's and -G. The
/// name that the halves have in common, `moduleId`, is given instead of being made by one of them;
/// `dependencies` is where the files that were read are listed. What fails prints its own words
/// alone. `registers`, if any, is where the assembler says how many a kernel has. Empty where nvcc
/// lists other steps than these.
[[nodiscard]] std::string sideBySide(const NvccSteps& steps, const std::string& moduleId,
                                     const std::string& dependencies, const std::string& registers);

/// Likewise where the host's half is C++ already, in `hostFile`: an object f0.o of that, and PTX
/// f0.ptx and f0.debug.ptx by `nvrtc`, or where that fails by the device's steps, which are nvcc's
/// own; behind them `link` is run. Of the host's half the files that were read are listed.
[[nodiscard]] std::string withHostPart(const NvccSteps& steps, const std::string& moduleId,
                                       const std::string& dependencies, const std::string& hostFile,
                                       const std::string& nvrtc, const std::string& link,
                                       const std::string& registers);

/// A word of the shell.
[[nodiscard]] std::string shellWord(std::string_view word);

/// nvcc's words with places as other compilers write them: `my.cu:3: error` in place of
/// `my.cu(3): error`, and `__global__` and its like as they are written. What only counts the
/// errors, or follows from another, is left out.
[[nodiscard]] std::string withPlaces(const std::string& words);

}  // namespace warplens::programs
