#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/cli/options.h"
#include "core/sweep/sweep.h"

namespace warplens {

/// How the measuring of a sweep ended.
struct SweepEnd final {
    ExitCode code = ExitCode::done;
    /// Why points are missing, a line each; empty when all were measured.
    std::vector<std::string> problems{};
};

/// Traces every point of which nothing is predicted yet. Shows progress where standard error is a
/// terminal. False when Ctrl-C ended it before the last point.
[[nodiscard]] bool predictPoints(Sweep& sweep);

/// Measures every point of which nothing is known yet, one after the other on one worker, and calls
/// `kept` after each. Ctrl-C cancels the point under way in order and ends the sweep with what it
/// has. Throws CommandFailed with ExitCode::impossible where there is no worker.
[[nodiscard]] SweepEnd measurePoints(Sweep& sweep, const WorkerOptions& options,
                                     const std::function<void()>& kept);

}  // namespace warplens
