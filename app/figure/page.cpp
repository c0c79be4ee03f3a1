#include "app/figure/page.h"

#include <algorithm>
#include <charconv>

#include "core/launch/limit_violation.h"

namespace warplens::figure {

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

}  // namespace warplens::figure
