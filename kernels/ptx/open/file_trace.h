#pragma once

#include <functional>
#include <string>

#include "core/program/program_trace.h"
#include "kernels/ptx/open/proposed_launch.h"

namespace warplens::ptx {

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
