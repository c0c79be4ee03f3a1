#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {

class App;

}  // namespace CLI

/// The command line as its parser knows it. Help, man page and completions are written from this,
/// and from nothing else.

namespace warplens {

/// An option, or what stands for itself.
struct OptionRow final {
    std::vector<std::string> names;  ///< `-o`, `--output`; empty for what stands for itself
    std::string takes;               ///< `FILE`, `dark|light`; empty for a flag
    std::string help;
    std::string initial;  ///< what holds where it is left out, if that is one value
    bool required = false;

    [[nodiscard]] bool isPositional() const { return names.empty(); }
    /// `FILE` of `-o,--output FILE`; for a choice its words.
    [[nodiscard]] std::vector<std::string> choices() const;
    /// `-o, --output FILE`, `[SCENARIO]`.
    [[nodiscard]] std::string form() const;
};

struct CommandRow final {
    std::string name;  ///< `map`; empty for the program itself
    std::string help;
    std::string footer;
    std::vector<OptionRow> options;  ///< what stands for itself first

    /// `warplens map SCENARIO [OPTIONS]`.
    [[nodiscard]] std::string usage() const;
};

/// The program itself, then its commands. Commands and options without a group are not told of.
[[nodiscard]] std::vector<CommandRow> commandTable(const CLI::App& program);

/// What `--help` prints of the command of that name, empty for the program itself, which lists the
/// commands too.
[[nodiscard]] std::string helpText(const std::vector<CommandRow>& table, const std::string& name);

/// The words in lines of at most 96 bytes, the first after `first`, the others after `indent`
/// blanks. Their own line breaks stay.
[[nodiscard]] std::string wrapped(const std::string& words, std::size_t indent,
                                  const std::string& first);
/// The same with all lines alike.
[[nodiscard]] std::string wrapped(const std::string& words, std::size_t indent);

/// `left`, and from the column on the words; on lines of their own where `left` reaches beyond it.
[[nodiscard]] std::string beside(const std::string& left, const std::string& words,
                                 std::size_t column);

}  // namespace warplens

/// What shells complete: commands, options, the words of a choice, files, and the names of
/// scenarios, lessons, sizes, quantities and compute capabilities.

namespace warplens {

/// The words that may stand for what an option takes; none where that is anything, or a file.
[[nodiscard]] std::vector<std::string> candidatesFor(const OptionRow& option);

[[nodiscard]] std::string bashCompletion(const std::vector<CommandRow>& table);
[[nodiscard]] std::string zshCompletion(const std::vector<CommandRow>& table);
[[nodiscard]] std::string fishCompletion(const std::vector<CommandRow>& table);

}  // namespace warplens
