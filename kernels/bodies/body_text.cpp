#include "kernels/bodies/body_text.h"

#include <algorithm>
#include <string>

#include "embedded/warplens_bodies.h"

namespace warplens {

std::string_view bodyText(const Kernel& kernel) {
    const auto files = bodies::embeddedFiles();
    const auto found = std::ranges::find(files, kernel.bodyFile, &bodies::EmbeddedFile::name);
    return found == files.end() ? std::string_view() : found->bytes;
}

std::uint32_t markLine(const Kernel& kernel, std::string_view name) {
    const std::string_view text = bodyText(kernel);
    const std::size_t begin = text.find("KERNEL " + std::string(kernel.name) + '(');
    if (begin == std::string_view::npos) return 0;
    const std::size_t end = std::min(text.find("\nKERNEL ", begin), text.size());
    for (const char* const mark : {"BRANCH(", "WHILE("}) {
        const std::size_t at = text.find(mark + std::string(name) + ',', begin);
        if (at < end) {
            return 1 + static_cast<std::uint32_t>(
                           std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
        }
    }
    return 0;
}

}  // namespace warplens
