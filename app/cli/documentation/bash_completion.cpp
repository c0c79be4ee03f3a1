#include "app/cli/declare.h"
#include "app/cli/documentation/completions.h"

namespace warplens {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

/// What completes the value of an option.
std::string replyFor(const OptionRow& option) {
    if (option.takes == value::file) return "_warplens_files -f";
    if (option.takes == value::folder) return "_warplens_files -d";
    if (option.takes == value::command) return "_warplens_files -c";
    const std::vector<std::string> words = candidatesFor(option);
    return words.empty() ? "return" : "_warplens_words '" + joined(words, " ") + "'";
}

std::string bodyOf(const CommandRow& command, const std::vector<CommandRow>& table) {
    std::string text = "      case $previous in\n";
    std::vector<std::string> names;
    std::string positional;
    std::string files;
    for (const OptionRow& option : command.options) {
        if (option.isPositional()) positional += joined(candidatesFor(option), " ");
        if (option.isPositional() && option.takes == value::scenario) files = " -f -X '!*.cu'";
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (option.isPositional() || option.takes.empty()) continue;
        text += "        " + joined(option.names, "|") + ") " + replyFor(option) + "; return;;\n";
    }
    text += "      esac\n      case $current in\n        -*) _warplens_words '" +
            joined(names, " ") + "';;\n";
    if (command.name.empty()) {
        for (const CommandRow& row : table) {
            if (!row.name.empty()) positional += ' ' + row.name;
        }
    }
    if (!positional.empty()) {
        text += "        *) _warplens_words '" + positional + "'" + files + ";;\n";
    }
    return text + "      esac;;\n";
}

}  // namespace

std::string bashCompletion(const std::vector<CommandRow>& table) {
    std::vector<std::string> commands;
    for (const CommandRow& row : table) {
        if (!row.name.empty()) commands.push_back(row.name);
    }
    std::string text = R"(# bash completion for warplens, written by the program itself.

# _warplens_words WORDS [COMPGEN OPTIONS...]: the words that begin as typed; no blank after `name=`.
_warplens_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"; (($# == 1)) || compgen "${@:2}" -- "$current")
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}

_warplens_files() {
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
  compopt -o filenames
}

_warplens() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
      )";
    text += joined(commands, "|") + R"() command=$word; break;;
    esac
  done
  case $command in
)";
    for (const CommandRow& row : table) {
        text += "    " + (row.name.empty() ? "''" : row.name) + ")\n" + bodyOf(row, table);
    }
    return text + R"(  esac
} 2>/dev/null

complete -F _warplens warplens
)";
}

}  // namespace warplens
