#include "app/window/png.h"

#include <stb_image_write.h>
#include <stdexcept>

namespace warplens::window {

std::string toPng(std::span<const unsigned char> pixels, int width, int height) {
    std::string file;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                                   static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &file, width, height, 3, pixels.data(), width * 3) == 0) {
        throw std::runtime_error("the picture could not be packed as PNG");
    }
    return file;
}

}  // namespace warplens::window
