#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "app/cli/declare.h"
#include "app/cli/documentation/command_table.h"
#include "app/cli/documentation/completions.h"
#include "app/cli/documentation/man_page.h"
#include "app/cli/documentation/schemas.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/subcommand.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

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
    for (const DocumentSchema& schema : documentSchemas()) {
        const std::string_view name = allSchemas()[static_cast<std::size_t>(schema.document)].name;
        writeFileAtomically(folder / (std::string(name) + ".schema.json"), schema.text);
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
