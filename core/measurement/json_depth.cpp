#include "core/measurement/json_depth.h"

#include "core/measurement/json.h"

namespace warplens {
namespace {

constexpr int deepest = 64;

}  // namespace

void requireShallow(std::string_view text) {
    int depth = 0;
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
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

}  // namespace warplens
