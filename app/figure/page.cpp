#include "app/figure/page.h"

#include <charconv>
#include <cmath>
#include <iterator>
#include <set>

#include "core/launch/launch.h"

namespace warplens::figure {
namespace {

constexpr Style light{.colors = {.background = 0xffffff,
                                 .raised = 0xf0f3f6,
                                 .text = 0x12171d,
                                 .muted = 0x414c57,
                                 .faint = 0x6f7b87,
                                 .accent = 0x0b63ce,
                                 .good = 0x0a7a5c,
                                 .warning = 0x9a5b00,
                                 .bad = 0xb3261e},
                      .print = false,
                      .first = 0x3f7fd0,
                      .second = 0xf4bc4c,
                      .third = 0x6fc8b4,
                      .fourth = 0xc65b4a};

constexpr Style dark{.colors = {.background = 0x0e1116,
                                .raised = 0x212831,
                                .text = 0xf2f6fa,
                                .muted = 0xb9c4cf,
                                .faint = 0x8795a3,
                                .accent = 0x6cb0ff,
                                .good = 0x58c9b0,
                                .warning = 0xf2b13c,
                                .bad = 0xff7a70},
                     .print = false,
                     .first = 0x4a8fe8,
                     .second = 0xf2c14e,
                     .third = 0x58c9b0,
                     .fourth = 0xe0705c};

/// No grey tone is needed to tell things apart: shades are far from one another, and hatched.
constexpr Style print{.colors = {.background = 0xffffff,
                                 .raised = 0xececec,
                                 .text = 0x000000,
                                 .muted = 0x262626,
                                 .faint = 0x555555,
                                 .accent = 0x000000,
                                 .warning = 0x000000},
                      .print = true,
                      .first = 0x5f6b78,
                      .second = 0xd9dde1,
                      .third = 0xa9b2bb,
                      .fourth = 0x23282d};

constexpr float smallestUnit = 0.7F;

/// Changes every point of an item, the corners of its box among them.
void changePoints(auto& item, auto changed) {
    if constexpr (requires { item.box; }) {
        const Point low = changed(Point{item.box.left, item.box.top});
        const Point high = changed(Point{item.box.right, item.box.bottom});
        item.box = {low.x, low.y, high.x, high.y};
    }
    if constexpr (requires { item.at; }) item.at = changed(item.at);
    if constexpr (requires { item.from; }) {
        item.from = changed(item.from);
        item.to = changed(item.to);
    }
    if constexpr (requires { item.corners; }) {
        for (Point& corner : item.corners) corner = changed(corner);
    }
}

}  // namespace

PageSize sizeFrom(std::string_view text, PageSize least, PageSize most, const std::string& limits) {
    PageSize size{0, 0};
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool separated = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
    const auto height = std::from_chars(separated ? width.ptr + 1 : end, end, size.height);
    const bool within = size.width >= least.width && size.width <= most.width &&
                        size.height >= least.height && size.height <= most.height;
    if (!separated || height.ec != std::errc{} || height.ptr != end || !within) {
        throw InvalidRequest({{"--size", "'" + std::string(text) + "'", "WIDTHxHEIGHT" + limits}});
    }
    return size;
}

PageSize pageSizeFrom(std::string_view text) {
    return sizeFrom(
        text, {smallestSide, smallestSide}, {largestSide, largestSide},
        ", each from " + std::to_string(smallestSide) + " to " + std::to_string(largestSide));
}

Theme themeFrom(std::string_view text) {
    if (const auto theme = fromWord<Theme>(text)) return *theme;
    throw InvalidRequest({{"theme", "'" + std::string(text) + "'", "one of light dark print"}});
}

std::string toOptions(const Page& page) {
    std::string options;
    if (page.size != PageSize{}) {
        options +=
            " --size " + std::to_string(page.size.width) + 'x' + std::to_string(page.size.height);
    }
    if (page.theme != Theme::light) {
        options += " --theme " + std::string(toString(page.theme));
    }
    const auto quoted = [&](const char* option, const std::string& words) {
        if (words.empty()) return;
        options += std::string(option) + " '";
        for (const char c : words) options += c == '\'' ? std::string("'\\''") : std::string(1, c);
        options += '\'';
    };
    if (page.textSize != 1) options += " --text-size " + plainNumber(page.textSize);
    quoted(" --title", page.title);
    quoted(" --caption", page.caption);
    return options;
}

Format formatOf(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (extension == ".pdf") return Format::pdf;
    if (extension == ".svg") return Format::svg;
    if (extension == ".png") return Format::png;
    throw InvalidRequest(
        {{"--output", "'" + path.string() + "'", "a file whose name ends in .pdf, .svg or .png"}});
}

const Style& styleOf(Theme theme) {
    switch (theme) {
        case Theme::light:
            return light;
        case Theme::dark:
            return dark;
        case Theme::print:
            break;
    }
    return print;
}

float unitOf(PageSize page) {
    return std::max(smallestUnit, std::min(static_cast<float>(page.width) / 1280,
                                           static_cast<float>(page.height) / 720));
}

void snapFills(drawing::Items& items) {
    const auto snap = [&](float drawing::Box::*first, float drawing::Box::*last) {
        std::set<float> ends;
        for (const drawing::Item& item : items) {
            if (const auto* const fill = std::get_if<drawing::Fill>(&item))
                ends.insert(fill->box.*last);
        }
        constexpr float touching = 0.05F;
        for (drawing::Item& item : items) {
            auto* const fill = std::get_if<drawing::Fill>(&item);
            if (fill == nullptr) continue;
            float& begin = fill->box.*first;
            const auto next = ends.upper_bound(begin - touching);
            const bool isBeside = next != ends.begin() && begin - *std::prev(next) < 1;
            const bool isTouched = next != ends.end() && *next < begin + touching;
            const float free = isBeside && !isTouched ? std::round(*std::prev(next)) + 1 : 0;
            begin = std::max(std::round(begin), free);
            fill->box.*last = std::max(begin + 1, std::round(fill->box.*last));
        }
    };
    snap(&drawing::Box::left, &drawing::Box::right);
    snap(&drawing::Box::top, &drawing::Box::bottom);
}

void enlarge(drawing::Items& items, float unit) {
    const auto enlarged = [&](auto& item) {
        changePoints(item, [&](Point p) { return Point{p.x * unit, p.y * unit}; });
        if constexpr (requires { item.spacing; }) item.spacing *= unit;
        if constexpr (requires { item.width; }) item.width *= unit;
        if constexpr (requires { item.edgeWidth; }) item.edgeWidth *= unit;
        if constexpr (requires { item.radius; }) item.radius *= unit;
        if constexpr (requires { item.size; }) item.size *= unit;
    };
    for (drawing::Item& item : items) std::visit(enlarged, item);
}

void move(drawing::Items& items, Point by) {
    const auto moved = [&](auto& item) {
        changePoints(item, [&](Point p) { return Point{p.x + by.x, p.y + by.y}; });
    };
    for (drawing::Item& item : items) std::visit(moved, item);
}

}  // namespace warplens::figure
