#include "core/json/json_bounds.h"

#include <array>
#include <cstddef>
#include <string>

#include "core/json/json.h"

namespace warplens {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t mostMembers = 64;  // of one object; what is written has about twenty

}  // namespace

void requireBounded(std::string_view text) {
    std::array<std::size_t, deepest + 1> members{};  // so far, by depth
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest) {
                throw MalformedJson("nested deeper than " + std::to_string(deepest) + " levels");
            }
            members.at(depth) = 0;
        } else if (c == ']' || c == '}') {
            if (depth > 0) --depth;
        } else if (c == ':' && depth > 0 && ++members.at(depth) > mostMembers) {
            throw MalformedJson("an object of more than " + std::to_string(mostMembers) +
                                " members");
        }
    }
}

}  // namespace warplens
