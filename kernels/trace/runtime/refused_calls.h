#pragma once

#include <cstdint>

#include "core/program/program_trace.h"

/// Copies, memsets and frees of the host that CUDA refuses with cudaErrorInvalidValue. Each is a
/// finding at the place of the call, if that is known.
namespace warplens::runtime {

/// The error of a copy, 0 where it can be done; `kind` as cudaMemcpyKind.
[[nodiscard]] int errorOfCopy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, int kind,
                              const SourcePlace& place);
[[nodiscard]] int errorOfSet(std::uint64_t to, std::uint64_t bytes, const SourcePlace& place);
[[nodiscard]] int errorOfFree(std::uint64_t address, const SourcePlace& place);

}  // namespace warplens::runtime
