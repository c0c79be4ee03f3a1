#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/text/delimited.h"

namespace warplens {

/// The reader of standard output has gone, as `head` does; nothing is wrong.
class OutputClosed final : public std::exception {};

/// Standard output in large pieces, fit to be shown (sanitized.h); each is whole characters. Throws
/// OutputClosed, or std::system_error when the output cannot be written for another reason, a full
/// disk say.
class Output final {
  public:
    void write(std::string_view text);
    /// Must be called at the end: what is left is written here.
    void flush();

  private:
    std::string buffer_;
};

/// Writes all of `text` at once.
void print(std::string_view text);

/// Writes one JSON object, which says in its first member what it is, and ends its line.
template <class T>
void printDocument(Document document, const T& value) {
    print(toDocument(document, value) + '\n');
}

/// Writes a table as CSV, or as Markdown.
void printTable(const TextRows& rows, bool csv);

/// Whether anything was written to standard output.
[[nodiscard]] bool outputBegun();

/// Writes `text` to standard error, each of its lines after `warplens: `, fit to be shown
/// (sanitized.h).
void complain(std::string_view text);

}  // namespace warplens
