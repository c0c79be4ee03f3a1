#pragma once

#include <string>
#include <string_view>

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "core/program/program_measurement.h"

namespace warplens::figure {

/// What the figure of a launch of a person's program shows.
struct ProgramSubject final {
    const ProgramTrace& trace;
    const ProgramLaunch& launch;
    std::string_view source;  ///< of the trace's first file
    /// What was measured of the launch, its lines named as the trace's; null where nothing was.
    const ProgramMeasurement* measured = nullptr;
};

/// Composes the figure of a launch of a person's program: its kernel and configuration, the lines
/// of the source that ask for something with what they ask for and what would do, or where it was
/// measured what source, compiled code and hardware say, the worst of them marked, and where the
/// numbers come from. Lines that do not fit are left out from the end.
[[nodiscard]] Picture composeProgram(const ProgramSubject& subject, const Page& page);

}  // namespace warplens::figure
