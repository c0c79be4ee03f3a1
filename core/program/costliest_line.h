#pragma once

#include "core/program/line_costs.h"

namespace warplens {

/// What a line of a file costs beyond what it must.
struct LineWaste final {
    std::uint64_t sectors = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t divergent = 0;  ///< where `check` warns of it
    std::uint64_t turns = 0;      ///< of lanes that meet at one address
    bool breaksRule = false;      ///< `check` warns of one of these
    [[nodiscard]] std::uint64_t all() const { return sectors + wavefronts + divergent + turns; }
};
/// The branch, of those that `check` warns of, at its line or before, that leaves out lanes of an
/// access whose bytes would lie side by side with them: what that wastes is the branch's. Null
/// where there is none.
[[nodiscard]] const ProgramLine* partingOf(const ProgramLine& access, const LaunchReport& launch);

/// By line from 1 of `lines`, as predicted; without what a branch makes others waste.
[[nodiscard]] std::vector<LineWaste> wasteByLine(const LaunchReport& launch,
                                                 const std::string& file, std::size_t lines);

/// What the costliest line of the file costs; of any file where `file` is empty.
[[nodiscard]] LineWaste worstWaste(const LaunchReport& launch, const std::string& file);

/// The line that wastes most, of those that `check` warns of where there are such. Where that
/// accesses with few lanes because a branch above, of which `check` warns, leaves them out, the
/// branch's. 0: none.
[[nodiscard]] std::uint32_t costliestLine(const LaunchReport& launch, const std::string& file,
                                          std::size_t lines);

}  // namespace warplens
