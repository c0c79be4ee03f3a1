#include "core/text/sanitized.h"

#include <cstdint>

#include "core/text/utf8.h"

namespace warplens {

std::string sanitized(std::string_view said, std::size_t most) {
    constexpr std::string_view cutOff = "...";
    std::string text = asUtf8(said, SIZE_MAX);
    if (text.size() > most) {
        text = asUtf8(text, most < cutOff.size() ? 0 : most - cutOff.size()).append(cutOff);
    }
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte == 0x7f) c = ' ';
    }
    return text;
}

}  // namespace warplens
