#include "app/figure/canvas.h"

#include <iterator>
#include <ranges>

#include "core/text/format.h"

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

namespace {

/// Lengths are added up in single precision.
constexpr float slack = 0.02F;

bool overlap(const Box& a, const Box& b) {
    return a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom &&
           b.top + slack < a.bottom;
}

/// Places between code points.
std::size_t characterBefore(const std::string& text, std::size_t at) {
    do {
        --at;
    } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
    return at;
}

}  // namespace

void Canvas::fill(const Box& box, Rgb color, float opacity) {
    items_.emplace_back(drawing::Fill{box, color, opacity});
}

void Canvas::hatch(const Box& box, Rgb color, float spacing) {
    items_.emplace_back(drawing::Hatch{box, color, spacing});
}

void Canvas::frame(const Box& box, Rgb color, float width) {
    items_.emplace_back(drawing::Frame{box, color, width});
}

void Canvas::line(Point from, Point to, Rgb color, float width, float opacity) {
    items_.emplace_back(drawing::Line{from, to, color, width, opacity});
}

void Canvas::add(drawing::Items items, const Box& room) {
    // Texts last: what is prepared for a window has lines across some.
    drawing::Items texts;
    for (drawing::Item& item : items) {
        const auto* text = std::get_if<drawing::Text>(&item);
        if (text == nullptr) {
            items_.push_back(std::move(item));
            continue;
        }
        const float least = text->face == Face::numbers ? size::smallestNumber : size::smallest;
        const float length = textWidth_(text->words, text->face, text->size);
        const float left = text->at.x - text->align * length;
        const Box box{left, text->at.y, left + length, text->at.y + text->size};
        const bool outside = box.left < room.left - slack || box.right > room.right + slack ||
                             box.top < room.top - slack || box.bottom > room.bottom + slack;
        if (outside || text->size < least - slack || !claim(box)) continue;
        if (text->color == colors().faint)
            texts.emplace_back(drawing::Fill{box, colors().background, 1});
        texts.push_back(std::move(item));
    }
    std::ranges::move(texts, std::back_inserter(items_));
}

bool Canvas::claim(const Box& box) {
    if (std::ranges::any_of(texts_, [&](const Box& text) { return overlap(text, box); })) {
        return false;
    }
    texts_.push_back(box);
    return true;
}

bool Canvas::write(const Box& room, const Words& words, float align) {
    const float length = width(words);
    if (words.words.empty() || length > room.width() + slack ||
        words.size > room.height() + slack) {
        return false;
    }
    const float left = room.left + align * (room.width() - length);
    const float top = room.top + (room.height() - words.size) / 2;
    if (!claim({left, top, left + length, top + words.size})) return false;
    items_.emplace_back(drawing::Text{
        {left + align * length, top}, words.words, words.face, words.size, words.color, align});
    return true;
}

bool Canvas::writeShortened(const Box& room, Words words, float align) {
    if (width(words) <= room.width()) return write(room, words, align);
    const std::string whole = words.words;
    for (std::size_t end = whole.size(); end > 1;) {
        end = characterBefore(whole, end);
        words.words = whole.substr(0, end) + "…";
        if (width(words) <= room.width()) return end > 0 && write(room, words, align);
    }
    return false;
}

bool Canvas::writeFirst(const Box& room, const std::vector<Words>& ways, float align) {
    return std::ranges::any_of(ways, [&](const Words& words) { return write(room, words, align); });
}

