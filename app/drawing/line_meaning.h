#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/program/program_trace.h"

/// What one line of a person's file comes to in a launch, in words.
namespace warplens {

/// `10.27`: units of a request on average.
[[nodiscard]] std::string perRequest(std::uint64_t units, std::uint64_t requests);

/// What a line's requests come to, in a sentence or two: each kind of access that it makes, those
/// that cost most first.
[[nodiscard]] std::string meaningOfLine(const ProgramLaunch& launch, const std::string& file,
                                        std::uint32_t line);

/// The accesses that make the line bad: the kind with the most sectors, else the most wavefronts,
/// beyond the fewest possible. Nothing where none is.
[[nodiscard]] std::optional<LineKind> worstKindOfLine(const ProgramLaunch& launch,
                                                      const std::string& file, std::uint32_t line);

}  // namespace warplens
