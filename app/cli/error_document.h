#pragma once

#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "core/launch/limit_violation.h"

namespace warplens {

/// Why a command could not do what was asked.
struct Trouble final {
    ExitCode code = ExitCode::failed;
    std::string message;                     ///< one or more lines
    std::vector<LimitViolation> problems{};  ///< of a request that is wrong: one for each line
    std::string advice{};                    ///< what to type next, for people
};

/// As Document::error.
void describe(Archive& v, Trouble& trouble);

/// The lines on standard error. Where `json` and nothing stands on standard output yet, there the
/// same as one object, Document::error.
void tell(const Trouble& trouble, bool json);

}  // namespace warplens
