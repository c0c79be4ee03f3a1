#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/kernel/kernel.h"

namespace warplens {

/// What is wrong with a kernel's file; what() is `file:line: words`.
class MalformedKernelFile final : public std::runtime_error {
  public:
    MalformedKernelFile(const std::string& file, std::uint32_t at, const std::string& words)
        : std::runtime_error(file + ':' + std::to_string(at) + ": " + words), line(at) {}
    std::uint32_t line;
};

/// Reads a kernel's file. Throws MalformedKernelFile.
[[nodiscard]] Kernel parseKernelFile(const std::string& file, std::string text);

}  // namespace warplens
