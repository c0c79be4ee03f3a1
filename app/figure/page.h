#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/view/words.h"

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
/// The format that the path's extension names. Throws InvalidRequest when it names none.
[[nodiscard]] Format formatOf(const std::filesystem::path& path);

}  // namespace warplens::figure
