#include "app/figure/changed_lines.h"

#include <algorithm>

#include "kernels/library/kernel_text.h"

namespace warplens::figure {
namespace {

constexpr std::size_t mostLines = 1000;

/// The line's code, each run of blanks as one; empty for braces alone.
std::string bareCode(std::string_view line) {
    line = line.substr(0, line.find("//"));
    std::string code;
    for (const char c : line) {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (!blank) {
            code += c;
        } else if (!code.empty() && code.back() != ' ') {
            code += ' ';
        }
    }
    while (!code.empty() && code.back() == ' ') code.pop_back();
    return code.find_first_not_of("{} ;") == std::string::npos ? std::string() : code;
}

void addLine(std::vector<CodeLine>& lines, std::uint32_t number, std::string_view text) {
    std::string code = bareCode(text);
    if (!code.empty() && lines.size() < mostLines)
        lines.push_back({number, std::move(code), std::string(text)});
}

/// Without the heads of kernels, which differ by their names.
std::vector<CodeLine> bodyOf(const Subject& subject) {
    std::vector<CodeLine> body;
    bool head = false;
    for (CodeLine& line : linesOf(subject)) {
        head = head || line.text.find("__global__") != std::string::npos;
        if (!head)
            body.push_back(std::move(line));
        else
            head = line.text.find('{') == std::string::npos;
    }
    return body;
}

}  // namespace

std::vector<CodeLine> linesOf(const Subject& subject) {
    std::vector<CodeLine> lines;
    if (subject.kernel.empty()) {
        for (const KernelLine& line : codeLines(kernelOf(subject.view.experiment))) {
            addLine(lines, line.line, line.text);
        }
        return lines;
    }
    std::string_view rest = subject.source;
    for (std::uint32_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        addLine(lines, number, rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

ChangedLines changedLines(const Subject& a, const Subject& b) {
    const std::vector<CodeLine> x = bodyOf(a);
    const std::vector<CodeLine> y = bodyOf(b);
    // common[i][j]: lines that x from i on and y from j on have in common.
    std::vector<std::vector<std::uint16_t>> common(x.size() + 1,
                                                   std::vector<std::uint16_t>(y.size() + 1));
    for (std::size_t i = x.size(); i-- > 0;) {
        for (std::size_t j = y.size(); j-- > 0;) {
            common[i][j] = x[i].text == y[j].text
                               ? static_cast<std::uint16_t>(common[i + 1][j + 1] + 1)
                               : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    ChangedLines changed;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < x.size() || j < y.size()) {
        if (i < x.size() && j < y.size() && x[i].text == y[j].text) {
            ++i;
            ++j;
        } else if (j == y.size() || (i < x.size() && common[i + 1][j] >= common[i][j + 1])) {
            changed.a.push_back(x[i++]);
        } else {
            changed.b.push_back(y[j++]);
        }
    }
    return changed;
}

}  // namespace warplens::figure
