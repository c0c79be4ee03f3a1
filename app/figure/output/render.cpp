#include "app/figure/output/render.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cstring>
#include <ft2build.h>
#include <numbers>
#include <zlib.h>

#include "app/figure/canvas.h"
#include "core/text/format.h"
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include "app/fonts/fonts.h"

namespace warplens::figure {
namespace {

using namespace drawing;

struct Destroy final {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

void check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string("the figure cannot be drawn: ") +
                             cairo_status_to_string(status));
}

cairo_status_t append(void* target, const unsigned char* bytes, unsigned count) noexcept {
    try {
        static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(bytes), count);
    } catch (...) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    return CAIRO_STATUS_SUCCESS;
}

struct Painter final {
    cairo_t* context;

    void use(Rgb color, float opacity = 1) const {
        const auto channel = [&](int shift) { return (color >> shift & 255) / 255.0; };
        if (opacity >= 1) {
            cairo_set_source_rgb(context, channel(16), channel(8), channel(0));
        } else {
            cairo_set_source_rgba(context, channel(16), channel(8), channel(0), opacity);
        }
    }
    void rectangle(const Box& box, float inset = 0) const {
        cairo_rectangle(context, box.left + inset, box.top + inset, box.width() - 2 * inset,
                        box.height() - 2 * inset);
    }
    void operator()(const Fill& fill) const {
        use(fill.color, fill.opacity);
        rectangle(fill.box);
        cairo_fill(context);
    }
    void operator()(const Hatch& hatch) const {
        const std::vector<Line> stripes = stripesOf(hatch);
        if (stripes.empty()) return;
        use(hatch.color);
        cairo_set_line_width(context, stripes.front().width);
        for (const Line& line : stripes) {
            cairo_move_to(context, line.from.x, line.from.y);
            cairo_line_to(context, line.to.x, line.to.y);
        }
        cairo_stroke(context);
    }
    void operator()(const Frame& frame) const {
        use(frame.color);
        cairo_set_line_width(context, frame.width);
        rectangle(frame.box, frame.width / 2);
        cairo_stroke(context);
    }
    void operator()(const Line& line) const {
        use(line.color, line.opacity);
        cairo_set_line_width(context, line.width);
        cairo_move_to(context, line.from.x, line.from.y);
        cairo_line_to(context, line.to.x, line.to.y);
        cairo_stroke(context);
    }
    void operator()(const Disc& disc) const {
        constexpr double wholeTurn = 2 * std::numbers::pi;
        use(disc.color);
        cairo_new_sub_path(context);
        cairo_arc(context, disc.at.x, disc.at.y, disc.radius - disc.width / 2, 0, wholeTurn);
        if (disc.width <= 0) {
            cairo_fill(context);
        } else {
            cairo_set_line_width(context, disc.width);
            cairo_stroke(context);
        }
    }
    void operator()(const Quad& quad) const {
        cairo_move_to(context, quad.corners[0].x, quad.corners[0].y);
        for (std::size_t i = 1; i < quad.corners.size(); ++i) {
            cairo_line_to(context, quad.corners.at(i).x, quad.corners.at(i).y);
        }
        cairo_close_path(context);
        use(quad.color, quad.opacity);
        cairo_fill_preserve(context);
        use(quad.edge, quad.edgeOpacity);
        cairo_set_line_width(context, quad.edgeWidth);
        quad.edgeWidth > 0 ? cairo_stroke(context) : cairo_new_path(context);
    }
    /// With the words beside the glyphs, so that they can be selected and searched in a PDF.
    void operator()(const Text& text) const {
        const Typeface& face = Typeface::of(text.face);
        const std::vector<Glyph> letters = face.glyphsOf(text.words);
        double x = text.at.x - text.align * face.width(text.words, text.size);
        const double baseline = text.at.y + text.size * face.ascent();
        std::vector<cairo_glyph_t> glyphs;
        std::vector<cairo_text_cluster_t> clusters;
        for (const Glyph& letter : letters) {
            glyphs.push_back({letter.index, x, baseline});
            clusters.push_back({letter.bytes, 1});
            x += letter.advance * text.size;
        }
        use(text.color);
        cairo_set_font_face(context, face.cairoFace());
        cairo_set_font_size(context, text.size * face.em());
        cairo_show_text_glyphs(context, text.words.data(), static_cast<int>(text.words.size()),
                               glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                               static_cast<int>(clusters.size()), cairo_text_cluster_flags_t{});
    }
};

