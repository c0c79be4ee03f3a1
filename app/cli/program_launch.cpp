#include "app/cli/program_launch.h"

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/program_options.h"

namespace warplens {

const LaunchReport& launchSpokenOf(const ProgramTrace& trace) {
    const auto first = std::ranges::find_if(trace.launches, &LaunchReport::traced);
    if (first != trace.launches.end()) {
        const auto others = std::count_if(first + 1, trace.launches.end(),
                                          [](const auto& launch) { return launch.traced; });
        if (others != 0) {
            complain("this is launch " + std::to_string(first->index) + " of " +
                     std::to_string(others + 1) + ", " + first->kernel +
                     toLaunchSyntax(first->launch) + "; --launch chooses another");
        }
        return *first;
    }
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::notSupported) {
            throw CommandFailed(ExitCode::impossible, trace.program + ": " + finding.words);
        }
    }
    throw CommandFailed(ExitCode::failed, trace.program + ": no such launch was made");
}

std::shared_ptr<const BlockSteps> stepsOf(TraceRequest request, const LaunchReport& launch) {
    request.launch = launch.index;
    request.stepsOf = Index3{};
    TracedProgram traced = tracedShowing(request);
    if (!traced.steps) {
        const std::vector<Finding>& findings = traced.trace.findings;
        throw CommandFailed(
            ExitCode::failed,
            traced.trace.program + ": " +
                (!findings.empty() ? findings.front().words : "the launch did not come up again"));
    }
    return std::make_shared<const BlockSteps>(*std::move(traced.steps));
}

}  // namespace warplens
