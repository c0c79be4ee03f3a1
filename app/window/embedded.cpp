#include "app/window/embedded.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "embedded/warplens_window.h"

namespace warplens::window {

std::string_view embeddedFile(std::string_view name) {
    const auto files = embedded::embeddedFiles();
    const auto found = std::ranges::find(files, name, &embedded::EmbeddedFile::name);
    if (found == files.end()) throw std::logic_error("not embedded: " + std::string(name));
    return found->bytes;
}

}  // namespace warplens::window
