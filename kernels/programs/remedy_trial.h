#pragma once

#include <functional>
#include <vector>

#include "core/program/remedies.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// Which causes are looked at, and how it goes.
struct RemedySearch final {
    std::vector<SourcePlace> lines{};  ///< by file and number from 1; none: all
    std::function<void(const RemedyCause&, std::size_t done, std::size_t of)> progress{};
    std::function<bool()> cancelled{};
};

/// What helps against what costs too much or is wrong in a program that was traced as requested.
/// Each edit is made in a copy, compiled and run; it is kept where the results are the same and
/// the cost is less, or the finding is gone, with none in its place. Cost: a compilation for each
/// edit, the first time. Throws Cancelled, and as traceProgram where the program itself cannot be
/// run any more.
[[nodiscard]] std::vector<TriedRemedy> tryRemedies(const TraceRequest& request,
                                                   const RemedySearch& search = {});

/// Writes the text into the folder, and has the program made of it in place of the file; what it
/// includes it finds where the file is. Throws what writing throws.
void replaceText(TraceRequest& request, const std::string& file, const std::string& text,
                 const std::filesystem::path& folder);

}  // namespace warplens
