#include "app/figure/typeface.h"

namespace warplens::figure {
namespace {

constexpr std::uint32_t replacement = '?';

/// The code point that starts at `at`, which moves behind it.
std::uint32_t decode(std::string_view words, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(words[i]); };
    const unsigned char first = byte(at++);
    if (first < 0x80) return first;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    if (more == 0) return replacement;
    std::uint32_t code = first & (0x3f >> more);
    for (int i = 0; i < more; ++i) {
        if (at >= words.size() || (byte(at) & 0xc0) != 0x80) return replacement;
        code = code << 6 | (byte(at++) & 0x3f);
    }
    return code;
}

}  // namespace

const Typeface& Typeface::of(drawing::Face face) {
    static const auto* const faces =
        new std::vector<Typeface>{Typeface(drawing::Face::words), Typeface(drawing::Face::strong),
                                  Typeface(drawing::Face::numbers)};
    return (*faces)[static_cast<std::size_t>(face)];
}

std::vector<Glyph> Typeface::glyphsOf(std::string_view words) const {
    std::vector<Glyph> glyphs;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t start = at;
        const std::uint32_t code = decode(words, at);
        const Entry& entry =
            entries_[code < codePoints && entries_[code].index != 0 ? code : replacement];
        glyphs.push_back({entry.index, static_cast<std::uint8_t>(at - start), entry.advance});
    }
    return glyphs;
}

float Typeface::width(std::string_view words, float size) const {
    float width = 0;
    for (const Glyph& glyph : glyphsOf(words)) width += glyph.advance;
    return width * size;
}

drawing::TextWidth figureTextWidth() {
    return [](std::string_view words, drawing::Face face, float size) {
        return Typeface::of(face).width(words, size);
    };
}

}  // namespace warplens::figure
