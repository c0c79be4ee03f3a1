#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernels/device/instrument/site.h"
#include "kernels/device/run/program_code.h"
#include "kernels/device/run/program_memory.h"

namespace warplens {

/// What the instrumented kernel counted, site by site.
struct ProbedSites final {
    std::vector<Site> sites;
    std::vector<SiteTally> tallies;  ///< one for each site
    std::vector<std::string> notes;
};

/// Instruments, links and runs the kernel once on the arrays' contents before the launch; leaves
/// `memory` bound to the instrumented code. `files` are the person's own (instrument). Throws
/// UnknownPtx, CompileError, CudaError.
[[nodiscard]] ProbedSites probeProgram(const ProgramCode& code, const LaunchInputs& inputs,
                                       ProgramMemory& memory, const std::set<std::string>& files);

}  // namespace warplens
