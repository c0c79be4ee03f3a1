#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

struct TypeRow final {
    std::string_view name;
    Type type;
    std::uint32_t bytes;
    bool isFloat;
    bool isSigned;
};

// In the order of the enum.
inline constexpr std::array typeRows{
    TypeRow{"", Type::none, 0, false, false},      TypeRow{"pred", Type::pred, 0, false, false},
    TypeRow{"b8", Type::b8, 1, false, false},      TypeRow{"u8", Type::u8, 1, false, false},
    TypeRow{"s8", Type::s8, 1, false, true},       TypeRow{"b16", Type::b16, 2, false, false},
    TypeRow{"u16", Type::u16, 2, false, false},    TypeRow{"s16", Type::s16, 2, false, true},
    TypeRow{"f16", Type::f16, 2, true, true},      TypeRow{"bf16", Type::bf16, 2, true, true},
    TypeRow{"b32", Type::b32, 4, false, false},    TypeRow{"u32", Type::u32, 4, false, false},
    TypeRow{"s32", Type::s32, 4, false, true},     TypeRow{"f32", Type::f32, 4, true, true},
    TypeRow{"f16x2", Type::f16x2, 4, true, true},  TypeRow{"bf16x2", Type::bf16x2, 4, true, true},
    TypeRow{"tf32", Type::tf32, 4, true, true},    TypeRow{"b64", Type::b64, 8, false, false},
    TypeRow{"u64", Type::u64, 8, false, false},    TypeRow{"s64", Type::s64, 8, false, true},
    TypeRow{"f64", Type::f64, 8, true, true},      TypeRow{"f32x2", Type::f32x2, 8, true, true},
    TypeRow{"b128", Type::b128, 16, false, false}, TypeRow{"e4m3x2", Type::e4m3x2, 2, true, true},
    TypeRow{"e5m2x2", Type::e5m2x2, 2, true, true}};
static_assert(std::ranges::is_sorted(typeRows, {}, &TypeRow::type));

/// `f32` of `f32`; `none` for anything that is not a type.
[[nodiscard]] constexpr Type typeNamed(std::string_view name) {
    const auto row = std::ranges::find(typeRows, name, &TypeRow::name);
    return row == typeRows.end() ? Type::none : row->type;
}
/// Bytes in memory; 0 of `none` and `pred`, which is in none.
[[nodiscard]] constexpr std::uint32_t bytesOf(Type type) {
    return typeRows[static_cast<std::size_t>(type)].bytes;
}
/// Packed pairs included.
[[nodiscard]] constexpr bool isFloat(Type type) {
    return typeRows[static_cast<std::size_t>(type)].isFloat;
}
[[nodiscard]] constexpr bool isSigned(Type type) {
    return typeRows[static_cast<std::size_t>(type)].isSigned;
}

/// State spaces (PTX ISA, "State Spaces").
enum class Space : std::uint8_t { generic, global, shared, constant, local, param };

}  // namespace warplens::ptx
