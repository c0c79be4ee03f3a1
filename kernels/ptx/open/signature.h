#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// A kernel's parameter as its author declared it, as far as the PTX says.
struct DeclaredParameter final {
    std::string name;  ///< `p0`, `p1`, ...: PTX has no other
    std::string type;  ///< `float const*`; empty where the kernel's name is not C++'s
    bool isPointer = false;
    bool isFloat = false;  ///< the number, or the array's elements
    u32 elementBytes = 4;  ///< of an array; of an unknown type 4
    /// 4 of `float`, 8 of `float2`, 16 of `float4`; 0 of structs and of an unknown type.
    u32 elementAlignment = 0;
};

struct Signature final {
    std::string kernel;  ///< as in the source: `scan<true>`
    std::vector<DeclaredParameter> parameters;
};

/// The kernel's name and parameters: of C++ from the mangled name, else from the PTX's types.
[[nodiscard]] Signature signatureOf(const Function& kernel);

/// The name that a variable was declared by: `t` of `_ZZ7stencilPfE1t`.
[[nodiscard]] std::string declaredName(std::string_view mangled);

}  // namespace warplens::ptx
