#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/host_name.h"

namespace warplens {

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

/// Whether the worker ends with such a failure, so that the next request finds a fresh one: a
/// faulted context answers every further call with its fault, an exhausted process is to let go of
/// what it holds, and CUDA looks for drivers and devices once in a process's life.
[[nodiscard]] bool endsWorker(FailureKind kind);

}  // namespace warplens
