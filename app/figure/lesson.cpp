#include <limits>

#include "app/figure/compose.h"

namespace warplens::figure {
namespace {

constexpr float band = 104;  ///< below the picture of a lesson
constexpr float paragraphGap = 0.5F;

/// The paragraphs from the top of the room on; false, and some not drawn, where they do not fit.
bool writeParagraphs(Canvas& canvas, const LessonWords& words, Box room, float size) {
    constexpr int anyNumber = 1000;
    for (const std::string& paragraph : words.says) {
        const float taken = canvas.writeLines(
            room, {withoutTicks(paragraph), Face::words, size, canvas.colors().text}, anyNumber);
        if (taken == 0) return false;
        room.top += taken + paragraphGap * size;
    }
    return true;
}

void writeLargest(Canvas& canvas, const LessonWords& words, const Box& room, float most) {
    float size = most;
    const auto fits = [&] {
        Canvas trial(canvas.style(), canvas.textWidth());
        return writeParagraphs(trial, words, room, size);
    };
    while (size > size::smallest && !fits()) size = std::max(size::smallest, 0.94F * size);
    writeParagraphs(canvas, words, room, size);
}

/// As high as lets the words be as large as most steps' are, but for a share of the page: what
/// stands above becomes smaller.
float bandFor(const LessonWords& words, const Page& page) {
    constexpr float size = 24;
    constexpr float most = 0.29F;
    const Sheet sheet(page);
    float high = 8 + size::name + 6 + 8;
    for (const std::string& paragraph : words.says) {
        const Words text{withoutTicks(paragraph), Face::words, size, 0};
        const auto lines = sheet.canvas.linesOf(text, sheet.body.width()).size();
        high += size * (1.15F * static_cast<float>(lines) + paragraphGap);
    }
    return std::clamp(high, band, most * sheet.height);
}

}  // namespace

Picture composeWords(const Subject& subject, bool codeAlone, const LessonWords& words,
                     const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    Box room = sheet.body;
    canvas.writeShortened({room.left, room.top, room.right, room.top + size::title},
                          {words.title, Face::strong, size::title, canvas.colors().text});
    canvas.writeShortened({room.left, room.bottom - size::name, room.right, room.bottom},
                          {words.place, Face::words, size::name, canvas.colors().muted}, 1);
    room.top += 1.6F * size::title;
    room.bottom -= 2 * size::name;
    const float middle = room.left + 0.46F * room.width();
    writeLargest(canvas, words, {room.left, room.top, middle - 24, room.bottom}, size::title);
    Box picture{middle + 24, room.top, room.right, room.bottom};
    picture.top +=
        12 + canvas.writeLines(picture,
                               {words.launch, Face::words, size::name, canvas.colors().muted}, 2);
    if (codeAlone) {
        drawKernelCode(canvas, subject, std::numeric_limits<std::uint32_t>::max(), picture);
    } else {
        drawKind(canvas, subject, picture);
    }
    return std::move(sheet).picture(words.title);
}

Picture composeLesson(const Subject& subject, const LessonWords& words, const Page& page,
                      const Subject* against) {
    const float high = bandFor(words, page);
    const Page above{{page.size.width,
                      std::max(1, page.size.height - static_cast<int>(high * unitOf(page.size)))},
                     page.theme};
    Picture picture =
        against != nullptr ? composePair(*against, subject, above) : compose(subject, above);
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    const drawing::ColorRoles& colors = canvas.colors();
    Box room{sheet.body.left, sheet.height - high, sheet.body.right, sheet.height - 8};
    canvas.line({room.left, room.top}, {room.right, room.top}, colors.faint);
    room.top += 8;
    const Words place{words.place + " · " + words.title, Face::words, size::smallest, colors.muted};
    const Box line{room.left, room.top, room.right, room.top + size::name};
    canvas.writeShortened(line, place, 1);
    const std::vector<CodeLine> all = linesOf(subject);
    const std::vector<std::uint32_t> shown =
        against != nullptr ? std::vector<std::uint32_t>() : linesShown(subject);
    const auto code =
        shown.size() != 1 ? all.end() : std::ranges::find(all, shown.front(), &CodeLine::number);
    if (code != all.end())
        canvas.writeShortened(
            {line.left, line.top, line.right - canvas.width(place) - 24, line.bottom},
            {"line " + std::to_string(code->number) + ":  " + code->text, Face::numbers, size::name,
             colors.text});
    room.top = line.bottom + 6;
    writeLargest(canvas, words, room, size::statement);
    Picture lesson = std::move(sheet).picture(words.title);
    std::ranges::move(lesson.items, std::back_inserter(picture.items));
    picture.size = page.size;
    return picture;
}

}  // namespace warplens::figure
