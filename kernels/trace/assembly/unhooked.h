#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// An access that the compiler gives no hook: a struct in memory that is handed to a function by
/// value, or stored as a function returned it.
struct UnhookedAccess final {
    bool store = false;
    std::string address;  ///< operand: `8(%rax,%rdx,4)`
    std::uint32_t bytes = 0;
};

/// By the index of the first instruction of each, in the function's body.
[[nodiscard]] std::map<std::size_t, UnhookedAccess> unhookedAccesses(const Unit& unit,
                                                                     const Function& function);

}  // namespace warplens::assembly
