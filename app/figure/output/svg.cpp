#include <cmath>
#include <cstdio>

#include "app/figure/canvas.h"
#include "app/figure/output/render.h"
#include "core/text/encoding.h"

// Cairo's own SVG surface draws every letter as a path: nothing can be selected, searched or edited
// in a slide. The items are few and plain, so they are written out here, with <text> as text.
namespace warplens::figure {
namespace {

using namespace drawing;

std::string number(float value) {
    std::array<char, 32> text{};
    const double rounded = std::round(static_cast<double>(value) * 100) / 100;
    std::snprintf(text.data(), text.size(), "%.2f", rounded == 0 ? 0.0 : rounded);
    std::string digits = text.data();
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

std::string color(Rgb value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "#%06x", value);
    return text.data();
}

std::string escaped(std::string_view words) {
    std::string text;
    for (const char c : sanitizedLine(words)) {
        switch (c) {
            case '<':
                text += "&lt;";
                break;
            case '>':
                text += "&gt;";
                break;
            case '&':
                text += "&amp;";
                break;
            case '"':
                text += "&quot;";
                break;
            default:
                text += c;
        }
    }
    return text;
}

std::string opacity(const char* name, float value) {
    return value >= 1 ? "" : std::string(" ") + name + "=\"" + number(value) + '"';
}

std::string rectangle(const Box& box) {
    return "<rect x=\"" + number(box.left) + "\" y=\"" + number(box.top) + "\" width=\"" +
           number(box.width()) + "\" height=\"" + number(box.height()) + '"';
}

const char* familyOf(Face face) {
    switch (face) {
        case Face::words:
            return "w";
        case Face::strong:
            return "s";
        case Face::numbers:
            break;
    }
    return "n";
}

struct Writer final {
    std::string& out;

    void operator()(const Fill& fill) const {
        out += rectangle(fill.box) + " fill=\"" + color(fill.color) + '"' +
               opacity("fill-opacity", fill.opacity) + "/>\n";
    }
    void operator()(const Hatch& hatch) const {
        const std::vector<Line> stripes = stripesOf(hatch);
        if (stripes.empty()) return;
        out += "<path d=\"";
        for (const Line& line : stripes) {
            out += 'M' + number(line.from.x) + ' ' + number(line.from.y) + 'L' + number(line.to.x) +
                   ' ' + number(line.to.y);
        }
        out += "\" stroke=\"" + color(hatch.color) + "\" stroke-width=\"" +
               number(stripes.front().width) + "\"/>\n";
    }
    void operator()(const Frame& frame) const {
        const float half = frame.width / 2;
        const Box& b = frame.box;
        out += rectangle({b.left + half, b.top + half, b.right - half, b.bottom - half}) +
               " fill=\"none\" stroke=\"" + color(frame.color) + "\" stroke-width=\"" +
               number(frame.width) + "\"/>\n";
    }
    void operator()(const Line& line) const {
        out += "<path d=\"M" + number(line.from.x) + ' ' + number(line.from.y) + 'L' +
               number(line.to.x) + ' ' + number(line.to.y) + "\" stroke=\"" + color(line.color) +
               "\" stroke-width=\"" + number(line.width) + '"' +
               opacity("stroke-opacity", line.opacity) + "/>\n";
    }
    void operator()(const Disc& disc) const {
        out += "<circle cx=\"" + number(disc.at.x) + "\" cy=\"" + number(disc.at.y) + "\" r=\"" +
               number(disc.radius - disc.width / 2) + '"';
        out += disc.width <= 0 ? " fill=\"" + color(disc.color) + '"'
                               : " fill=\"none\" stroke=\"" + color(disc.color) +
                                     "\" stroke-width=\"" + number(disc.width) + '"';
        out += "/>\n";
    }
    void operator()(const Quad& quad) const {
        out += "<path d=\"";
        for (std::size_t i = 0; i < quad.corners.size(); ++i) {
            out += (i == 0 ? 'M' : 'L') + number(quad.corners.at(i).x) + ' ' +
                   number(quad.corners.at(i).y);
        }
        out += "Z\" fill=\"" + (quad.opacity > 0 ? color(quad.color) : "none") + '"' +
               opacity("fill-opacity", quad.opacity);
        if (quad.edgeWidth > 0) {
            out += " stroke=\"" + color(quad.edge) + "\" stroke-width=\"" + number(quad.edgeWidth) +
                   '"' + opacity("stroke-opacity", quad.edgeOpacity);
        }
        out += "/>\n";
    }
    /// Where another font stands in for one that is missing, it takes no more room.
    static std::string lengthOf(const Text& text, const Typeface& face) {
        return text.words.size() < 2
                   ? std::string()
                   : " textLength=\"" + number(face.width(text.words, text.size)) +
                         "\" lengthAdjust=\"spacingAndGlyphs\"";
    }
    void operator()(const Text& text) const {
        const Typeface& face = Typeface::of(text.face);
        const char* const anchor = text.align < 0.25F   ? ""
                                   : text.align < 0.75F ? " text-anchor=\"middle\""
                                                        : " text-anchor=\"end\"";
        out += "<text class=\"" + std::string(familyOf(text.face)) + "\" x=\"" + number(text.at.x) +
               "\" y=\"" + number(text.at.y + text.size * face.ascent()) + "\" font-size=\"" +
               number(text.size * face.em()) + "\" fill=\"" + color(text.color) + '"' + anchor +
               lengthOf(text, face) + '>' + escaped(text.words) + "</text>\n";
    }
};

}  // namespace

std::string toSvg(const Picture& picture) {
    const std::string width = std::to_string(picture.size.width);
    const std::string height = std::to_string(picture.size.height);
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
        "\">\n<title>" + escaped(picture.title) + "</title>\n" +
        (picture.command.empty() ? "" : "<desc>" + escaped(picture.command) + "</desc>\n") +
        "<style>.w{font-family:Inter,sans-serif}.s{font-family:Inter,sans-serif;font-weight:600}"
        ".n{font-family:'JetBrains Mono',monospace;font-variant-ligatures:none}"
        "text{white-space:pre}</style>\n";
    const auto right = static_cast<float>(picture.size.width);
    const auto bottom = static_cast<float>(picture.size.height);
    const Writer writer{out};
    writer(Fill{{0, 0, right, bottom}, picture.background, 1});
    for (const Item& item : picture.items) std::visit(writer, item);
    return out + "</svg>\n";
}

std::vector<drawing::Line> stripesOf(const drawing::Hatch& hatch) {
    std::vector<drawing::Line> stripes;
    if (hatch.spacing <= 0) return stripes;
    // No corner of a stripe's end lies outside.
    const float width = std::clamp(hatch.spacing / 8, 0.75F, 1.5F);
    const float inset = width / 2;
    const drawing::Box box{hatch.box.left + inset, hatch.box.top + inset, hatch.box.right - inset,
                           hatch.box.bottom - inset};
    // Rising stripes x + y = c. They begin at multiples of the distance along an axis, so that
    // those of neighbouring boxes meet.
    const float step = hatch.spacing * std::sqrt(2.0F);
    for (float c = std::ceil((box.left + box.top) / step) * step; c < box.right + box.bottom;
         c += step) {
        const Point low{std::max(box.left, c - box.bottom), std::min(box.bottom, c - box.left)};
        const Point high{std::min(box.right, c - box.top), std::max(box.top, c - box.right)};
        if (high.x > low.x) stripes.push_back({low, high, hatch.color, width, 1});
    }
    return stripes;
}

}  // namespace warplens::figure
