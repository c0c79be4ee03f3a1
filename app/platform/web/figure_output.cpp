#include <stdexcept>

#include "app/figure/output/render.h"
#include "app/figure/typeface.h"
#include "app/fonts/fonts.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <imstb_truetype.h>

// What figures need of a page: their letters' widths, and SVG.
namespace warplens::figure {

Typeface::Typeface(drawing::Face face) {
    const std::string_view bytes = fontFile(face);
    stbtt_fontinfo font{};
    if (stbtt_InitFont(&font, reinterpret_cast<const unsigned char*>(bytes.data()), 0) == 0)
        throw std::runtime_error("an embedded font cannot be read");
    int ascent = 0;
    int descent = 0;
    int gap = 0;
    stbtt_GetFontVMetrics(&font, &ascent, &descent, &gap);
    // The size of a text is its line, from the ascender to the descender.
    const auto line = static_cast<float>(ascent - descent);
    em_ = 1 / (stbtt_ScaleForMappingEmToPixels(&font, 1) * line);
    ascent_ = static_cast<float>(ascent) / line;
    entries_.resize(codePoints, {0, 0});
    for (std::uint32_t code = ' '; code < codePoints; ++code) {
        const int index = stbtt_FindGlyphIndex(&font, static_cast<int>(code));
        if (index == 0) continue;
        int advance = 0;
        int bearing = 0;
        stbtt_GetGlyphHMetrics(&font, index, &advance, &bearing);
        entries_[code] = {static_cast<std::uint32_t>(index), static_cast<float>(advance) / line};
    }
}

bool canRender(Format format) {
    return format == Format::svg;
}

std::string render(const Picture& picture, Format format) {
    if (!canRender(format)) throw std::runtime_error("a page draws SVG files only");
    return toSvg(picture);
}

}  // namespace warplens::figure
