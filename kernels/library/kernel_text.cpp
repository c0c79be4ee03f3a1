#include "kernels/library/kernel_text.h"

#include <algorithm>

#include "core/text/lines.h"

namespace warplens {
std::vector<KernelLine> codeLines(const Kernel& kernel) {
    std::vector<KernelLine> lines;
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(kernel.text)) {
        ++number;
        if (!lines.empty() || !line.starts_with("//")) lines.push_back({number, line});
    }
    return lines;
}

std::string_view sourceLine(const Kernel& kernel, std::uint32_t line) {
    const std::vector<std::string_view> lines = splitLines(kernel.text);
    if (line == 0 || line > lines.size()) return {};
    const std::string_view text = lines[line - 1];
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
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
