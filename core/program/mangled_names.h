#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Names of kernels and variables in compiled code (Itanium C++ ABI, "Mangling").
namespace warplens {

/// As C++ writes it, with parameters and, of a template, the result; what is not mangled stays.
[[nodiscard]] std::string demangled(std::string_view name);

/// One past the last character before the parameters; brackets of templates are no parameters.
[[nodiscard]] std::size_t parametersBegin(std::string_view demangled);

/// `ns::scan<true>` of the mangled name of a kernel or a variable, as the program's text calls it.
[[nodiscard]] std::string kernelName(std::string_view mangled);

}  // namespace warplens
