#include "app/cli/declare.h"
#include "app/cli/documentation/completions.h"

namespace warplens {
namespace {

/// Within single quotes, and with nothing that _arguments takes for its own.
std::string quotedForZsh(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\'') {
            result += "'\\''";
        } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
            result += std::string("\\") + c;
        } else {
            result += c;
        }
    }
    return result;
}

/// `:FILE:_files`: what it takes, and what completes that.
std::string zshValueOf(const OptionRow& option) {
    std::string action = " ";
    if (option.takes == value::file) action = "_files";
    if (option.takes == value::folder) action = "_files -/";
    if (option.takes == value::command) action = "_cmdstring";
    const std::vector<std::string> words = candidatesFor(option);
    if (option.takes == value::scenario) {
        action = "_warplens_scenarios";
    } else if (!words.empty() && words.front().ends_with('=')) {
        action = "compadd -S \"\" --";
        for (const std::string& word : words) action += ' ' + word;
    } else if (!words.empty()) {
        action = "(";
        for (const std::string& word : words) action += (action == "(" ? "" : " ") + word;
        action += ')';
    }
    return ':' + quotedForZsh(option.takes) + ':' + action;
}

std::string argumentsOf(const CommandRow& command) {
    std::string text = "_arguments -s";
    for (const OptionRow& option : command.options) {
        if (option.isPositional()) {
            text += " \\\n        '" + std::string(option.required ? "" : ":") +
                    zshValueOf(option) + "'";
            continue;
        }
        const bool again = option.takes == value::setting || option.takes == value::quantity;
        for (const std::string& name : option.names) {
            text += " \\\n        '" + std::string(again ? "*" : "") + name + '[' +
                    quotedForZsh(option.help) + ']' +
                    (option.takes.empty() ? "" : zshValueOf(option)) + "'";
        }
    }
    return text + "\n";
}

}  // namespace

std::string zshCompletion(const std::vector<CommandRow>& table) {
    std::string text = "#compdef warplens\n# Written by the program itself.\n\n";
    text += "_warplens_scenarios() {\n  compadd --";
    for (const std::string& word :
         candidatesFor({.names = {}, .takes = value::scenario, .help = {}, .initial = {}})) {
        text += ' ' + word;
    }
    text += "\n  _files -g '*.cu'\n}\n\n_warplens() {\n  local -a commands=(\n";
    for (const CommandRow& row : table) {
        if (!row.name.empty()) text += "    '" + row.name + ':' + quotedForZsh(row.help) + "'\n";
    }
    text += R"(  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
  fi
  case $words[2] in
)";
    for (const CommandRow& row : table) {
        if (row.name.empty()) continue;
        text += "    " + row.name + ")\n      shift words; ((CURRENT--))\n      " +
                argumentsOf(row) + "      ;;\n";
    }
    return text + "    *)\n      " + argumentsOf(table.front()) +
           R"(      ;;
  esac
}

# Loaded from a folder of functions this file is the function; else it is sourced.
if [[ $funcstack[1] == _warplens ]]; then
  _warplens "$@"
else
  compdef _warplens warplens
fi
)";
}

}  // namespace warplens
