#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "core/program/program_trace.h"

namespace warplens::source {

/// How an array that a kernel gets is made.
struct ArrayWish final {
    std::string elements;  ///< how many, in terms of the kernel's numbers: `n*n`; empty: proposed
    std::string fill;      ///< `random`, `ramp`, a number, or `@FILE` with the bytes; empty: random
};

/// What is said about the launch of a kernel that no program launches; the rest is proposed.
struct LaunchWishes final {
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
    std::map<std::string, std::string> values{};  ///< of parameters that are numbers
    std::map<std::string, ArrayWish> arrays{};    ///< of parameters that are pointers

    /// Values as `n=64`.
    void take(const std::vector<std::string>& settings) {
        for (const std::string& setting : settings) {
            const std::size_t equals = setting.find('=');
            values[setting.substr(0, equals)] = setting.substr(equals + 1);
        }
    }
};

}  // namespace warplens::source

namespace warplens::ptx {

/// A file of PTX, whose kernels no program launches.
struct FileRequest final {
    std::string path;               ///< as named
    std::string kernel;             ///< the only one to launch; empty: each
    source::LaunchWishes wishes{};  ///< but for arrays of files
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
