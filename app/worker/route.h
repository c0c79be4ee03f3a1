#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How a worker is reached.
enum class Transport : std::uint8_t {
    here,   ///< a program on this machine
    ssh,    ///< `ssh lab-gpu …`
    slurm,  ///< `srun -p gpu …`, here or at the other end of an ssh
};

/// What is made of the text that names where to measure: `ssh lab-gpu`, `srun -p gpu --gres=gpu:1`,
/// or the whole command of a worker.
struct Route final {
    Transport transport = Transport::here;
    /// Shell text that runs the worker; where the text ends with the host or with srun's options,
    /// that is warplens-measure over there.
    std::string command{};
    std::string host{};  ///< of the ssh, as typed; else empty
    /// What runs a command where srun runs: `ssh login`, or nothing on this machine.
    std::string atController{};
};

/// Reads shell text as far as it can be read: words, quotes and backslashes. What it cannot tell
/// (pipes, loops, other programs) is a command that is run as it is.
[[nodiscard]] Route routeOf(const std::string& text);

/// Shell text that ends a job: `scancel 4711`, `ssh login scancel 4711`.
[[nodiscard]] std::string cancelCommand(const Route& route, std::string_view job);
/// Shell text that prints the job's time limit: `squeue -h -o %l -j 4711`.
[[nodiscard]] std::string limitCommand(const Route& route, std::string_view job);

/// Shell text that brings the worker at `path` to where the route leads, with its libraries where
/// it is the portable folder's, and the text that names it from then on. Both empty where the route
/// leads nowhere else.
struct Installation final {
    std::string command;
    std::string place;
};
[[nodiscard]] Installation installationOn(const Route& route, const std::string& path);
/// Whether the program at `path` is the portable folder's: a script beside the program it starts.
[[nodiscard]] bool isPortable(const std::string& path);

/// `text` as one word of the shell.
[[nodiscard]] std::string quotedForShell(const std::string& text);
/// The words of shell text without their quotes; empty where it is more than one simple command.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

}  // namespace warplens
