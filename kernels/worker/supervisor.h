#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>

#include "kernels/turns/gpu_lock.h"

namespace warplens {

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

}  // namespace warplens
