#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/launch/launch.h"
#include "core/program/program_trace.h"

namespace warplens::ptx {

/// What is said about the launch of a kernel that no program launches; the rest is proposed.
struct LaunchChoices final {
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
    std::map<std::string, std::string> values{};  ///< of parameters that are numbers, by name
    struct Array final {
        std::string
            elements;      ///< how many, in terms of the kernel's numbers: `p2*p2`; empty: proposed
        std::string fill;  ///< `random`, `ramp` or a number; empty: random
    };
    std::map<std::string, Array> arrays{};  ///< of parameters that are pointers, by name
};

/// A file of PTX, whose kernels no program launches.
struct FileRequest final {
    std::string path;    ///< as named
    std::string kernel;  ///< the only one to launch; empty: each
    LaunchChoices choices{};
    std::function<bool()> isStopped = [] { return false; };
    /// Tasks of a launch at a time, and who runs so many side by side; one where there is nobody.
    unsigned width = 1;
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)> sideBySide;
};

/// Launches the kernels of the text and counts what they do: of the source where it was compiled
/// with -G, else of the compiled code. Throws std::runtime_error where the text is no such file,
/// and InvalidRequest for a launch that does not fit.
[[nodiscard]] ProgramTrace traceFile(std::string text, const FileRequest& request);

}  // namespace warplens::ptx
