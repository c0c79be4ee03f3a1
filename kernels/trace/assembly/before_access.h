#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/trace/assembly/unit.h"

/// What the instructions before one of a function's, the `i`th, say of it.
namespace warplens::assembly {

/// Whether it asks if a shared variable has been constructed: in CUDA none is.
[[nodiscard]] bool asksForGuard(const Unit& unit, const Function& function, std::size_t i);

/// The symbol of the shared variable whose address is computed for an access: named since the
/// access before. Empty where none is.
[[nodiscard]] std::string sharedNamedBefore(const Unit& unit, const Function& function,
                                            std::size_t i);

/// The number that was last put into a register, by one of its two names, as `movl $12, %esi` does
/// shortly before a call.
[[nodiscard]] std::uint32_t constantBefore(const Unit& unit, const Function& function,
                                           std::size_t i, std::string_view narrow,
                                           std::string_view wide, std::uint32_t otherwise);

}  // namespace warplens::assembly
