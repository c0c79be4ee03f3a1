#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
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

}  // namespace warplens
