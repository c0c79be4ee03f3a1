#pragma once

#include <filesystem>

namespace warplens {

/// The file of the program that runs, found by where its code is mapped: /proc/self/exe names the
/// dynamic loader where that was started with the program as its argument, as the portable folder
/// does on systems with an older C library. Empty where /proc is not there.
[[nodiscard]] std::filesystem::path programPath();

}  // namespace warplens
