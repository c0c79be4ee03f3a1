#pragma once

#include <string>

#include "core/library/kernel_file.h"

namespace warplens::library {

/// Assembly for our own program of what g++ -S wrote of the kernel: device code with events, the
/// tables of its places, and `symbol`, the row that leads to them (run/unit_row.h). `headers` is
/// the folder of our CUDA headers. Throws std::runtime_error, with file and line where it has them.
[[nodiscard]] std::string unitOf(const Kernel& kernel, std::string assembly,
                                 const std::string& headers, const std::string& symbol);

}  // namespace warplens::library
