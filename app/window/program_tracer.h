#pragma once

#include "app/window/program_job.h"

namespace warplens::window {

/// Compiles a file with the system's C++ compiler and runs it with its kernels traced. The path is one
/// that the person opened or named, which consents to running it.
[[nodiscard]] ProgramTracer programTracer();

}  // namespace warplens::window