void paint(cairo_surface_t* surface, const Picture& picture) {
    const Context context(cairo_create(surface));
    cairo_font_options_t* const options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context.get(), options);
    cairo_font_options_destroy(options);
    const Painter painter{context.get()};
    painter.use(picture.background);
    cairo_paint(context.get());
    for (const Item& item : picture.items) std::visit(painter, item);
    check(cairo_status(context.get()));
}

std::string toPdf(const Picture& picture, std::span<const Picture> more = {}) {
    std::string file;
    const Surface surface(cairo_pdf_surface_create_for_stream(append, &file, picture.size.width,
                                                              picture.size.height));
    // Cairo would write the present time, and no two files would be equal.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE,
                                   "2000-01-01T00:00:00Z");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, picture.title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR,
                                   ("Warplens " + version()).c_str());
    if (!picture.command.empty()) {
        cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT,
                                       picture.command.c_str());
    }
    paint(surface.get(), picture);
    for (const Picture& page : more) {
        cairo_surface_show_page(surface.get());
        cairo_pdf_surface_set_size(surface.get(), page.size.width, page.size.height);
        paint(surface.get(), page);
    }
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
    return file;
}

std::string bigEndian(std::uint32_t number) {
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        bytes += static_cast<char>(number >> shift & 255);
    }
    return bytes;
}

/// The PNG with a text chunk behind its header (PNG specification, 11.3.4.3 tEXt).
std::string withText(const std::string& png, const std::string& key, const std::string& words) {
    constexpr std::size_t behindHeader = 8 + 4 + 4 + 13 + 4;
    if (png.size() < behindHeader) return png;
    const std::string content = "tEXt" + key + '\0' + words;
    const auto* const bytes = reinterpret_cast<const Bytef*>(content.data());
    const auto sum = static_cast<std::uint32_t>(
        crc32(crc32(0, nullptr, 0), bytes, static_cast<uInt>(content.size())));
    const auto length = static_cast<std::uint32_t>(content.size() - 4);
    return png.substr(0, behindHeader) + bigEndian(length) + content + bigEndian(sum) +
           png.substr(behindHeader);
}

Surface imageOf(PageSize size) {
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.width, size.height));
    check(cairo_surface_status(surface.get()));
    return surface;
}

std::string toPng(cairo_surface_t* surface) {
    std::string file;
    check(cairo_surface_write_to_png_stream(surface, append, &file));
    return file;
}

std::string toPng(const Picture& picture) {
    const Surface surface = imageOf(picture.size);
    paint(surface.get(), picture);
    const std::string file = toPng(surface.get());
    return picture.command.empty() ? file : withText(file, "Comment", picture.command);
}

FT_Library library() {
    static const FT_Library it = [] {
        FT_Library made = nullptr;
        if (FT_Init_FreeType(&made) != 0) throw std::runtime_error("FreeType does not start");
        return made;
    }();
    return it;
}

}  // namespace

std::string toPng(std::span<const unsigned char> pixels, PageSize size) {
    const Surface surface = imageOf(size);
    unsigned char* const rows = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    const auto width = static_cast<std::size_t>(size.width);
    for (std::size_t i = 0; i < width * static_cast<std::size_t>(size.height); ++i) {
        const Rgb color = static_cast<Rgb>(pixels[3 * i]) << 16 |
                          static_cast<Rgb>(pixels[3 * i + 1]) << 8 | pixels[3 * i + 2];
        std::memcpy(rows + i / width * static_cast<std::size_t>(stride) + i % width * 4, &color, 4);
    }
    cairo_surface_mark_dirty(surface.get());
    return toPng(surface.get());
}

bool canRender(Format) {
    return true;
}

std::string render(const Picture& picture, Format format) {
    switch (format) {
        case Format::pdf:
            return toPdf(picture);
        case Format::svg:
            return toSvg(picture);
        case Format::png:
            break;
    }
    return toPng(picture);
}

std::string renderPages(std::span<const Picture> pictures) {
    return toPdf(pictures.front(), pictures.subspan(1));
}

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
