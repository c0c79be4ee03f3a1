#include "core/text/encoding.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace warplens {

std::uint32_t lineAt(std::string_view text, std::size_t offset) {
    return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, offset), '\n'));
}

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

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

bool isPlain(char c) {
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

/// A character that is not fit to be shown.
struct Unfit final {
    std::uint32_t codePoint = 0;
    std::size_t bytes = 0;  ///< 0: the text begins with one that is fit

    [[nodiscard]] bool isControl() const { return codePoint < 0xa0; }
};

/// At the beginning of UTF-8 that is not empty.
Unfit unfitAt(std::string_view text) {
    const auto byte = [&](std::size_t place) {
        return place < text.size() ? static_cast<std::uint8_t>(text[place]) : std::uint8_t{0};
    };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return isPlain(text[0]) ? Unfit{} : Unfit{first, 1};
    const std::uint32_t low = byte(1) & 0x3fU;
    if (first == 0xc2 && byte(1) < 0xa0) return {0x80 | low, 2};
    if (first == 0xd8 && byte(1) == 0x9c) return {0x61c, 2};
    if (first != 0xe2) return {};
    const std::uint32_t code = 0x2000 | low << 6U | (byte(2) & 0x3fU);
    const auto within = [&](std::uint32_t from, std::uint32_t to) {
        return code >= from && code <= to;
    };
    const bool turns = within(0x200e, 0x200f) || within(0x202a, 0x202e) || within(0x2066, 0x2069);
    return turns ? Unfit{code, 3} : Unfit{};
}

/// UTF-8 with what `in` gives for each character that is not fit.
template <class In>
std::string replaced(std::string_view text, In in) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Unfit unfit = unfitAt(text);
        if (unfit.bytes == 0) {
            result += text.front();
        } else {
            result += in(unfit);
        }
        text.remove_prefix(std::max<std::size_t>(unfit.bytes, 1));
    }
    return result;
}

constexpr std::string_view base64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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

std::string sanitized(std::string_view said, std::size_t most) {
    constexpr std::string_view cutOff = "...";
    if (said.size() <= most && std::ranges::all_of(said, isPlain)) return std::string(said);
    std::string text = replaced(asUtf8(said, SIZE_MAX), [](const Unfit& unfit) {
        return unfit.isControl() ? std::string_view(" ") : std::string_view("\xef\xbf\xbd");
    });
    if (text.size() > most) {
        text = asUtf8(text, most < cutOff.size() ? 0 : most - cutOff.size()).append(cutOff);
    }
    return text;
}

std::string sanitizedLine(std::string_view said, std::size_t most) {
    std::string text = sanitized(said, most);
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return text;
}

std::string sanitizedJson(std::string_view json) {
    if (std::ranges::all_of(json, isPlain)) return std::string(json);
    return replaced(json, [](const Unfit& unfit) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string escape = "\\u";
        for (unsigned shift = 16; shift > 0; shift -= 4) {
            escape += digits[unfit.codePoint >> (shift - 4) & 15U];
        }
        return escape;
    });
}

std::string digestOf(std::string_view text) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    std::array<char, 17> hex{};
    std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(hash));
    return hex.data();
}

std::string toBase64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= count ? base64Digits[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    text.remove_suffix(padding);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    std::size_t held = 0;
    for (const char c : text) {
        const std::size_t digit = base64Digits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        group = group << 6 | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes.push_back(static_cast<std::byte>(group >> held & 255));
    }
    return bytes;
}

}  // namespace warplens
