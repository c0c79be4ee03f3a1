#include "app/window/state/program_measuring.h"

#include <algorithm>
#include <utility>

#include "app/window/state/messages.h"

namespace warplens::window {

void keepMeasured(AppState& state, const ProgramSubject& subject,
                  const ProgramMeasurement& measurement) {
    if (subject.path != state.program.path) return;
    keep(state.program, {.digest = subject.digest,
                         .launch = subject.launch,
                         .measurement = std::make_shared<const ProgramMeasurement>(measurement)});
    chooseDifference(state.program);
    const bool isOfNow = state.program.now && state.program.now->digest == subject.digest;
    if (!isOfNow) {
        report(state, MessageKind::note,
               subject.kernel + " was measured as the file was before it was saved.");
    }
    const auto differs = std::ranges::find_if(measurement.checks, [](const ArrayCheck& check) {
        return check.different != 0 && !check.reordered;
    });
    if (differs == measurement.checks.end()) return;
    report(state, MessageKind::warning,
           subject.kernel +
               " computes something else on the GPU than on the host: " + inWords(*differs) + '.');
}

void giveUpProgram(AppState& state) {
    auto* const run = std::get_if<Running>(&state.measuring);
    if (run != nullptr && run->program) run->cancelled = true;
}

void openKept(AppState& state, const std::string& path) {
    state.program.asking = false;
    if (state.program.isOpen()) {
        state.program.kept = path;
        return;
    }
    report(state, MessageKind::error,
           path + ": a measurement is shown beside its .cu file; open that first.");
}

void takeRead(AppState& state, const MeasurementRead& read) {
    if (read.path != state.program.kept) return;
    state.program.kept.clear();
    std::string problem = read.problem;
    if (problem.empty() && read.program) problem = takeKept(state.program, *read.program);
    chooseDifference(state.program);
    if (problem.empty()) return;
    report(state, MessageKind::error, "Not opened: " + read.path + ": " + problem + '.');
}

}  // namespace warplens::window
