#include "app/cli/output.h"

#include <cerrno>
#include <iostream>
#include <system_error>
#include <unistd.h>

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

}  // namespace warplens
