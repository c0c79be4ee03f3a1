#include "core/text/utf8.h"

#include <algorithm>
#include <cstdint>

namespace warplens {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

std::uint8_t byteAt(std::string_view text, std::size_t place) {
    return static_cast<std::uint8_t>(text[place]);
}

/// Bytes that a character with this first byte takes, and what its second one may be; 0 bytes where
/// none begins so.
struct Form final {
    std::size_t bytes;
    std::uint8_t least = 0x80;
    std::uint8_t most = 0xbf;
};
Form formOf(std::uint8_t first) {
    if (first < 0x80) return {1};
    if (first < 0xc2) return {0};
    if (first < 0xe0) return {2};
    if (first == 0xe0) return {3, 0xa0};
    if (first == 0xed) return {3, 0x80, 0x9f};
    if (first < 0xf0) return {3};
    if (first == 0xf0) return {4, 0x90};
    if (first < 0xf4) return {4};
    if (first == 0xf4) return {4, 0x80, 0x8f};
    return {0};
}

/// Bytes of the character that the text begins with; 0 where it begins with none.
std::size_t characterSize(std::string_view text) {
    const Form form = formOf(byteAt(text, 0));
    if (form.bytes == 0 || form.bytes > text.size()) return 0;
    if (form.bytes > 1 && (byteAt(text, 1) < form.least || byteAt(text, 1) > form.most)) return 0;
    for (std::size_t i = 2; i < form.bytes; ++i) {
        if ((byteAt(text, i) & 0xc0) != 0x80) return 0;
    }
    return form.bytes;
}

}  // namespace

std::string asUtf8(std::string_view text, std::size_t mostBytes) {
    std::string result;
    result.reserve(std::min(text.size(), mostBytes));
    while (!text.empty()) {
        const std::size_t size = characterSize(text);
        const std::string_view next = size == 0 ? replacement : text.substr(0, size);
        if (result.size() + next.size() > mostBytes) break;
        result += next;
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

}  // namespace warplens
