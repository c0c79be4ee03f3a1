#pragma once

#include <string>
#include <vector>

namespace warplens {

/// How a person's program is held.
struct Sandbox final {
    std::vector<std::string> command;  ///< to put before the program's own; may be empty
    std::string notHeld;               ///< in words; empty when everything is
};

/// bubblewrap, where it is installed and works: no network, no other processes, files to read only.
[[nodiscard]] const Sandbox& sandboxOfThisMachine();

}  // namespace warplens
