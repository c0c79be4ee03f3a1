#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/drawing/items.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/output/render.h"
#include "app/figure/page.h"

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

using drawing::Box;
using drawing::Face;

/// Without the marks round code: a figure has one face for its words.
[[nodiscard]] std::string withoutTicks(std::string words);

/// One line of text before it has a place.
struct Words final {
    std::string words;
    Face face = Face::words;
    float size = size::smallest;
    Rgb color = 0;
};

/// Takes the items of a figure. No text leaves the room it is given, and what does not fit is not
/// drawn: a small figure says less.
class Canvas final {
  public:
    Canvas(const Style& style, drawing::TextWidth width)
        : style_(style), textWidth_(std::move(width)) {}

    [[nodiscard]] const Style& style() const { return style_; }
    [[nodiscard]] const drawing::ColorRoles& colors() const { return style_.colors; }
    [[nodiscard]] const drawing::TextWidth& textWidth() const { return textWidth_; }
    /// Where a picture of `drawing` is prepared for, with words of this size.
    [[nodiscard]] drawing::DrawArea area(const Box& room, float textSize) const {
        return {room, colors(), textWidth_, textSize, size::smallest};
    }
    [[nodiscard]] float width(const Words& words) const {
        return textWidth_(words.words, words.face, words.size);
    }
    [[nodiscard]] drawing::Items take() { return std::move(items_); }

    void fill(const Box& box, Rgb color, float opacity = 1);
    void hatch(const Box& box, Rgb color, float spacing = 7);
    void frame(const Box& box, Rgb color, float width = 1);
    void line(Point from, Point to, Rgb color, float width = 1, float opacity = 1);
    /// Prepared elsewhere, for `room`: texts that leave it or meet another are left out.
    void add(drawing::Items items, const Box& room);

    /// Writes into `room`, against its left end (`align` 0), middle (0.5) or right end (1), in the
    /// middle of its height. False, and nothing drawn, where it does not fit or another text is in
    /// the way.
    bool write(const Box& room, const Words& words, float align = 0);
    /// As `write`, cut short with an ellipsis where the room is too narrow for all of it.
    bool writeShortened(const Box& room, Words words, float align = 0);
    /// The first of several ways to say it that fits.
    bool writeFirst(const Box& room, const std::vector<Words>& ways, float align = 0);
    /// The words broken at blanks into lines of at most `width`; a longer word is one by itself.
    [[nodiscard]] std::vector<std::string> linesOf(const Words& words, float width) const;
    /// At most `mostLines` lines from the top of the room on, broken at blanks; all of it or
    /// nothing. Returns the height it takes.
    float writeLines(const Box& room, const Words& words, int mostLines);

  private:
    /// Keeps the place of a text, unless another text has it.
    bool claim(const Box& box);

    const Style& style_;
    drawing::TextWidth textWidth_;
    drawing::Items items_;
    std::vector<Box> texts_;
};

/// The page that a figure is composed on, in units (style.h).
class Sheet final {
  public:
    /// With the page's own title, where it has one. Throws InvalidRequest: requireRoomForWords.
    explicit Sheet(const Page& page);

    Canvas canvas;
    Box body;          ///< the page without its margins and title
    float height = 0;  ///< of the page

    /// The page's own caption, where it has one, to the bottom of `room`; returns where it begins.
    [[nodiscard]] float drawCaption(const Box& room);

    /// What was drawn, in the units of the page.
    [[nodiscard]] Picture picture(std::string title) &&;

  private:
    Page page_;
    float unit_;
};

/// Where the numbers come from, to the bottom of `room`: on one line where it fits, else each from
/// a line of its own on. Returns where it begins; in a low room nothing is drawn.
float drawProvenance(Canvas& canvas, const std::vector<std::string>& lines, const Box& room);

}  // namespace warplens::figure
