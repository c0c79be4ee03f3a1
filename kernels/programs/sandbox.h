#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/programs/run_child.h"

namespace warplens {

/// What a child needs of this machine, beside the system's libraries, headers and programs.
struct Confinement final {
    std::vector<std::filesystem::path> readable{};  ///< files and folders, at their own places
    std::vector<std::filesystem::path> unread{};    ///< in these folders: FIFOs, devices, sockets
    std::vector<std::filesystem::path> writable{};  ///< files that are there
    std::filesystem::path folder{};                 ///< to run in; empty: its own /tmp
    std::uint64_t scratchBytes = std::uint64_t{256} << 20;  ///< of its /tmp
};

/// A program was not run: this machine cannot hold it, and nobody said that it may run all the
/// same; what() names what is not held.
class NotConfined final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// How people's programs, and the compilers that read them, are held (docs/your-own-kernel.md has
/// the table): by bubblewrap in namespaces of their own, as nobody's user, without capabilities.
class Sandbox final {
  public:
    /// Looked for once a process.
    [[nodiscard]] static const Sandbox& ofThisMachine();
    /// What bubblewrap can do here is tried, and remembered beside the cache of programs for a day
    /// where it goes well.
    Sandbox();

    [[nodiscard]] bool holds() const { return !bubblewrap_.empty(); }
    /// What is not held, in words; empty where everything is.
    [[nodiscard]] const std::string& notHeld() const { return notHeld_; }

    /// The command within the sandbox. Its environment is made anew, with what it has of its own.
    /// Throws NotConfined.
    [[nodiscard]] ChildCommand confined(ChildCommand command, const Confinement& what) const;

  private:
    std::string bubblewrap_;
    std::string notHeld_;
};

/// From now on programs run on this machine even where they cannot be held.
void allowUnconfined();
[[nodiscard]] bool isUnconfinedAllowed();

/// Whether the path lies where every program sees the system's own files.
[[nodiscard]] bool isOfTheSystem(const std::filesystem::path& path);

/// A quarter of this machine's memory is left to others: the smaller of that and `most`.
[[nodiscard]] std::uint64_t memoryLimit(std::uint64_t most);

}  // namespace warplens
