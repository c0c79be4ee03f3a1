#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program/line_costs.h"
#include "core/program/program_trace.h"
#include "core/program/proposed_value.h"

/// A person's own file in the window: what was traced of it, and what is chosen there. What the
/// panels show of it is worked out here, without ImGui.
namespace warplens::window {

/// One version of a file, and what tracing it said.
struct ProgramVersion final {
    std::vector<std::string> lines;  ///< of the file, without their line ends
    ProgramTrace trace;
    std::vector<ProposedValue>
        proposed{};  ///< what kernels are launched with that nothing launches
    /// Why there is no trace: the compiler's words, say. Empty where there is one.
    std::string failure;
    /// Line of the file that `failure` is about; 0 where it is about none.
    std::uint32_t failureLine = 0;
};

/// The file that is open instead of a built-in scenario.
struct ProgramState final {
    std::string path;  ///< empty: none
    std::shared_ptr<const ProgramVersion> now{};
    std::shared_ptr<const ProgramVersion> before{};  ///< the last one that could be traced
    std::string stage;                               ///< what is being done; empty: nothing
    std::uint32_t launch = 0;                        ///< chosen, by its index
    std::uint32_t line = 0;                          ///< chosen, from 1; 0: none
    std::uint32_t opened = 0;  ///< counts up with each opening, so that a file can be opened again
    std::vector<ProposedValue> wishes{};  ///< in place of what is proposed
    bool asking = false;                  ///< the field for a path is open
    std::string proposed{};               ///< what stands in the field

    [[nodiscard]] bool isOpen() const { return !path.empty(); }
};

/// The chosen launch; null where there is none.
[[nodiscard]] const ProgramLaunch* chosenLaunch(const ProgramState& program);

/// What the chosen launch's kernel is launched with, where no program launches it: of the last
/// version that could be traced.
[[nodiscard]] std::vector<ProposedValue> proposedForChosen(const ProgramState& program);
/// Takes a wish over; an empty value takes it back.
void wish(ProgramState& program, ProposedValue value);

/// A launch in the list: `<<<(32, 8), 256>>>`.
[[nodiscard]] std::string launchText(const Launch& launch);

/// A total of the chosen launch in this version and in the one before.
struct VersionChange final {
    std::string_view what;  ///< `Load sectors`
    double before = 0;
    double now = 0;
};
/// The totals that are not the same; empty without a version before that has the launch.
[[nodiscard]] std::vector<VersionChange> changesOf(const ProgramState& program);

/// Chooses a launch of the trace, or the first, and in it the worst line.
void chooseLaunch(ProgramState& program, std::uint32_t index);
/// Takes a new version of the open file over; keeps what is chosen where it is still there.
void takeVersion(ProgramState& program, std::shared_ptr<const ProgramVersion> version);

}  // namespace warplens::window
