#include "app/cli/output.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>
#include <unistd.h>

#include "core/json/archive.h"
#include "core/text/lines.h"
#include "core/text/sanitized.h"

namespace warplens {
namespace {

constexpr std::size_t pieceSize = 1u << 16;

bool begun = false;

}  // namespace

void Output::write(std::string_view text) {
    buffer_ += sanitizedWhole(text);
    if (buffer_.size() >= pieceSize) flush();
}

void Output::flush() {
    std::string_view text = buffer_;
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EPIPE) throw OutputClosed();
        if (count < 0) {
            throw std::system_error(errno, std::generic_category(), "cannot write the output");
        }
        begun = begun || count > 0;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    buffer_.clear();
}

void print(std::string_view text) {
    Output output;
    output.write(text);
    output.flush();
}

void printTable(const TextRows& rows, bool csv) {
    print(csv ? toCsv(rows) : toMarkdown(rows));
}

bool outputBegun() {
    return begun;
}

void complain(std::string_view text) {
    std::string lines;
    for (const std::string_view line : splitLines(text)) {
        lines += "warplens: " + sanitized(line) + '\n';
    }
    std::cerr << lines << std::flush;
}

void describe(Archive& v, Trouble& trouble) {
    describeVersion(v);
    auto code = static_cast<int>(trouble.code);
    v("exit_code", code, "1: failed; 2: the request is wrong; 3: not possible on this machine.",
      {.least = 1, .most = 3});
    v("message", trouble.message, "One or more lines, as on standard error.", {.notEmpty = true});
    v("problems", trouble.problems, "Of a wrong request, one for each line; else empty.");
}

void tell(const Trouble& trouble, bool json) {
    complain(trouble.message);
    if (!trouble.advice.empty()) complain(trouble.advice);
    if (json && !outputBegun()) printDocument(Document::error, trouble);
}

namespace {

/// Characters of UTF-8 text.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string toTable(std::vector<std::vector<std::string>> rows, const std::string& indent) {
    for (auto& row : rows) {
        for (std::string& cell : row) std::ranges::replace(cell, '\n', ' ');
    }
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line = indent;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line += std::string(widths[i] - width(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace warplens
