#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What a child may use. Zero: as much as there is.
struct ChildLimits final {
    std::uint64_t memoryBytes = 0;  ///< of its own (RLIMIT_DATA)
    std::uint64_t fileBytes = 0;    ///< of one file it writes
    std::uint64_t files = 0;        ///< open at a time
    std::uint64_t processes = 0;
    std::chrono::seconds processor{0};
    std::chrono::duration<double> wall{0};
    std::uint64_t outputKept = 1 << 20;
    std::uint64_t outputMost = std::uint64_t{64} << 20;  ///< then it is ended
};

struct ChildCommand final {
    std::vector<std::string> arguments;      ///< the first is the program's path
    std::vector<std::string> environment{};  ///< NAME=value, beside this process's own
    std::string folder{};                    ///< to run in; empty: this process's
    ChildLimits limits{};
    /// With a pipe of its own for what it tells (its descriptor: ChildCommand::pipe).
    bool hasPipe = false;
    static constexpr int pipe = 3;
};

struct ChildResult final {
    std::optional<int> status;  ///< what it returned
    int signal = 0;             ///< what ended it, if one did
    std::string stopped;        ///< which limit ended it, in words
    std::string output;         ///< standard output and error as they came
    bool outputCut = false;
    bool cancelled = false;
};

/// Runs the command to its end, in a session of its own, with nothing to read. `onPipe` gets what
/// comes through its pipe; `cancelled` is asked some ten times a second. Throws std::system_error
/// when it cannot be started.
[[nodiscard]] ChildResult runChild(const ChildCommand& command,
                                   const std::function<void(const char*, std::size_t)>& onPipe = {},
                                   const std::function<bool()>& cancelled = {});

/// The program of that name in PATH; empty where there is none.
[[nodiscard]] std::string findProgram(const std::string& name);

}  // namespace warplens