std::vector<std::string> Canvas::linesOf(const Words& words, float width) const {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < words.words.size();) {
        const std::size_t end = std::min(words.words.find(' ', at), words.words.size());
        const std::string word = words.words.substr(at, end - at);
        at = end + 1;
        const std::string longer = lines.back().empty() ? word : lines.back() + ' ' + word;
        if (textWidth_(longer, words.face, words.size) <= width) {
            lines.back() = longer;
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

float Canvas::writeLines(const Box& room, const Words& words, int mostLines) {
    if (words.words.empty()) return 0;
    const std::vector<std::string> lines = linesOf(words, room.width());
    const float pitch = words.size * 1.15F;
    const float height = pitch * static_cast<float>(lines.size());
    if (lines.size() > static_cast<std::size_t>(mostLines) || height > room.height() + 0.5F) {
        return 0;
    }
    float top = room.top;
    for (const std::string& line : lines) {
        write({room.left, top, room.right, top + pitch},
              {line, words.face, words.size, words.color});
        top += pitch;
    }
    return height;
}

std::string withoutTicks(std::string words) {
    std::erase(words, '`');
    return words;
}

namespace {

constexpr std::size_t mostOwnLines = 2;
constexpr float captionGap = 12;

/// The page's own words for `option`, as large as they are on two lines.
Words ownWords(const Canvas& canvas, const char* option, const std::string& said, float width) {
    const bool isTitle = option == std::string_view("--title");
    Words words{
        .words = said, .face = isTitle ? Face::strong : Face::words, .color = canvas.colors().text};
    const Typeface& face = Typeface::of(words.face);
    std::size_t at = 0;
    std::size_t letters = 0;
    for (const Glyph& glyph : face.glyphsOf(said)) {
        const std::string letter = said.substr(at, glyph.bytes);
        if (letter != "?" && glyph.index == face.glyphsOf("?").front().index) {
            throw InvalidRequest({{option, "'" + said + "'",
                                   "of letters that the font has: '" + letter + "' is none"}});
        }
        at += glyph.bytes;
        ++letters;
    }
    for (const float size : {size::title, 36.0F, 30.0F, size::launch, size::sentence}) {
        if (!isTitle && size > size::launch) continue;
        words.size = size;
        const std::vector<std::string> lines = canvas.linesOf(words, width);
        const bool fits = std::ranges::all_of(lines, [&](const std::string& line) {
            return canvas.textWidth()(line, words.face, size) <= width;
        });
        if (fits && lines.size() <= mostOwnLines) return words;
    }
    const float most = static_cast<float>(letters) * mostOwnLines * width / canvas.width(words);
    throw InvalidRequest({{option, counted(letters, "letter"),
                           "at most two lines of the figure, some " +
                               std::to_string(static_cast<int>(most / 10) * 10) + " of them"}});
}

}  // namespace

void requireRoomForWords(const Page& page) {
    Sheet sheet(page);
    (void)sheet.drawCaption(sheet.body);
}

Sheet::Sheet(const Page& page)
    : canvas(styleOf(page.theme), figureTextWidth()),
      page_(page),
      unit_(unitOf(page.size) * page.textSize) {
    const float width = static_cast<float>(page.size.width) / unit_;
    height = static_cast<float>(page.size.height) / unit_;
    const float margin = std::clamp(0.04F * std::min(width, height), 10.0F, 30.0F);
    body = {margin, margin, width - margin, height - margin};
    if (page.title.empty()) return;
    const Words words = ownWords(canvas, "--title", page.title, body.width());
    body.top += canvas.writeLines(body, words, mostOwnLines) + (height > 400 ? 8.0F : 3.0F);
}

float Sheet::drawCaption(const Box& room) {
    if (page_.caption.empty()) return room.bottom;
    const Words words = ownWords(canvas, "--caption", page_.caption, room.width());
    Box lines = room;
    lines.top = room.bottom -
                1.15F * words.size * static_cast<float>(canvas.linesOf(words, room.width()).size());
    canvas.writeLines({lines.left, lines.top, lines.right, lines.bottom + 1}, words, mostOwnLines);
    return lines.top - captionGap;
}

Picture Sheet::picture(std::string title) && {
    Picture picture{.size = page_.size,
                    .background = canvas.colors().background,
                    .title = page_.title.empty() ? std::move(title) : page_.title,
                    .items = canvas.take(),
                    .textSize = page_.textSize};
    enlarge(picture.items, unit_);
    return picture;
}

float drawProvenance(Canvas& canvas, const std::vector<std::string>& lines, const Box& room) {
    if (room.height() < 260) return room.bottom;
    const Rgb color = canvas.colors().muted;
    const std::string all = joined(lines, "   ·   ");
    const float top = room.bottom - size::smallest;
    if (canvas.write({room.left, top, room.right, room.bottom},
                     {all, Face::words, size::smallest, color})) {
        return top;
    }
    float next = top;
    for (const std::string& line : lines | std::views::reverse) {
        const std::vector<std::string> parts =
            canvas.linesOf({line, Face::words, size::smallest, color}, room.width());
        for (const std::string& part : parts | std::views::reverse) {
            canvas.writeShortened({room.left, next, room.right, next + size::smallest},
                                  {part, Face::words, size::smallest, color});
            next -= size::smallest * 1.2F;
        }
    }
    return next + size::smallest * 1.2F;
}

}  // namespace warplens::figure
