#include "tests/gl/picture.h"

#include <algorithm>
#include <cairo.h>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace warplens::tests {

Picture readPicture(const std::string& file) {
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy);
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error("no PNG: " + file);
    }
    Picture picture{.width = cairo_image_surface_get_width(surface.get()),
                    .height = cairo_image_surface_get_height(surface.get()),
                    .pixels = {}};
    const unsigned char* const data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            std::uint32_t pixel = 0;
            std::copy_n(data + y * stride + 4 * x, 4, reinterpret_cast<unsigned char*>(&pixel));
            for (const int shift : {16, 8, 0}) {
                picture.pixels.push_back(static_cast<unsigned char>(pixel >> shift));
            }
        }
    }
    return picture;
}

Picture smaller(const Picture& picture, int factor) {
    Picture result{picture.width / factor, picture.height / factor, {}};
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < 3 * result.width; ++x) {
            int sum = 0;
            for (int row = 0; row < factor; ++row) {
                for (int column = 0; column < factor; ++column) {
                    const int from = (x / 3 * factor + column) * 3 + x % 3;
                    sum += picture.pixels.at(
                        static_cast<std::size_t>((y * factor + row) * picture.width * 3 + from));
                }
            }
            const int count = factor * factor;
            result.pixels.push_back(static_cast<unsigned char>((sum + count / 2) / count));
        }
    }
    return result;
}

Difference differenceOf(const Picture& a, const Picture& b) {
    if (a.width != b.width || a.height != b.height) {
        throw std::runtime_error("pictures of two sizes");
    }
    double sum = 0;
    std::size_t far = 0;
    const std::size_t pixels = a.pixels.size() / 3;
    for (std::size_t i = 0; i < pixels; ++i) {
        int most = 0;
        for (std::size_t channel = 3 * i; channel < 3 * i + 3; ++channel) {
            most = std::max(most, std::abs(a.pixels[channel] - b.pixels[channel]));
        }
        sum += most;
        far += most > farApart ? 1 : 0;
    }
    const auto count = static_cast<double>(pixels);
    return {sum / count, 100 * static_cast<double>(far) / count};
}

}  // namespace warplens::tests
