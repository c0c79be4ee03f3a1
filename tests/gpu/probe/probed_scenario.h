#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/probe/site.h"

namespace warplens {

/// What the probe counted.
struct ProbedScenario final {
    std::vector<ProgramLine> lines;  ///< by site; those of named branches alone
    /// Whether the compiled code has a branch at the line of each named one. One that it has not
    /// was made a choice between values: nothing counts it.
    std::vector<bool> hasBranch;
    std::vector<std::pair<Site, LineCost>> unnamed{};  ///< branches on lines without a name
    /// The probe's own code lets lanes come apart: what it counted of warps is not the kernel's.
    bool splitsWarps = false;

    /// As `predictCompiled` has them.
    [[nodiscard]] std::vector<Value> values(const Kernel& kernel) const;
};

/// The launch with a call before each access and each branch. Throws UnknownPtx, CompileError,
/// CudaError.
[[nodiscard]] ProbedScenario probeScenario(const ScenarioLaunch& launch);

}  // namespace warplens
