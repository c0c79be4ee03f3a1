#include "kernels/library/kernel_text.h"

#include <algorithm>

namespace warplens {
namespace {

std::vector<KernelLine> linesOfFile(std::string_view text) {
    std::vector<KernelLine> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back({static_cast<std::uint32_t>(lines.size() + 1), text.substr(0, end)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::vector<KernelLine> codeLines(const Kernel& kernel) {
    std::vector<KernelLine> lines = linesOfFile(kernel.text);
    const auto code = std::ranges::find_if(
        lines, [](const KernelLine& line) { return !line.text.starts_with("//"); });
    lines.erase(lines.begin(), code);
    return lines;
}

std::string_view sourceLine(const Kernel& kernel, std::uint32_t line) {
    const std::vector<KernelLine> lines = linesOfFile(kernel.text);
    if (line == 0 || line > lines.size()) return {};
    const std::string_view text = lines[line - 1].text;
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::uint32_t namedLine(const Kernel& kernel, std::string_view name) {
    const auto found = std::ranges::find(kernel.branches, name, &KernelBranch::name);
    return found == kernel.branches.end() ? 0 : found->line;
}

std::vector<LoopMark> loopMarks(const Kernel& kernel) {
    std::vector<LoopMark> marks;
    for (const KernelLoop& loop : kernel.loops) {
        marks.push_back({loop.variable, loop.line, loop.lastLine, false});
    }
    for (const KernelBranch& branch : kernel.branches) {
        const bool told = std::ranges::find(marks, branch.line, &LoopMark::line) != marks.end();
        if (branch.lastLine == 0 || told) continue;
        marks.push_back({branch.name, branch.line, branch.lastLine, true});
    }
    std::ranges::sort(marks, {}, &LoopMark::line);
    return marks;
}

}  // namespace warplens
