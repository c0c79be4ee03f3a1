#include <cairo.h>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include "app/icon/icon.h"
#include "core/text/atomic_file.h"

// warplens-icons FOLDER SIDE...: writes the icon as files into the folders of an icon theme.
namespace warplens::icon {
namespace {

int sideFrom(std::string_view text) {
    int side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    if (error != std::errc() || end != text.data() + text.size() || side < 16 || side > 1024) {
        throw std::runtime_error("side = '" + std::string(text) + "': a number from 16 to 1024");
    }
    return side;
}

void writePng(const Pixels& picture, const std::filesystem::path& path) {
    cairo_surface_t* const surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, picture.side, picture.side);
    unsigned char* const rows = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < picture.side; ++y) {
        for (int x = 0; x < picture.side; ++x) {
            const std::uint8_t* const from =
                &picture.bytes[static_cast<std::size_t>((y * picture.side + x) * 4)];
            const auto multiplied = [&](int channel) {
                return (from[channel] * std::uint32_t{from[3]} + 127) / 255;
            };
            const std::uint32_t pixel = std::uint32_t{from[3]} << 24 | multiplied(0) << 16 |
                                        multiplied(1) << 8 | multiplied(2);
            std::memcpy(rows + y * stride + x * 4, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface);
    const cairo_status_t status = cairo_surface_write_to_png(surface, path.c_str());
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(path.string() + ": " + cairo_status_to_string(status));
    }
}

std::filesystem::path folderOf(const std::filesystem::path& icons, const std::string& size) {
    const std::filesystem::path folder = icons / "hicolor" / size / "apps";
    std::filesystem::create_directories(folder);
    return folder;
}

}  // namespace
}  // namespace warplens::icon

int main(int argumentCount, char** arguments) {
    using namespace warplens;
    if (argumentCount < 2) {
        std::cerr << "warplens-icons FOLDER SIDE...\n";
        return 2;
    }
    try {
        const std::filesystem::path icons = arguments[1];
        writeFileAtomically(icon::folderOf(icons, "scalable") / "warplens.svg", icon::toSvg());
        for (int i = 2; i < argumentCount; ++i) {
            const int side = icon::sideFrom(arguments[i]);
            const std::string size = std::to_string(side) + 'x' + std::to_string(side);
            icon::writePng(icon::pixels(side), icon::folderOf(icons, size) / "warplens.png");
        }
    } catch (const std::exception& error) {
        std::cerr << "warplens-icons: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
