#include "core/kernel/element_type.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

constexpr std::int64_t mostOfFloat = std::int64_t{1} << 24;
constexpr std::int64_t mostOfDouble = std::int64_t{1} << 53;

constexpr std::array<ElementTypeInfo, 13> types{{
    {ElementType::int32, "int", "signed int", 4, false, INT32_MIN, INT32_MAX},
    {ElementType::uint32, "unsigned", "unsigned int", 4, false, 0, UINT32_MAX},
    {ElementType::int64, "long long", "long long int", 8, false, INT64_MIN, INT64_MAX},
    {ElementType::uint64, "unsigned long long", "size_t", 8, false, 0, INT64_MAX},
    {ElementType::float32, "float", "", 4, true, -mostOfFloat, mostOfFloat},
    {ElementType::float64, "double", "", 8, true, -mostOfDouble, mostOfDouble},
    {ElementType::int8, "char", "signed char", 1, false, 0, 0},
    {ElementType::uint8, "unsigned char", "uchar", 1, false, 0, 0},
    {ElementType::int32x2, "int2", "uint2", 8, false, 0, 0},
    {ElementType::int32x4, "int4", "uint4", 16, false, 0, 0},
    {ElementType::float32x2, "float2", "", 8, true, 0, 0},
    {ElementType::float32x4, "float4", "", 16, true, 0, 0},
    {ElementType::float64x2, "double2", "", 16, true, 0, 0},
}};

}  // namespace

std::span<const ElementTypeInfo> elementTypes() {
    return types;
}

const ElementTypeInfo& infoOf(ElementType type) {
    return types.at(static_cast<std::size_t>(type));
}

std::optional<ElementType> elementTypeNamed(std::string_view name) {
    const auto* const found = std::ranges::find_if(types, [&](const ElementTypeInfo& each) {
        return each.name == name || (each.also == name && !name.empty());
    });
    return found == types.end() ? std::nullopt : std::optional(found->type);
}

std::string namesOfTypes(bool thatHoldSizes) {
    std::string names;
    for (const ElementTypeInfo& each : types) {
        if (thatHoldSizes && !each.holdsSizes()) continue;
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
}

}  // namespace warplens
