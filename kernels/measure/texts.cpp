#include "kernels/measure/texts.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "embedded/warplens_measure.h"

namespace warplens {

std::string_view measureText(std::string_view name) {
    const auto files = measure_texts::embeddedFiles();
    const auto found = std::ranges::find(files, name, &measure_texts::EmbeddedFile::name);
    if (found == files.end()) throw std::logic_error("no text " + std::string(name));
    return found->bytes;
}

}  // namespace warplens
