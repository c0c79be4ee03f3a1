#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/subcommand.h"
#include "core/sweep/axis.h"
#include "core/sweep/quantity.h"
#include "core/sweep/sweep.h"

namespace warplens {

/// Traces every point of which nothing is predicted yet, and calls `kept` after each. Shows
/// progress where standard error is a terminal. False when a signal that InterruptNoted noted ended
/// it.
[[nodiscard]] bool predictPoints(Sweep& sweep, const std::function<void()>& kept);

/// How the measuring of a sweep ended.
struct SweepEnd final {
    ExitCode code = ExitCode::done;
    /// Why points are missing, a line each; empty when all were measured.
    std::vector<std::string> problems{};
};

/// Measures every point of which nothing is known yet, handing them to the workers that the options
/// name as these come free (SweepShare), and calls `kept` after each. What is not predicted yet is
/// predicted meanwhile, as far as there is time. A signal that
/// InterruptNoted noted cancels the points under way in order and ends the sweep with what it has.
/// Throws CommandFailed with ExitCode::impossible where there is no worker.
[[nodiscard]] SweepEnd measurePoints(Sweep& sweep, const WorkerOptions& options,
                                     const std::function<void()>& kept);

/// The sweep for a person: what is varied, a table of each quantity with a column for each source,
/// and where the numbers come from.
[[nodiscard]] std::string reportOf(const Sweep& sweep, const std::vector<Quantity>& quantities,
                                   bool recorded);

}  // namespace warplens
