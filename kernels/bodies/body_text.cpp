#include "kernels/bodies/body_text.h"

#include <algorithm>
#include <string>

#include "core/text/digest.h"

#include "embedded/warplens_bodies.h"

namespace warplens {
namespace {

/// The kernel's own part of its body file, as places in it.
struct KernelPart final {
    std::size_t begin = std::string_view::npos;  ///< npos: there is none
    std::size_t end = 0;
};

KernelPart partOf(const Kernel& kernel, std::string_view text) {
    const std::size_t begin = text.find("KERNEL " + std::string(kernel.name) + '(');
    if (begin == std::string_view::npos) return {};
    return {begin, std::min(text.find("\nKERNEL ", begin), text.size())};
}

std::uint32_t lineOf(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::uint32_t>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Where the braces that are open at `at` close.
std::size_t closing(std::string_view text, std::size_t at) {
    for (int depth = 0; at < text.size(); ++at) {
        if (text[at] == '{') ++depth;
        if (text[at] == '}' && depth-- == 0) return at;
    }
    return text.size();
}

}  // namespace

std::string_view bodyText(const Kernel& kernel) {
    for (const bodies::EmbeddedFile& file : bodies::embeddedFiles()) {
        if (partOf(kernel, file.bytes).begin != std::string_view::npos) return file.bytes;
    }
    return {};
}

std::string kernelDigest(const Kernel& kernel) {
    const std::string_view text = bodyText(kernel);
    const auto [begin, end] = partOf(kernel, text);
    if (begin == std::string_view::npos) return {};
    const std::size_t body = text.find('{', begin) + 1;
    std::string code;
    for (std::size_t at = begin; at < std::min(closing(text, body) + 1, end); ++at) {
        if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), end - 1);
        if (text[at] != ' ' && text[at] != '\n') code += text[at];
    }
    return digestOf(code);
}

std::uint32_t markLine(const Kernel& kernel, std::string_view name) {
    const std::string_view text = bodyText(kernel);
    const auto [begin, end] = partOf(kernel, text);
    if (begin == std::string_view::npos) return 0;
    for (const char* const mark : {"BRANCH(", "WHILE("}) {
        const std::size_t at = text.find(mark + std::string(name) + ',', begin);
        if (at < end) return lineOf(text, at);
    }
    return 0;
}

}  // namespace warplens
