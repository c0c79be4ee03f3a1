#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/documentation/command_table.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "core/program/launch_report.h"
#include "core/program/program_measurement.h"
#include "core/roofline/roofline.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

/// What a value is, in a few words.
std::string typeOf(const Json& told) {
    if (told.contains("$ref")) {
        const std::string ref = told["$ref"];
        const std::string name = ref.substr(ref.rfind('/') + 1);
        return '[' + name + "](#" + name + ')';
    }
    if (told.contains("const")) return '`' + told["const"].get<std::string>() + '`';
    if (told.contains("anyOf")) {
        return joined(told["anyOf"], " or ", typeOf);
    }
    if (told.contains("enum")) {
        if (told["enum"].size() > 12) return "a name";
        return joined(told["enum"], " ",
                      [](const Json& name) { return '`' + name.get<std::string>() + '`'; });
    }
    const std::string type = told.value("type", "object");
    if (type == "array" && told.contains("minItems")) return "three integers";
    if (type == "array") return "list of " + typeOf(told["items"]);
    if (type == "object" && told.contains("additionalProperties")) return "numbers by name";
    return type;
}

/// The members, and those of objects that have no name of their own behind their names.
void addRows(const Json& object, const std::string& before, std::string& rows) {
    const Json required = object.value("required", Json::array());
    for (const auto& [name, told] : object["properties"].items()) {
        const bool always = std::find(required.begin(), required.end(), name) != required.end();
        rows += "| `" + before + name + "` | " + typeOf(told) + " | " +
                told["description"].get<std::string>() + (always ? " |\n" : " (not always) |\n");
        const Json* inner = &told;
        std::string within = before + name + '.';
        if (told.value("type", "") == "array" && told.contains("items")) {
            inner = &told["items"];
            within = before + name + "[].";
        }
        if (inner->contains("properties")) addRows(*inner, within, rows);
    }
}

std::string tableOf(const std::string& heading, const std::string& words, const Json& object) {
    std::string rows;
    addRows(object, "", rows);
    return "\n### " + heading + "\n\n" + words + "\n\n| member | is | what |\n|---|---|---|\n" +
           rows;
}

/// Of all documents that this program and its worker write, in the enumerators' order.
std::map<Document, std::string> documentSchemas() {
    std::map<Document, std::string> all{
        {Document::prediction, schemaFor<Prediction>(Document::prediction)},
        {Document::measurement, schemaFor<Measurement>(Document::measurement)},
        {Document::programPrediction, schemaFor<ProgramTrace>(Document::programPrediction)},
        {Document::programMeasurement, schemaFor<MeasuredProgram>(Document::programMeasurement)},
        {Document::sweep, schemaFor<Sweep>(Document::sweep)},
        {Document::roofline, schemaFor<Roofline>(Document::roofline)},
        {Document::error, schemaFor<Trouble>(Document::error)},
        {Document::recording, recordingSchema()},
        {Document::recordedSweep, recordedSweepSchema()},
        {Document::workerRequest, schemaFor<WorkerRequest>(Document::workerRequest)},
        {Document::workerEvent, schemaFor<WorkerEvent>(Document::workerEvent)},
    };
    CLI::App program;
    for (const Subcommand& command : addCommands(program)) {
        for (const auto& [document, schema] : command.schemas) all[document] = schema(document);
    }
    return all;
}

/// What `values` can tell of.
std::string metricTable() {
    std::string rows = "\n### Metrics\n\nOf `values`.\n\n| metric | unit | what |\n|---|---|---|\n";
    for (const MetricInfo& metric : allMetrics()) {
        rows += "| `" + std::string(metric.id) + "` | " + std::string(toString(metric.unit)) +
                " | " + std::string(metric.meaning) + " |\n";
    }
    return rows;
}

/// Their members as tables, and the metrics, for docs/json.md.
std::string memberTables() {
    std::string documents;
    Json parts = Json::object();
    for (const auto& [document, text] : documentSchemas()) {
        const Json tree = Json::parse(text);
        documents += tableOf(schemaOf(document), tree["title"], tree);
        if (!tree.contains("$defs")) continue;
        for (const auto& [name, told] : tree["$defs"].items()) {
            if (!parts.contains(name)) parts[name] = told;
        }
    }
    std::string text = documents;
    for (const auto& [name, told] : parts.items()) {
        text += tableOf(name, told["description"], told);
    }
    return text + metricTable();
}

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
    const std::string text = joined(option.names, ", ", bold);
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

/// warplens(1), as man reads it.
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

struct Kind final {
    const char* name;
    std::string (*write)(const std::vector<CommandRow>&);
};
constexpr std::array<Kind, 5> kinds{
    {{"man", manPage},
     {"bash", bashCompletion},
     {"zsh", zshCompletion},
     {"fish", fishCompletion},
     {"members", [](const std::vector<CommandRow>&) { return memberTables(); }}}};

struct DocumentationOptions final {
    std::string kind;
    std::optional<std::string> path;
};

/// Into a folder, a file for each.
void writeSchemas(const std::filesystem::path& folder) {
    for (const auto& [document, text] : documentSchemas()) {
        const std::string_view name = allSchemas()[static_cast<std::size_t>(document)].name;
        writeFileAtomically(folder / (std::string(name) + ".schema.json"), text);
    }
}

ExitCode run(const CLI::App& program, const DocumentationOptions& options) {
    if (options.kind == "schemas" && options.path) {
        writeSchemas(*options.path);
        return ExitCode::done;
    }
    const auto found = std::ranges::find(kinds, options.kind, &Kind::name);
    if (found == kinds.end()) {
        throw InvalidRequest({{"KIND", "'" + options.kind + "'",
                               "one of man bash zsh fish members, or schemas with a folder"}});
    }
    const std::string text = found->write(commandTable(program));
    if (options.path) {
        requireWritable("--output", *options.path);
        writeFileAtomically(*options.path, text);
    } else {
        print(text);
    }
    return ExitCode::done;
}

}  // namespace

/// Not told of in help: the build runs it, and what it prints is installed.
Subcommand addDocumentationCommand(CLI::App& program) {
    const auto options = std::make_shared<DocumentationOptions>();
    CLI::App* parser =
        program.add_subcommand("documentation", "man page, completions and JSON schemas");
    parser->group("");
    addText(*parser, "KIND", options->kind, "man|bash|zsh|fish|members|schemas", "what to write")
        ->required();
    addText(*parser, "-o,--output", options->path, value::file, "where; left out, it is printed");
    return {parser, [&program, options] { return run(program, *options); }};
}

}  // namespace warplens
