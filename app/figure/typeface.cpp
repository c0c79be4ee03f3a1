#include "app/figure/typeface.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include <stdexcept>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include "app/fonts/fonts.h"

namespace warplens::figure {
namespace {

/// Latin, Greek, punctuation, arrows and operators: what figures are written in.
constexpr std::uint32_t codePoints = 0x2600;
constexpr std::uint32_t replacement = '?';

FT_Library library() {
    static const FT_Library it = [] {
        FT_Library made = nullptr;
        if (FT_Init_FreeType(&made) != 0) throw std::runtime_error("FreeType does not start");
        return made;
    }();
    return it;
}

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

Typeface::Typeface(drawing::Face face) {
    const std::string_view bytes = fontFile(face);
    FT_Face font = nullptr;
    if (FT_New_Memory_Face(library(), reinterpret_cast<const FT_Byte*>(bytes.data()),
                           static_cast<FT_Long>(bytes.size()), 0, &font) != 0) {
        throw std::runtime_error("an embedded font cannot be read");
    }
    // The size of a text is its line, from the ascender to the descender.
    const auto line = static_cast<float>(font->ascender - font->descender);
    em_ = static_cast<float>(font->units_per_EM) / line;
    ascent_ = static_cast<float>(font->ascender) / line;
    entries_.resize(codePoints, {0, 0});
    for (std::uint32_t code = ' '; code < codePoints; ++code) {
        const FT_UInt index = FT_Get_Char_Index(font, code);
        FT_Fixed advance = 0;
        if (index == 0 || FT_Get_Advance(font, index, FT_LOAD_NO_SCALE, &advance) != 0) continue;
        entries_[code] = {index, static_cast<float>(advance) / line};
    }
    cairoFace_ = cairo_ft_font_face_create_for_ft_face(font, FT_LOAD_NO_HINTING);
}

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
