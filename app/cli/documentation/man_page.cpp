#include "app/cli/documentation/man_page.h"

#include "app/cli/exit_code.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Text with nothing in it that roff would take for its own.
std::string escaped(const std::string& text) {
    std::string result;
    bool lineBegins = true;
    for (const char c : text) {
        if (lineBegins && (c == '.' || c == '\'')) result += "\\&";
        lineBegins = c == '\n';
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
    }
    return result;
}

std::string bold(const std::string& text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + escaped(text) + "\\fR";
}

/// `\fB-o\fR, \fB--output\fR \fIFILE\fR`.
std::string formOf(const OptionRow& option) {
    if (option.isPositional()) return italic(option.form());
    std::string text;
    for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
    return option.takes.empty() ? text : text + ' ' + italic(option.takes);
}

std::string optionsOf(const CommandRow& command) {
    std::string text;
    for (const OptionRow& option : command.options) {
        text += ".TP\n" + formOf(option) + '\n' + escaped(option.help);
        if (!option.initial.empty()) text += escaped("; " + option.initial + " if left out");
        text += ".\n";
    }
    return text;
}

}  // namespace

std::string manPage(const std::vector<CommandRow>& table) {
    const CommandRow& program = table.front();
    std::string text = ".TH WARPLENS 1 \"\" \"Warplens " + version() + "\" \"User Commands\"\n";
    text += ".SH NAME\nwarplens \\- how CUDA weaves threads into warps, and what it costs\n";
    text += ".SH SYNOPSIS\n" + bold("warplens") + " [" + italic("SCENARIO") + "] [" +
            italic("OPTIONS") + "]\n.br\n" + bold("warplens") + ' ' + italic("COMMAND") + " [" +
            italic("OPTIONS") + "]\n";
    text += ".SH DESCRIPTION\n" + escaped(program.help) + '\n';
    text += ".SH OPTIONS\n" + optionsOf(program);
    text += ".SH COMMANDS\n";
    for (const CommandRow& command : table) {
        if (command.name.empty()) continue;
        text += ".SS " + bold(command.usage()) + '\n' + escaped(command.help) + ".\n" +
                optionsOf(command);
    }
    text += ".SH EXIT STATUS\n";
    for (const ExitCodeRow& row : exitCodes) {
        text += ".TP\n" + bold(std::to_string(static_cast<int>(row.code))) + '\n' +
                escaped(row.words) + ".\n";
    }
    text += ".SH FILES\n.TP\n" + italic("~/.config/warplens/settings.json") +
            "\nWhat the window keeps from one start to the next; below " +
            italic("$XDG_CONFIG_HOME") + " where that is set.\n";
    return text + ".SH SEE ALSO\n" + bold("warplens lesson") +
           escaped(
               " lists the lessons, `warplens COMMAND --help` tells of one command. JSON is "
               "described by the schemas in share/warplens/schemas.\n");
}

}  // namespace warplens
