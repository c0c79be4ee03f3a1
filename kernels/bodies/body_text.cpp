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
    const auto files = bodies::embeddedFiles();
    const auto found = std::ranges::find(files, kernel.bodyFile, &bodies::EmbeddedFile::name);
    return found == files.end() ? std::string_view() : found->bytes;
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

std::string_view sourceLine(const Kernel& kernel, std::uint32_t line) {
    std::string_view text = bodyText(kernel);
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::vector<LoopMark> loopMarks(const Kernel& kernel) {
    const std::string_view text = bodyText(kernel);
    const auto [begin, end] = partOf(kernel, text);
    std::vector<LoopMark> marks;
    if (begin == std::string_view::npos) return marks;
    for (const std::string_view word : {"ROUND(", "WHILE("}) {
        for (std::size_t at = text.find(word, begin); at < end; at = text.find(word, at + 1)) {
            const std::size_t name = at + word.size();
            const bool counted = word.starts_with('W');
            const std::size_t inside = counted ? text.find('{', name) + 1 : name;
            marks.push_back({text.substr(name, text.find_first_of(",)", name) - name),
                             lineOf(text, at), lineOf(text, closing(text, inside)), counted});
        }
    }
    std::ranges::sort(marks, {}, &LoopMark::line);
    return marks;
}

}  // namespace warplens
