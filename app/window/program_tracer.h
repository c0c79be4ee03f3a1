#pragma once

#include "app/window/measuring.h"
#include "app/window/program_job.h"

namespace warplens::window {

/// Compiles a file with the system's C++ compiler and runs it with its kernels traced. The path is
/// one that the person opened or named, which consents to running it.
[[nodiscard]] ProgramTracer programTracer();

/// The same for one launch, with its inputs. Refuses where the file is not what was traced.
[[nodiscard]] ProgramPreparer programPreparer();
/// Runs it again as far as the block, whose steps are told: ProgramStepsTraced. What was compiled
/// is taken from the cache.
[[nodiscard]] Command traceStepsNow(const StepsPlace& place, const std::stop_token& stop);

}  // namespace warplens::window
