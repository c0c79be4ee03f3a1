#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program_trace.h"

namespace warplens {

/// Launches one after the other that are shown as one: those of one call of a library, as
/// `thrust::sort` makes several, or a single one.
struct LaunchGroup final {
    std::size_t first = 0;  ///< in the trace's launches
    std::size_t count = 1;
    std::string call{};          ///< `thrust::sort`; empty where the kernel is the person's own
    std::uint64_t requests = 0;  ///< as they are written, of a library's call
};

/// In order, all launches of the trace. A kernel is a library's where it is in a namespace and the
/// text of the file at `path`, `lines`, launches it and does not name it.
[[nodiscard]] std::vector<LaunchGroup> launchGroups(const ProgramTrace& trace,
                                                    const std::string& path,
                                                    const std::vector<std::string>& lines);

}  // namespace warplens
