#include "app/cli/declare.h"
#include "app/cli/documentation/completions.h"

namespace warplens {
namespace {

std::string quotedForFish(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

std::string spaced(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// `-r` and what completes the value.
std::string fishValueOf(const OptionRow& option) {
    if (option.takes.empty()) return "";
    if (option.takes == value::file) return " -r -F";
    if (option.takes == value::folder) return " -x -a '(__fish_complete_directories)'";
    if (option.takes == value::command) return " -x -a '(__fish_complete_command)'";
    const std::vector<std::string> words = candidatesFor(option);
    return words.empty() ? " -x" : " -x -a " + quotedForFish(spaced(words));
}

std::string fishLinesOf(const CommandRow& command, const std::string& condition) {
    const std::string begin = "complete -c warplens -n " + quotedForFish(condition);
    std::string text;
    for (const OptionRow& option : command.options) {
        if (option.isPositional()) {
            const std::string words = spaced(candidatesFor(option));
            if (!words.empty()) text += begin + " -a " + quotedForFish(words) + '\n';
            if (option.takes == value::scenario) {
                text += begin + " -a '(for file in *.cu; echo $file; end)'\n";
            }
            continue;
        }
        text += begin;
        for (const std::string& name : option.names) {
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        }
        text += fishValueOf(option) + " -d " + quotedForFish(option.help) + '\n';
    }
    return text;
}

}  // namespace

std::string fishCompletion(const std::vector<CommandRow>& table) {
    std::string text = "# fish completion for warplens, written by the program itself.\n";
    std::string commands;
    for (const CommandRow& row : table) {
        if (!row.name.empty()) commands += ' ' + row.name;
    }
    const std::string none = "not __fish_seen_subcommand_from" + commands;
    text += "complete -c warplens -f\n";
    for (const CommandRow& row : table) {
        if (row.name.empty()) continue;
        text += "complete -c warplens -n '__fish_use_subcommand' -a " + row.name + " -d " +
                quotedForFish(row.help) + '\n';
    }
    text += fishLinesOf(table.front(), none);
    for (const CommandRow& row : table) {
        if (!row.name.empty()) text += fishLinesOf(row, "__fish_seen_subcommand_from " + row.name);
    }
    return text;
}

}  // namespace warplens
