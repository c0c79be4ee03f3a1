#include <algorithm>

#include "app/cli/documentation/command_table.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/occupancy/sm_limits.h"
#include "core/scenario/scenario.h"
#include "core/sweep/quantity.h"
#include "core/text/format.h"

namespace warplens {
namespace {

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

void addNew(std::vector<std::string>& words, std::string word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

std::vector<std::string> lessonIds() {
    std::vector<std::string> ids;
    for (const Lesson& lesson : builtInLessons().lessons) ids.push_back(lesson.id);
    return ids;
}

std::vector<std::string> scenarioIds() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) addNew(ids, std::string(scenario.id));
    for (std::string& id : lessonIds()) addNew(ids, std::move(id));
    return ids;
}

/// `n=`, `stride=`.
std::vector<std::string> settings() {
    std::vector<std::string> names;
    for (const Scenario& scenario : allScenarios()) {
        for (const KernelSize& parameter : kernelOf(scenario.kernel).sizes) {
            addNew(names, std::string(parameter.name) + '=');
        }
    }
    return names;
}

std::string quotedForFish(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

/// `-r` and what completes the value.
std::string fishValueOf(const OptionRow& option) {
    if (option.takes.empty()) return "";
    if (option.takes == value::file) return " -r -F";
    if (option.takes == value::folder) return " -x -a '(__fish_complete_directories)'";
    if (option.takes == value::command) return " -x -a '(__fish_complete_command)'";
    const std::vector<std::string> words = candidatesFor(option);
    return words.empty() ? " -x" : " -x -a " + quotedForFish(joined(words, " "));
}

std::string fishLinesOf(const CommandRow& command, const std::string& condition) {
    const std::string begin = "complete -c warplens -n " + quotedForFish(condition);
    std::string text;
    for (const OptionRow& option : command.options) {
        if (option.isPositional()) {
            const std::string words = joined(candidatesFor(option), " ");
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
        action = "compadd -S \"\" -- " + joined(words, " ");
    } else if (!words.empty()) {
        action = '(' + joined(words, " ") + ')';
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

std::vector<std::string> candidatesFor(const OptionRow& option) {
    if (option.takes == value::scenario) return scenarioIds();
    if (option.takes == value::lesson) return lessonIds();
    if (option.takes == value::setting) return settings();
    if (option.takes == value::axis) {
        std::vector<std::string> axes = settings();
        for (const char* axis : {"block=", "block.x=", "grid=", "array-offset="}) {
            axes.emplace_back(axis);
        }
        return axes;
    }
    std::vector<std::string> words = option.choices();
    if (option.takes == value::quantity) {
        for (const Quantity& quantity : allQuantities()) words.emplace_back(quantity.id);
    }
    if (option.takes == value::capability) {
        for (const SmLimits& limits : allSmLimits()) words.push_back(toString(limits.capability));
    }
    return words;
}

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

std::string zshCompletion(const std::vector<CommandRow>& table) {
    std::string text = "#compdef warplens\n# Written by the program itself.\n\n";
    text += "_warplens_scenarios() {\n  compadd -- " + joined(scenarioIds(), " ");
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
