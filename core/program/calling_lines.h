#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Where the launch's kernel calls the function that a line is in, by the words of both.
struct CallingLines final {
    std::string file{};                   ///< of the kernel
    std::vector<std::uint32_t> lines{};   ///< of that file, in order
    std::vector<std::string> ofThread{};  ///< parameters that are made of threadIdx.x, in each call
    std::vector<std::vector<std::string>> arguments{};  ///< of each of them, those of the calls
    std::string code{};                                 ///< of the kernel
};
/// Nothing of a line of the kernel itself, and where it is called through others.
[[nodiscard]] CallingLines callingLines(const ProgramLine& line, const LaunchReport& launch,
                                        const ProgramSources& sources);

/// What a parameter that is made of threadIdx.x is multiplied by in an index, where that is the
/// only product of such a one: `pitch` of `i * pitch + j`; empty where it is not sure.
[[nodiscard]] std::string factorOfParameter(std::string_view index, const CallingLines& calls);

/// What threadIdx.x is multiplied by, and comes to the number, in what the calls give a parameter
/// that stands in an index: `gridDim.x` of `v[i]` called with `threadIdx.x * gridDim.x`. Empty
/// where they do not all have the same.
[[nodiscard]] std::string factorInArguments(std::string_view index, std::int64_t number,
                                            const std::vector<NamedNumber>& names,
                                            const CallingLines& calls);

}  // namespace warplens
