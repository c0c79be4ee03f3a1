#pragma once

#include <string>

#include "core/library/kernel_file.h"

namespace warplens {

/// A kernel's text as it is compiled to tell when its warps run: the kernel becomes a function that
/// `scheduledKernelName` calls between two time stamps for each warp. In a loop with a `// step:`
/// mark that reads one value of an input into a variable, each round takes a stamp as it begins and
/// one when that value is there. Everything stays on its line.
[[nodiscard]] std::string scheduleText(const Kernel& file, const std::string& instance);

/// Its first parameter is a ScheduleRecords, the others are the kernel's.
inline constexpr const char* scheduledKernelName = "warplens_scheduled";

}  // namespace warplens
