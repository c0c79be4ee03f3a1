#include <cairo-ft.h>
#include <ft2build.h>
#include <stdexcept>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include "app/figure/typeface.h"
#include "app/fonts/fonts.h"

namespace warplens::figure {
namespace {

FT_Library library() {
    static const FT_Library it = [] {
        FT_Library made = nullptr;
        if (FT_Init_FreeType(&made) != 0) throw std::runtime_error("FreeType does not start");
        return made;
    }();
    return it;
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

}  // namespace warplens::figure
