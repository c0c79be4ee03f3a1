#pragma once

#include <functional>
#include <vector>

#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// Why: the program is compiled and run again, without a GPU, with one thing changed at a time.
/// Of each kernel's first launch that was counted whole, in both codes. Cost:
/// up to four compilations where something differs. Throws Cancelled, and as traceProgram.
[[nodiscard]] std::vector<TriedDifference> tryDifferences(
    const TraceRequest& request, const ProgramTrace& trace, const ProgramSources& sources,
    const std::function<bool()>& cancelled = {});

/// The same for one launch, which is that of the request: what it comes to with each change.
[[nodiscard]] Interventions interventionsFor(const TraceRequest& request,
                                             const ProgramSources& sources,
                                             const LaunchReport& launch,
                                             const std::function<bool()>& cancelled = {});

}  // namespace warplens
