#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/text/files.h"
#include "kernels/programs/child_process.h"

namespace warplens {

struct ChildCommand final {
    std::vector<std::string> arguments;      ///< the first is the program's path
    std::vector<std::string> environment{};  ///< NAME=value: all that it has
    std::string folder{};                    ///< to run in; empty: this process's
    ChildLimits limits{};
    SystemCalls calls = SystemCalls::all;
    /// The command keeps to `calls` only when it runs what it is to run: it reads them from
    /// `filterDescriptor()` (bubblewrap).
    bool readsFilter = false;
    /// With a pipe of its own for what it tells (its descriptor: ChildCommand::pipe).
    bool hasPipe = false;
    static constexpr int pipe = 3;

    /// A descriptor of ours: the command begins once there is a line to read. The sandbox that it
    /// runs in is made before.
    int startsAfter = -1;

    [[nodiscard]] int filterDescriptor() const { return hasPipe ? pipe + 1 : pipe; }
    /// Within a sandbox: what is to run says `isReady` on its output, and begins with the line that
    /// it reads here; where this process has ended by then there is none. Until it is made,
    /// bubblewrap does not end with us: of its two processes one would wait for the other for ever.
    [[nodiscard]] int startDescriptor() const { return filterDescriptor() + 1; }
    static constexpr char isReady = '\1';
};

struct ChildResult final {
    std::optional<int> status;  ///< what it returned
    int signal = 0;             ///< what ended it, if one did
    std::string stopped;        ///< which limit ended it, in words
    std::string output;         ///< standard output and error as they came
    bool outputCut = false;
    bool cancelled = false;
};

/// Lets what waits at this pipe's read end begin.
void letBegin(const FileDescriptor& writeEnd);

/// The child's filter as a file of bytes, for what reads it from a descriptor. Throws
/// std::system_error.
[[nodiscard]] FileDescriptor filterFile(SystemCalls calls);

/// From now on every child that runs here is ended, as cancelled, once `asked` says so: where a
/// signal has asked this process to end.
void cancelChildrenWhen(bool (*asked)());

/// Runs the command to its end, with nothing to read. `onPipe` gets what comes through its pipe;
/// `cancelled` is asked some twenty times a second. Throws std::system_error when it cannot be
/// started.
[[nodiscard]] ChildResult runChild(const ChildCommand& command,
                                   const std::function<void(const char*, std::size_t)>& onPipe = {},
                                   const std::function<bool()>& cancelled = {});

}  // namespace warplens
