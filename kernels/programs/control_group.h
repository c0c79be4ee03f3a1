#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/text/files.h"

namespace warplens {

/// A cgroup of a child's own (cgroups(7), version 2 or 1), in which the kernel itself holds memory,
/// with what is shared, and threads to their limits. It is made below this process's group, or
/// beside it where that one can give no controllers to others, as in a session of systemd. Where
/// the system allows neither there is none. Cost: 1 ms.
class ControlGroup final {
  public:
    /// Zero: as much as there is.
    ControlGroup(std::uint64_t memoryBytes, std::uint64_t threads);
    ControlGroup(const ControlGroup&) = delete;
    ControlGroup& operator=(const ControlGroup&) = delete;
    /// Ends what is left in it (version 2) and removes it.
    ~ControlGroup();

    [[nodiscard]] bool holdsMemory() const { return !memory_.empty(); }
    [[nodiscard]] bool holdsThreads() const { return !threads_.empty(); }
    /// Takes the calling process in, between fork and exec.
    void enter() const;
    /// Whether a process was ended, or a thread refused, because of the limit.
    [[nodiscard]] bool ranOutOfMemory() const;
    [[nodiscard]] bool ranOutOfThreads() const;

  private:
    std::filesystem::path memory_;   ///< the group's folder; empty where there is none
    std::filesystem::path threads_;  ///< of version 2: the same
    std::vector<FileDescriptor> entries_;
};

}  // namespace warplens
