#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/program_options.h"
#include "app/cli/subcommand.h"
#include "core/sweep/axis.h"
#include "core/sweep/quantity.h"
#include "core/sweep/sweep.h"

namespace warplens {

/// Traces every point of which nothing is predicted yet, and calls `kept` after each. Shows
/// progress where standard error is a terminal. False when a signal that InterruptNoted noted ended
/// it.
[[nodiscard]] bool predictPoints(Sweep& sweep, const std::function<void()>& kept);

/// Traces the points of which nothing is predicted yet on a thread of its own, in order, while they
/// are measured elsewhere. Ends what it is at when it goes: predictPoints does the rest.
class PredictionsAhead final {
  public:
    explicit PredictionsAhead(const Sweep& sweep);
    /// What was predicted since the last call, into the points of the sweep it was made of; true
    /// where there was something.
    bool takeInto(Sweep& sweep);

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::size_t, PointPrediction>> made_;
    std::jthread thread_;
};

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

/// Predicts the program once for each point of the axis, a macro (of a file without main: a number
/// of its kernels), `grid`, `block.x` or the block's shape, and prints its launches' totals. What
/// keeps one point from being predicted is told there. Throws CommandFailed where no point could
/// be.
ExitCode sweepProgram(const TraceRequest& base, const Axis& axis, const TableOptions& table,
                      bool json);
/// Of what it prints as JSON.
[[nodiscard]] std::string programSweepSchema(Document document);

}  // namespace warplens
