#pragma once

#include <string>

namespace warplens {

/// What this machine is called: who reads a worker's words may sit at another one. `this machine`
/// where it has no name.
[[nodiscard]] std::string hostName();

}  // namespace warplens
