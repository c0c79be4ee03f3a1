#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/drawing/items.h"
#include "app/figure/page.h"

namespace warplens::figure {

/// A finished picture: items on a background, in units of the page.
struct Picture final {
    PageSize size;
    Rgb background = 0xffffff;
    std::string title;      ///< of the document
    std::string command{};  ///< that makes it again; written into the file
    drawing::Items items;
    float textSize = 1;  ///< of Page; smaller than asked where it would not have fitted
};

/// Whether `render` makes files of this format here: a page makes SVG alone.
[[nodiscard]] bool canRender(Format format);

/// The bytes of a file: the same picture always gives the same ones. Throws std::runtime_error when
/// there is not enough memory for the picture.
[[nodiscard]] std::string render(const Picture& picture, Format format);

/// A PDF of several pages, of which there is at least one.
[[nodiscard]] std::string renderPages(std::span<const Picture> pictures);

/// A PNG of pixels of 3 bytes, red first, rows from the top.
[[nodiscard]] std::string toPng(std::span<const unsigned char> pixels, PageSize size);

/// A scalable vector graphic in which text stays text.
[[nodiscard]] std::string toSvg(const Picture& picture);

/// The stripes of a hatch, cut at its box: every format draws the same lines.
[[nodiscard]] std::vector<drawing::Line> stripesOf(const drawing::Hatch& hatch);

}  // namespace warplens::figure
