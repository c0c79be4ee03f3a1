#pragma once

#include <string>
#include <string_view>
#include <vector>

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
