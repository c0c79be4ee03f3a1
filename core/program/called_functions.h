#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "core/program/source_edit.h"

namespace warplens::source {

/// A function with a body, by offsets of its file.
struct FunctionText final {
    std::string_view name;
    std::vector<TextSpan> parameters;
    TextSpan body;  ///< within its braces
};
/// Those of a file, in the order of the text, which must live as long.
[[nodiscard]] std::vector<FunctionText> functionsIn(const SourceEdit& text);

/// A code and, behind it, the bodies of the functions of these files that it calls, and so on.
[[nodiscard]] std::string withCalled(std::string_view code, const ProgramSources& sources);

}  // namespace warplens::source

namespace warplens {

/// What a statement calls that takes a slow way with large numbers.
struct CalledInStatement final {
    std::string subject;   ///< `sinf`, quoted; `what is called there` where it is not sure which
    std::string slowFrom;  ///< numbers beyond which it has an array in local memory; may be empty
};
[[nodiscard]] CalledInStatement calledIn(std::string_view statement);

/// What a parameter is multiplied by, and comes to the number, in a macro of these texts, or in a
/// function or lambda that they call: `W, in AT` of `#define AT(r, c) a[(r) * W + (c)]`; empty
/// where there is none.
[[nodiscard]] std::string factorInCalled(const std::vector<std::string_view>& texts,
                                         std::int64_t number, const std::vector<NamedNumber>& names,
                                         const ProgramSources& sources);

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
