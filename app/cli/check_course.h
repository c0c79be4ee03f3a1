#pragma once

#include <string>

#include "app/cli/output.h"

namespace warplens {

/// `check` of a course's folder: prints what is wrong with it; `failed` where anything is. Puts the
/// kernels' PTX into the folder where that is to be kept.
[[nodiscard]] ExitCode checkCourse(const std::string& folder, bool keepsPtx);

}  // namespace warplens
