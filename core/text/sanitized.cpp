#include "core/text/sanitized.h"

#include <cstdint>

#include "core/text/utf8.h"

namespace warplens {
namespace {

constexpr std::string_view cutOff = "...";

bool continuesCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

}  // namespace

std::string sanitized(std::string_view said, std::size_t most) {
    std::string text = asUtf8(said, SIZE_MAX);
    if (text.size() > most) {
        std::size_t end = most < cutOff.size() ? 0 : most - cutOff.size();
        while (end > 0 && continuesCharacter(text[end])) --end;
        text.resize(end);
        text += cutOff;
    }
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte == 0x7f) c = ' ';
    }
    return text;
}

}  // namespace warplens
