#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/program_options.h"

namespace warplens {

/// `check` of .cu files: what they break of the rules (core/program/warnings.h).
struct CheckOptions final {
    std::vector<std::string> files;  ///< each a program of its own
    ProgramOptions program;
    std::string format = "text";          ///< one of checkFormats
    std::vector<std::string> rules;       ///< `no-RULE` turns it off, `RULE` on again
    std::optional<std::string> baseline;  ///< a JSON document of an earlier check
};
inline constexpr std::array<std::string_view, 5> checkFormats{"text", "sarif", "junit", "github",
                                                              "json"};

/// Prints it; `failed` where something is broken that the baseline did not have. Throws
/// InvalidRequest and, where nothing can be compiled here, CommandFailed.
[[nodiscard]] ExitCode checkPrograms(const CheckOptions& options);

[[nodiscard]] std::string checkSchema(Document document);

/// The rules, rows of a table in Markdown: `| uncoalesced-load | A load takes ... | warning |`.
[[nodiscard]] std::string rulesText();

}  // namespace warplens
