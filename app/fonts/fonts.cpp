#include "app/fonts/fonts.h"

#include "embedded/warplens_fonts.h"

namespace warplens {

std::string_view fontFile(drawing::Face face) {
    // In the order in which CMakeLists.txt embeds them, which is that of the faces.
    return fonts::embedded::embeddedFiles()[static_cast<std::size_t>(face)].bytes;
}

}  // namespace warplens
