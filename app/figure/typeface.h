#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/drawing/items.h"

typedef struct _cairo_font_face cairo_font_face_t;

/// The faces as FreeType, or in a page stb_truetype, reads them from the program itself.
namespace warplens::figure {

struct Glyph final {
    std::uint32_t index = 0;  ///< in the font; 0 where the font has no such character
    std::uint8_t bytes = 0;   ///< of UTF-8 that it stands for
    float advance = 0;        ///< for a font size of 1 (drawing::Text::size)
};

/// One face, unhinted, so that text is as wide in every format and at every size. Never ended:
/// Cairo keeps what it made of a face beyond any picture. May be used from several threads.
class Typeface final {
  public:
    [[nodiscard]] static const Typeface& of(drawing::Face face);

    /// One glyph for each code point. What is not UTF-8 becomes the font's replacement.
    [[nodiscard]] std::vector<Glyph> glyphsOf(std::string_view words) const;
    [[nodiscard]] float width(std::string_view words, float size) const;

    /// Font units: a text of size 1 has this em, and its baseline so far below its top.
    [[nodiscard]] float em() const { return em_; }
    [[nodiscard]] float ascent() const { return ascent_; }
    [[nodiscard]] cairo_font_face_t* cairoFace() const { return cairoFace_; }

  private:
    /// Latin, Greek, punctuation, arrows and operators: what figures are written in.
    static constexpr std::uint32_t codePoints = 0x2600;

    explicit Typeface(drawing::Face face);

    struct Entry final {
        std::uint32_t index;
        float advance;
    };
    std::vector<Entry> entries_;  ///< by code point
    float em_ = 1;
    float ascent_ = 1;
    cairo_font_face_t* cairoFace_ = nullptr;
};

/// The width of words as they come out in a figure.
[[nodiscard]] drawing::TextWidth figureTextWidth();

}  // namespace warplens::figure
