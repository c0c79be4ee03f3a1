#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// An access to memory, as the compiler's hook before it says.
struct Hook final {
    bool store = false;
    bool isVolatile = false;
    std::uint32_t bytes = 0;      ///< 0: a range, its size is in the instruction before
    std::uint32_t alignment = 0;  ///< 0: unknown
};

/// Nothing for any other function.
[[nodiscard]] inline std::optional<Hook> hookNamed(std::string_view callee) {
    constexpr std::string_view prefix = "__tsan_";
    if (!callee.starts_with(prefix)) return std::nullopt;
    callee.remove_prefix(prefix.size());
    Hook hook;
    const auto take = [&](std::string_view word) {
        if (!callee.starts_with(word)) return false;
        callee.remove_prefix(word.size());
        return true;
    };
    hook.isVolatile = take("volatile_");
    const bool unaligned = take("unaligned_");
    if (take("write")) {
        hook.store = true;
    } else if (!take("read")) {
        return std::nullopt;
    }
    if (callee == "_range") return hook;
    if (callee.empty() || callee.find_first_not_of("0123456789") != std::string_view::npos) {
        return std::nullopt;
    }
    for (const char digit : callee) hook.bytes = hook.bytes * 10 + std::uint32_t(digit - '0');
    hook.alignment = unaligned ? (hook.bytes > 4 ? 4 : 1) : hook.bytes;
    return hook;
}

/// A conditional jump that the source does not have: the compiler's own way to convert an unsigned
/// 64-bit number, or the first half of a comparison of floating-point numbers.
[[nodiscard]] bool isCompilersOwnJump(const Unit& unit, const Function& function,
                                      std::size_t instruction);

/// Whether the hook that is called there gets an address in the function's own frame: a variable on
/// its stack.
[[nodiscard]] bool isOfFrame(const Unit& unit, const Function& function, std::size_t call);

/// Whether what follows writes the flags before it reads them.
[[nodiscard]] bool flagsAreDead(const Unit& unit, const Function& function, std::size_t from);

/// Bytes of an atomic's operand, from the first parameter of its mangled name.
[[nodiscard]] std::uint32_t atomicBytes(std::string_view mangled);

}  // namespace warplens::assembly
