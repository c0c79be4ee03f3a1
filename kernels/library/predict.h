#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/program/launch_report.h"
#include "core/scenario/scenario.h"
#include "core/trace/launch_totals.h"

/// Built-in kernels, traced from their plain .cu files within this process.
namespace warplens {

using PredictOptions = trace::TotalsOptions;
using PredictionStopped = trace::TraceStopped;

/// The kernel did what none may, or more than can be traced: it accessed what is outside its
/// arrays, or let some threads wait at a barrier that others do not reach. Says where.
class TraceFault final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Predicts the experiment, which must pass `validateRun`: all of it, exactly, from one block of
/// each kind where the launch is large (core/trace/launch_totals.h). Cost: at most some seconds.
/// Throws PredictionStopped or TraceFault.
[[nodiscard]] LaunchReport predict(const Experiment& experiment,
                                   const PredictOptions& options = {});

/// The same of the code that a compiler made of the kernel's text: its lines and values are of the
/// source `compiled`, and `compiled` says how they were counted. A branch that it does not have is
/// a value with that reason. `ptx`, where given, is run with all its loops and stays where it is as
/// long as this process lives; else it is what nvcc made.
[[nodiscard]] LaunchReport predictCompiled(const Experiment& experiment,
                                           const PredictOptions& options = {},
                                           std::string_view ptx = {});
/// Puts what compiled code comes to beside what was predicted of the same launch.
void addCompiled(LaunchReport& report, const LaunchReport& compiled);

struct BlockOptions final {
    /// A warp that would not be done by then, taking as long as the slowest before it, is not
    /// begun; one is always traced. Leaves room for the frame within 16 ms.
    std::chrono::steady_clock::duration time = std::chrono::milliseconds(12);
    unsigned threads = 0;  ///< 0: one for each core
    std::stop_token stop;  ///< a requested stop ends the prediction with PredictionStopped
};

/// Traces the warps of one block: the first, the last, then those between, until all are done or
/// the time is up. Throws PredictionStopped or TraceFault.
[[nodiscard]] LaunchReport predictBlock(const Experiment& experiment, Index3 block,
                                        const BlockOptions& options = {});

/// The sums with the names of the kernel's arrays and branches.
[[nodiscard]] std::vector<ProgramLine> linesOf(const Kernel& kernel,
                                               const trace::LineTallies& tallies, Source source);

/// Whether the loops marked `only computes` are what they are said to be: blocks of the launch,
/// from the first to the last, do the same with these loops and without. Else the line of the first
/// access or named branch that is another. Throws TraceFault (predict.h).
[[nodiscard]] std::optional<std::uint32_t> lineThatComputingChanges(const Experiment& experiment);

/// Four bytes of the output array, and what a launch leaves there.
struct HostWord final {
    std::uint64_t place = 0;  ///< which four bytes of the array
    std::uint32_t bits = 0;
};

/// What a part of a launch writes to its output, worked out on the host with the kernel's own text.
struct HostResult final {
    std::vector<HostWord> words;  ///< by place, each once
    std::uint64_t warps = 0;      ///< that were run
    std::uint64_t warpsOfGrid = 0;
};

/// Runs the warps of the launch, spread evenly from the first to the last, that take about
/// `mostEvents` accesses, decisions and arithmetic steps of all lanes; all where there are no more.
/// Of a kernel with barriers whole blocks are run; of one whose threads add to places by atomics
/// all, or, where that takes a second and more, none. Small inputs are made whole, large ones as
/// far as they are read: first it is found where that is, by running until it changes no more,
/// which is twice where no place follows from an input's value. Cost: some 40 ns for each event.
/// `ptx` as in PreparedLaunch. Throws TraceFault, std::bad_alloc.
[[nodiscard]] HostResult hostResultOf(const Experiment& experiment,
                                      std::uint64_t mostEvents = std::uint64_t{1} << 17,
                                      std::string_view ptx = {});

}  // namespace warplens
