#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/subcommand.h"
#include "core/json/json.h"
#include "core/launch/launch.h"
#include "core/sweep/sweep.h"
#include "core/text/format.h"

namespace CLI {
class App;
}  // namespace CLI

/// What stands in a file that is about to be written, looked at before any work is done: nothing
/// that was measured is lost unasked, nor anything else that is not of the same kind.

namespace warplens {

/// The reader of standard output has gone, as `head` does; nothing is wrong.
class OutputClosed final : public std::exception {};

/// Standard output in large pieces, fit to be shown (core/text/encoding.h); each is whole
/// characters. Throws OutputClosed, or std::system_error when the output cannot be written for
/// another reason, a full disk say.
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

/// A result in the form that was asked for: as a document, as a table of numbers, or as text. Only
/// what is printed is made.
template <class MakeDocument, class MakeRows, class MakeText>
void printResult(bool json, const TableOptions& table, Document document, MakeDocument value,
                 MakeRows rows, MakeText text) {
    if (json) {
        printDocument(document, value());
    } else if (table.asked()) {
        printTable(rows(), table.csv);
    } else {
        print(text());
    }
}

/// Whether anything was written to standard output.
[[nodiscard]] bool outputBegun();

/// Writes `text` to standard error, each of its lines after `warplens: `, fit to be shown
/// (core/text/encoding.h).
void complain(std::string_view text);

/// Why a command could not do what was asked.
struct Trouble final {
    ExitCode code = ExitCode::failed;
    std::string message;                     ///< one or more lines
    std::vector<LimitViolation> problems{};  ///< of a request that is wrong: one for each line
    std::string advice{};                    ///< what to type next, for people
};

/// As Document::error.
void describe(Archive& v, Trouble& trouble);

/// The lines on standard error. Where `json` and nothing stands on standard output yet, there the
/// same as one object, Document::error.
void tell(const Trouble& trouble, bool json);

/// Rows of text in columns as wide as their widest cell that another follows, two blanks apart,
/// each row on its own line after `indent`. Rows may be shorter than others: a row's last cell is
/// not padded, and runs on over the columns that follow. A newline inside a cell is a blank.
[[nodiscard]] std::string toTable(std::vector<std::vector<std::string>> rows,
                                  const std::string& indent = "");

/// --force.
void addForceFlag(CLI::App& parser, bool& force);

/// Throws InvalidRequest for an `option` without a file, and CommandFailed for a file that cannot
/// be written, or cannot be made in its folder: better said before something that takes minutes. A
/// course's `recordings` folder is made where there is none yet.
void requireWritable(const char* option, const std::filesystem::path& file);

/// For a file that is to hold a measurement. Throws as `requireWritable`, and InvalidRequest where
/// it is a pipe or device, or holds anything and `force` was not given.
void requireNothingLost(const char* option, const std::filesystem::path& file, bool force);

/// The same for a file that is to hold `sweep`: predictions of the same sweep may be replaced.
void requireNothingLost(const char* option, const std::filesystem::path& file, const Sweep& sweep,
                        bool force);

/// For a file that is to hold a picture: a picture may be replaced by a picture, since the file was
/// named.
void requireNoneButPictureLost(const char* option, const std::filesystem::path& file, bool force);

}  // namespace warplens
