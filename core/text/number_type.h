#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace warplens {

/// A number of CUDA C++, or a vector of one to four.
struct NumberType final {
    std::uint32_t bytes = 0;  ///< of one component
    std::uint32_t components = 1;

    [[nodiscard]] constexpr std::uint32_t size() const { return bytes * components; }
    /// Three are aligned as one; no more than 16 bytes are.
    [[nodiscard]] constexpr std::uint32_t alignment() const {
        return components == 3 ? bytes : std::min(16u, size());
    }
};

/// Of `unsigned int`, `uint8_t`, `__half2` or `uchar4`, without qualifiers. The sizes are those
/// of 64-bit Linux. Nothing where the name is of something else.
[[nodiscard]] constexpr std::optional<NumberType> numberType(std::string_view name) {
    constexpr std::pair<std::string_view, NumberType> scalars[] = {
        {"char", {1}},      {"bool", {1}},          {"int8_t", {1}},
        {"short", {2}},     {"int16_t", {2}},       {"half", {2}},
        {"__half", {2}},    {"__nv_bfloat16", {2}}, {"int", {4}},
        {"int32_t", {4}},   {"float", {4}},         {"__half2", {2, 2}},
        {"half2", {2, 2}},  {"long", {8}},          {"__nv_bfloat162", {2, 2}},
        {"long long", {8}}, {"longlong", {8}},      {"int64_t", {8}},
        {"size_t", {8}},    {"double", {8}}};
    if (name == "unsigned") return NumberType{4};
    for (const std::string_view sign : {"signed ", "unsigned "}) {
        if (name.starts_with(sign)) name.remove_prefix(sign.size());
    }
    const std::string_view bare = name.starts_with('u') ? name.substr(1) : name;
    for (const auto& [scalar, type] : scalars) {
        if (name == scalar || bare == scalar) return type;
        if (type.components == 1 && bare.size() == scalar.size() + 1 && bare.starts_with(scalar) &&
            bare.back() >= '1' && bare.back() <= '4')
            return NumberType{type.bytes, static_cast<std::uint32_t>(bare.back() - '0')};
    }
    return std::nullopt;
}

}  // namespace warplens
