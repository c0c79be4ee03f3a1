#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/drawing/items.h"
#include "core/view/picture.h"

/// What a figure is drawn on.
namespace warplens::figure {

/// Pixels of a PNG, points of a PDF, user units of an SVG.
struct PageSize final {
    int width = 1280;
    int height = 720;
    friend constexpr bool operator==(const PageSize&, const PageSize&) = default;
};
inline constexpr int smallestSide = 200;
inline constexpr int largestSide = 10000;

struct Page final {
    PageSize size;
    Theme theme = Theme::light;
    std::string title{};    ///< in place of the figure's own, or over a pair; empty: its own
    std::string caption{};  ///< a sentence below the picture; empty: none
    float textSize = 1;     ///< of all that is drawn; the picture has so much less room
    friend constexpr bool operator==(const Page&, const Page&) = default;
};

enum class Format : std::uint8_t { pdf, svg, png };

/// Reads `1280x720`. Throws InvalidRequest for anything else and for sides out of bounds.
[[nodiscard]] PageSize pageSizeFrom(std::string_view text);
/// The same within other bounds, which `limits` tells.
[[nodiscard]] PageSize sizeFrom(std::string_view text, PageSize least, PageSize most,
                                const std::string& limits);
/// Reads `light`, `dark` or `print`. Throws InvalidRequest.
[[nodiscard]] Theme themeFrom(std::string_view text);
/// The page in options of the command line, each after a blank; what is usual is left out.
[[nodiscard]] std::string toOptions(const Page& page);
/// Throws InvalidRequest where the title or the caption has a letter that the font has not, or is
/// longer than two lines of the page.
void requireRoomForWords(const Page& page);
/// The format that the path's extension names. Throws InvalidRequest when it names none.
[[nodiscard]] Format formatOf(const std::filesystem::path& path);

/// How a figure looks. Lengths and text sizes are in the units that a figure is composed in: 1280 x
/// 720 of them are a slide of 13.33 x 7.5 inches, so that a unit is 3/4 point there.
struct Style final {
    drawing::ColorRoles colors;
    bool print = false;
    /// Two colours for two things, told apart in grey as well.
    Rgb first = 0;
    Rgb second = 0;
    Rgb third = 0;
    Rgb fourth = 0;
};

[[nodiscard]] const Style& styleOf(Theme theme);

/// The sizes of text, as lines from ascender to descender: Inter's em is 1/1.21 of it, JetBrains
/// Mono's 1/1.32. The smallest are 12 point on a slide of 13.33 x 7.5 inches, 1/45 of its height.
namespace size {
inline constexpr float title = 44;
inline constexpr float statement = 28;
inline constexpr float launch = 26;
inline constexpr float value = 34;
inline constexpr float sentence = 22;
inline constexpr float name = 21.4F;
inline constexpr float smallest = 19.4F;
inline constexpr float smallestNumber = 21.4F;  ///< the mono face's em is smaller
inline constexpr float code = 28.2F;            ///< 16 point there: what a last row can read
}  // namespace size

/// Pixels or points of the page for one of the units that figures are composed in (style.h): as
/// many as let 1280 x 720 fit on the page, and never so few that text would be too small to read.
[[nodiscard]] float unitOf(PageSize page);

/// Brings the edges of fills to whole pixels: of less than one between two, a grid's line, one
/// stays free, and none between those that touch.
void snapFills(drawing::Items& items);

/// Items in units as items in pixels or points.
void enlarge(drawing::Items& items, float unit);

/// Items somewhere else.
void move(drawing::Items& items, Point by);

}  // namespace warplens::figure
