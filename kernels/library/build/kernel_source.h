#pragma once

#include <string>

#include "core/library/kernel_file.h"

namespace warplens::library {

/// The kernel as C++ for an ordinary compiler, with the same lines: loops that are marked say their
/// rounds, loops that only compute are run only where values are wanted, and a template is
/// instantiated for every value of its size. Throws std::runtime_error, with file and line, for
/// what cannot be traced.
[[nodiscard]] std::string hostSourceOf(const Kernel& kernel);

}  // namespace warplens::library
