#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::ptx {

/// Types of PTX's registers and instructions (PTX ISA, "Fundamental Types" and "Packed Data
/// Types").
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    u8,
    s8,
    b16,
    u16,
    s16,
    f16,
    bf16,
    b32,
    u32,
    s32,
    f32,
    f16x2,
    bf16x2,
    tf32,
    b64,
    u64,
    s64,
    f64,
    f32x2,
    b128,
    e4m3x2,
    e5m2x2,
};

/// `f32` of `f32`; `none` for anything that is not a type.
[[nodiscard]] Type typeNamed(std::string_view name);
/// Bytes in memory; 0 of `none` and `pred`, which is in none.
[[nodiscard]] std::uint32_t bytesOf(Type type);
[[nodiscard]] bool isFloat(Type type);  ///< packed pairs included
[[nodiscard]] bool isSigned(Type type);

/// State spaces (PTX ISA, "State Spaces").
enum class Space : std::uint8_t { generic, global, shared, constant, local, param };

}  // namespace warplens::ptx
