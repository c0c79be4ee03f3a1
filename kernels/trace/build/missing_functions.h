#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Libraries that a program was written for are not always there: a window's, a solver's. From what
/// the linker said, assembly for the functions that it did not find: a call of one is told by its
/// name and ends the program, after the kernels that came before it; what draws is passed over.
/// Empty where it found all, and where one is missing that the program itself must have: a C++
/// function.
[[nodiscard]] std::string missingFunctions(std::string_view linkerWords);

}  // namespace warplens
