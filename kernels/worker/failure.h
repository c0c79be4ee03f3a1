#pragma once

#include <exception>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// What carrying out a request threw, as an answer: InvalidRequest, NoDevice, WrongResult,
/// Cancelled, CudaError, or anything else of std::exception.
[[nodiscard]] Failure failureOf(const std::exception_ptr& thrown);

/// Whether the worker ends with such a failure, so that the next request finds a fresh one: a
/// faulted context answers every further call with its fault, an exhausted process is to let go of
/// what it holds, and CUDA looks for drivers and devices once in a process's life.
[[nodiscard]] bool endsWorker(FailureKind kind);

}  // namespace warplens
