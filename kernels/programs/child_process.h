#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/text/files.h"
#include "kernels/programs/control_group.h"
#include "kernels/programs/system_calls.h"

namespace warplens {

/// Both ends are closed on exec and lie above the three standard descriptors.
struct Pipe final {
    FileDescriptor readEnd;
    FileDescriptor writeEnd;
};

/// Throws std::system_error.
[[nodiscard]] Pipe makePipe();

/// What a child may use. Zero: as much as there is.
struct ChildLimits final {
    /// That it uses; it may allocate several times as much (RLIMIT_DATA).
    std::uint64_t memoryBytes = 0;
    std::uint64_t fileBytes = 0;  ///< of one file it writes
    std::uint64_t files = 0;      ///< open at a time
    std::uint64_t processes = 0;  ///< of the user, threads included
    std::chrono::seconds processor{0};
    std::chrono::duration<double> wall{0};
    std::uint64_t outputKept = 1 << 20;
    std::uint64_t outputMost = std::uint64_t{64} << 20;  ///< then it is ended
};

struct ChildStart final {
    std::vector<std::string> arguments;      ///< the first is the program's path
    std::vector<std::string> environment{};  ///< NAME=value: all that it has
    std::string folder{};                    ///< to run in; empty: this process's
    std::array<int, 3> streams{-1, -1, -1};  ///< descriptors of ours; -1: /dev/null
    std::vector<int> passed{};               ///< its descriptors from 3 on; at most 4
    ChildLimits limits{};
    SystemCalls calls = SystemCalls::all;  ///< from its first instruction on
    bool endsWithUs = true;                ///< killed when this process ends, however that ends
};

/// A process in a session of its own, with no descriptors but those it is given. It is never
/// signalled once it was reaped: its number may be another's then.
class ChildProcess final {
  public:
    /// Throws std::system_error when the system has no process left. One whose program cannot be
    /// run ends with 127, one whose folder is not there with 126.
    explicit ChildProcess(const ChildStart& start);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Kills its group and waits for it, half a second at most: a driver call can hold it longer.
    ~ChildProcess();

    [[nodiscard]] int processId() const { return static_cast<int>(id_); }
    /// That it runs in, with what it has started.
    [[nodiscard]] const ControlGroup& group() const { return group_; }
    /// The wait status once it has ended; what it left behind in its group is killed by then.
    [[nodiscard]] std::optional<int> exitStatus();
    /// Waits until it has ended, no longer than this. True when it has.
    bool endsWithin(std::chrono::milliseconds time);
    /// To its whole group; nothing where it has ended.
    void signal(int number) const;

  private:
    ControlGroup group_;
    pid_t id_ = 0;
    std::optional<int> status_;
};

/// Ends the groups of all children that run. For a signal handler that is about to end this
/// process: takes no lock and no memory.
void endAllChildren() noexcept;

/// This process's own.
[[nodiscard]] std::vector<std::string> ownEnvironment();

/// The program of that name in PATH; empty where there is none.
[[nodiscard]] std::string findProgram(const std::string& name);

}  // namespace warplens
