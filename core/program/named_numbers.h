#pragma once

#include <string_view>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// All that numbers in a launch's kernel may be called by, the likeliest first: parameters, macros
/// and constants, the launch's dimensions.
[[nodiscard]] std::vector<NamedNumber> namedNumbers(const LaunchReport& launch,
                                                    const ProgramSources& sources);

/// `STRIDE` of `template <int STRIDE>` in an instance `copy<32>`: in turn, as far as they are
/// numbers.
void addTemplateArguments(const source::KernelSource& kernel, std::string_view instance,
                          std::vector<NamedNumber>& to);

}  // namespace warplens
