#include "core/launch/extents.h"

#include <array>
#include <charconv>

#include "core/json/archive.h"

namespace warplens {
namespace {

void describeTriple(Archive& v, auto& of) {
    std::array<std::uint32_t, 3> numbers{of.x, of.y, of.z};
    v.item(numbers);
    of = {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

void describeValue(Archive& v, Index3& index) {
    describeTriple(v, index);
}

void describeValue(Archive& v, Extents& extents) {
    describeTriple(v, extents);
}

std::variant<Extents, LimitViolation> parseExtents(std::string_view name, std::string_view text) {
    const auto refuse = [&](const char* expected) {
        return LimitViolation{std::string(name), "'" + std::string(text) + "'", expected};
    };
    // Not as 0 by 10: no extent is 0.
    if (text.starts_with("0x") || text.find(",0x") != std::string_view::npos) {
        return refuse("whole numbers in decimal, as in 16,16 or 16x16");
    }
    std::array<std::uint32_t, 3> extents{1, 1, 1};
    std::size_t axis = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        if (axis == extents.size()) return refuse("at most three extents x,y,z");
        const auto [next, error] = std::from_chars(at, end, extents[axis]);
        if (error == std::errc::result_out_of_range) return refuse("extents up to 4294967295");
        if (error != std::errc{}) return refuse("whole numbers as in 16,16 or 16x16");
        ++axis;
        if (next == end) return Extents{extents[0], extents[1], extents[2]};
        if (*next != ',' && *next != 'x') return refuse("whole numbers as in 16,16 or 16x16");
        at = next + 1;
    }
}

std::string toString(Extents extents) {
    std::string text = std::to_string(extents.x);
    if (extents.y != 1 || extents.z != 1) text += ',' + std::to_string(extents.y);
    if (extents.z != 1) text += ',' + std::to_string(extents.z);
    return text;
}

}  // namespace warplens
