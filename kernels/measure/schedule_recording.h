#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/launch/launch.h"
#include "core/library/kernel_file.h"
#include "core/schedule/schedule.h"
#include "kernels/device/compile/compile.h"

namespace warplens {

/// A kernel's text as it is compiled to tell when its warps run: the kernel becomes a function that
/// `scheduledKernelName` calls between two time stamps for each warp. In a loop with a `// step:`
/// mark that reads one value of an input into a variable, each round takes a stamp as it begins and
/// one when that value is there. Everything stays on its line.
[[nodiscard]] std::string scheduleText(const Kernel& file, const std::string& instance);

/// Its first parameter is where records go, the others are the kernel's.
inline constexpr const char* scheduledKernelName = "warplens_scheduled";

/// Compiles that text. Throws CompileError, CompilerUnavailable.
[[nodiscard]] CompiledUnit compileScheduleText(const Kernel& file, const std::string& instance,
                                               int computeCapability);

/// Launches it twice: where and when its blocks ran. `run` queues a launch with these bytes before
/// the kernel's own parameters. Throws CudaError.
[[nodiscard]] Schedule recordSchedule(const Launch& launch, std::uint32_t multiprocessors,
                                      const std::function<void(std::span<const std::byte>)>& run);

}  // namespace warplens
