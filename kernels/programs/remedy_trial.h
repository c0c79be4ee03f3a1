#pragma once

#include <functional>
#include <vector>

#include "core/program/remedies.h"
#include "kernels/programs/program_request.h"
#include "kernels/programs/tried_copies.h"

namespace warplens {

/// Which causes are looked at, and how it goes.
struct RemedySearch final {
    std::vector<SourcePlace> lines{};  ///< by file and number from 1; none: all
    std::function<void(const RemedyCause&, std::size_t done, std::size_t of)> progress{};
    std::function<bool()> cancelled{};
    /// Each once nothing that is still to be tried changes it, in the order of the result.
    std::function<void(const TriedRemedy&)> found{};
    /// Called where it was cancelled with what was not tried, of how many; the result is what was
    /// found by then. Without it Cancelled is thrown.
    std::function<void(std::size_t left, std::size_t of)> stopped{};
    unsigned workers = TriedCopies::workersHere();  ///< threads that run copies ahead
};

/// What helps against what costs too much or is wrong in a program that was traced as requested.
/// Each edit is made in a copy, compiled and run; it is kept where the results are the same and
/// the cost is less, or the finding is gone, with none in its place. Cost: a compilation for each
/// edit, the first time that it is made. Throws Cancelled, and as traceProgram where the program
/// itself cannot be run any more.
[[nodiscard]] std::vector<TriedRemedy> tryRemedies(const TraceRequest& request,
                                                   const RemedySearch& search = {});

/// Has the program made of the text in place of the file; what it includes it finds where the file
/// is. Throws what writing throws.
void replaceText(TraceRequest& request, const std::string& file, const std::string& text);

}  // namespace warplens
