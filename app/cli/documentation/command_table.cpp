#include "app/cli/documentation/command_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::size_t helpColumn = 26;

OptionRow rowOf(const CLI::Option& option) {
    OptionRow row{.names = {},
                  .takes = option.get_items_expected_max() == 0 ? "" : option.get_type_name(),
                  .help = option.get_description(),
                  .initial = option.get_default_str(),
                  .required = option.get_required()};
    for (const std::string& name : option.get_snames()) row.names.push_back('-' + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    if (row.names.empty() && row.takes.empty()) row.takes = option.get_name();
    return row;
}

CommandRow rowOf(const CLI::App& app, std::string name) {
    CommandRow row{.name = std::move(name),
                   .help = app.get_description(),
                   .footer = app.get_footer(),
                   .options = {}};
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) row.options.push_back(rowOf(*option));
    }
    std::ranges::stable_partition(row.options, &OptionRow::isPositional);
    return row;
}

/// The program's row for a command that the table leaves out.
const CommandRow& rowNamed(const std::vector<CommandRow>& table, const std::string& name) {
    const auto found = std::ranges::find(table, name, &CommandRow::name);
    return found == table.end() ? table.front() : *found;
}

constexpr std::size_t helpWidth = 96;

}  // namespace

std::vector<std::string> OptionRow::choices() const {
    std::vector<std::string> words;
    for (std::size_t at = 0; takes.find('|') != std::string::npos && at <= takes.size();) {
        const std::size_t end = std::min(takes.find('|', at), takes.size());
        words.push_back(takes.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::string OptionRow::form() const {
    if (isPositional()) return required ? takes : '[' + takes + ']';
    const std::string text = joined(names, ", ");
    return takes.empty() ? text : text + ' ' + takes;
}

std::string CommandRow::usage() const {
    std::string text = name.empty() ? "warplens" : "warplens " + name;
    for (const OptionRow& option : options) {
        if (option.isPositional()) text += ' ' + option.form();
    }
    for (const OptionRow& option : options) {
        if (!option.isPositional() && option.required) {
            text += ' ' + option.names.back() + ' ' + option.takes;
        }
    }
    return text + " [OPTIONS]";
}

std::vector<CommandRow> commandTable(const CLI::App& program) {
    std::vector<CommandRow> table{rowOf(program, "")};
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) table.push_back(rowOf(*command, command->get_name()));
    }
    return table;
}

std::string helpText(const std::vector<CommandRow>& table, const std::string& name) {
    const CommandRow& command = rowNamed(table, name);
    std::string text = "Usage: " + command.usage() + "\n\n" + wrapped(command.help, 0);
    if (command.name.empty()) {
        text = "Usage: warplens [SCENARIO] [OPTIONS]\n       warplens COMMAND [OPTIONS]\n\n" +
               wrapped(command.help, 0) + "\nCommands, each with its own --help:\n";
        for (const CommandRow& row : table) {
            if (!row.name.empty()) text += beside("  " + row.name, row.help, 14);
        }
    }
    text += "\nOptions:\n";
    for (const OptionRow& option : command.options) {
        const std::string initial =
            option.initial.empty() ? "" : "; " + option.initial + " if left out";
        text += beside("  " + option.form(), option.help + initial, helpColumn);
    }
    return command.footer.empty() ? text : text + '\n' + wrapped(command.footer, 0);
}

std::string wrapped(const std::string& words, std::size_t indent, const std::string& first) {
    std::string text;
    std::string margin = first;
    std::string line;
    const auto endLine = [&] {
        text += line.empty() ? "\n" : margin + line + '\n';
        line.clear();
        margin.assign(indent, ' ');
    };
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find_first_of(" \n", at), words.size());
        const std::string word = words.substr(at, end - at);
        if (!line.empty() && margin.size() + line.size() + 1 + word.size() > helpWidth) endLine();
        addWords(line, " ", word);
        if (end < words.size() && words[end] == '\n') endLine();
        at = end + 1;
    }
    if (!line.empty()) endLine();
    return text;
}

std::string wrapped(const std::string& words, std::size_t indent) {
    return wrapped(words, indent, std::string(indent, ' '));
}

std::string beside(const std::string& left, const std::string& words, std::size_t column) {
    if (left.size() + 2 > column) return left + '\n' + wrapped(words, column);
    return wrapped(words, column, left + std::string(column - left.size(), ' '));
}

}  // namespace warplens
