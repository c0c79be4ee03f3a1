#include "kernels/ptx/read/type.h"

#include <algorithm>
#include <array>

namespace warplens::ptx {
namespace {

struct Row final {
    std::string_view name;
    Type type;
    std::uint32_t bytes;
    bool isFloat;
    bool isSigned;
};

// In the order of the enum.
constexpr std::array rows{
    Row{"", Type::none, 0, false, false},      Row{"pred", Type::pred, 0, false, false},
    Row{"b8", Type::b8, 1, false, false},      Row{"u8", Type::u8, 1, false, false},
    Row{"s8", Type::s8, 1, false, true},       Row{"b16", Type::b16, 2, false, false},
    Row{"u16", Type::u16, 2, false, false},    Row{"s16", Type::s16, 2, false, true},
    Row{"f16", Type::f16, 2, true, true},      Row{"bf16", Type::bf16, 2, true, true},
    Row{"b32", Type::b32, 4, false, false},    Row{"u32", Type::u32, 4, false, false},
    Row{"s32", Type::s32, 4, false, true},     Row{"f32", Type::f32, 4, true, true},
    Row{"f16x2", Type::f16x2, 4, true, true},  Row{"bf16x2", Type::bf16x2, 4, true, true},
    Row{"tf32", Type::tf32, 4, true, true},    Row{"b64", Type::b64, 8, false, false},
    Row{"u64", Type::u64, 8, false, false},    Row{"s64", Type::s64, 8, false, true},
    Row{"f64", Type::f64, 8, true, true},      Row{"f32x2", Type::f32x2, 8, true, true},
    Row{"b128", Type::b128, 16, false, false}, Row{"e4m3x2", Type::e4m3x2, 2, true, true},
    Row{"e5m2x2", Type::e5m2x2, 2, true, true}};
static_assert(std::ranges::is_sorted(rows, {}, &Row::type));

const Row& rowOf(Type type) {
    return rows[static_cast<std::size_t>(type)];
}

}  // namespace

Type typeNamed(std::string_view name) {
    if (name.empty()) return Type::none;
    const auto row = std::ranges::find(rows, name, &Row::name);
    return row == rows.end() ? Type::none : row->type;
}

std::uint32_t bytesOf(Type type) {
    return rowOf(type).bytes;
}
bool isFloat(Type type) {
    return rowOf(type).isFloat;
}
bool isSigned(Type type) {
    return rowOf(type).isSigned;
}

}  // namespace warplens::ptx
