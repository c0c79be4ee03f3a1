#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <variant>

#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/driver.h"
#include "kernels/turns/gpu_lock.h"

namespace warplens {

using Answer = std::variant<Description, Measurement, ProgramMeasurement, CompiledResources>;
using ReportProgress = std::function<void(const Progress&)>;

/// Carries out one request; throws what went wrong (failureOf), or FreshProcessNeeded.
using Work = std::function<Answer(const WorkerRequest& request, const ReportProgress& report,
                                  std::stop_token stop)>;

/// The request cannot be carried out by this process as it is, but by one that has just started.
class FreshProcessNeeded final : public std::runtime_error {
  public:
    FreshProcessNeeded() : std::runtime_error("this worker has another device open") {}
};

/// Who asks has another source of the kernel than this worker.
class OtherKernelSource final : public std::runtime_error {
  public:
    explicit OtherKernelSource(const std::string& scenario)
        : std::runtime_error("the worker on " + hostName() + " has another source of " + scenario +
                             "'s kernel; install the same version at both ends") {}
};

/// What carrying out a request threw, as an answer: InvalidRequest, NoDevice, WrongResult,
/// Cancelled, CudaError, or anything else of std::exception.
[[nodiscard]] Failure failureOf(const std::exception_ptr& thrown);

/// Whether the child ends with such a failure, so that the next request finds a fresh one: a
/// faulted context answers every further call with its fault, an exhausted process is to let go of
/// what it holds, and CUDA looks for drivers and devices once in a process's life.
[[nodiscard]] bool endsWorker(FailureKind kind);

/// Answers requests, one JSON object a line, until `in` ends (worker_protocol.h); an empty line
/// follows each answer but progress. Requests run one after the other; a cancel is noticed while
/// one runs. Returns the process's exit code: after a failure that ends the worker (endsWorker),
/// and with `needsFreshProcess`, at once; until the process ends `in` and `out` must
/// live.
///
/// `rest` is called some twenty times a second while nothing is asked for, until it returns false.
int answerRequests(std::istream& in, std::ostream& out, const Work& work,
                   const std::function<bool()>& rest = {});

/// What a child does: answers requests from `in` on `out` until `in` ends, or it cannot go on.
/// After each answer but progress it writes an empty line. Returns the child's exit code.
using RequestChild =
    std::function<int(std::istream& in, std::ostream& out, const WatchedLine& watched)>;

/// Exit code of a child that the request at hand needs to be a fresh one: CUDA and CUPTI keep what
/// they have acquired as long as a process lives.
inline constexpr int needsFreshProcess = 75;

/// Says what this worker is, then hands requests from standard input to a child, one at a time, and
/// its answers to standard output, until the input ends. The child is forked at the first request,
/// before there is anything of CUDA in this process, and ends when nothing was asked for in
/// `idleTime`, or another one is needed; a course is told to each. One that stands still in its
/// turn is killed. Where a child ends in the middle of a request, so does this process, in the same
/// way; so does the child with this process, and both when nobody reads the output any more.
/// Returns the process's exit code.
[[nodiscard]] int superviseRequests(const RequestChild& answer, std::chrono::milliseconds idleTime);

/// A worker's work: describes and measures on the device that the requests name, one in a process:
/// a request for another than the first throws FreshProcessNeeded. Each has its turn among all
/// processes that measure on the device (kernels/turns). `watched` may be null.
class MeasuringWork final {
  public:
    explicit MeasuringWork(const WatchedLine* watched = nullptr, LockLimits limits = {});

    [[nodiscard]] Answer operator()(const WorkerRequest& request, const ReportProgress& report,
                                    std::stop_token stop) const;

    /// To be called now and then while nothing is asked for: keeps the counters for a moment more,
    /// unless somebody waits for a turn. False once there is nothing to release.
    [[nodiscard]] bool rest() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

/// What a child of superviseRequests does: MeasuringWork.
[[nodiscard]] int measureRequests(std::istream& in, std::ostream& out, const WatchedLine& watched);

}  // namespace warplens
