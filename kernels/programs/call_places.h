#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/programs/traced_run.h"

namespace warplens {

/// Of each of these calls in a program's code the place of the first address that is in a file of
/// the person's; `ownName` says how such a file is called, and of any other nothing. Without
/// addr2line, or where the program does not say, places are empty. Cost: one process for all.
[[nodiscard]] std::vector<SourcePlace> placesOfCalls(
    const std::filesystem::path& binary, const std::vector<CallAddresses>& calls,
    const std::function<std::string(const std::string& file)>& ownName);

}  // namespace warplens
