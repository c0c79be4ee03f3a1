#pragma once

#include <string>
#include <string_view>

#include "core/program/launch_report.h"
#include "core/program/program_sources.h"
#include "core/program/source_edit.h"

namespace warplens {

/// Whether the kernel or function around `text` declares an array of each thread's own by that
/// name.
[[nodiscard]] bool isThreadsArray(const source::SourceEdit& text, source::TextSpan body,
                                  std::string_view name);

/// Why an access of the compiled code is to local memory: what its array's index is that the
/// compiler does not know, and what would keep the array near. Sets what decides it.
[[nodiscard]] std::string localReason(ProgramLine& line, const LaunchReport& launch,
                                      const ProgramSources& sources);

}  // namespace warplens
