#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/json/archive.h"
#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "core/program/remedies.h"
#include "kernels/device/difference_trial.h"

/// What `explain` tells of a program's lines.
namespace warplens {

/// A line of one kernel, in the launch in which it wastes most, the first of such.
struct ExplainedLine final {
    std::string kernel;
    Launch launch;
    ProgramLine line;
    std::string code;            ///< as it is written
    std::string lesson;          ///< that teaches it; empty where none does
    std::string how;             ///< its numbers were found, where that is a sample
    ProgramLine compiled{};      ///< the same access as compiled, where it is on this line
    std::uint32_t last;          ///< launch of these, by its index
    bool isMeant;                ///< it is told of in one of them, and so of all
    std::uint64_t launches = 1;  ///< in which it is run
    bool isAlike = true;         ///< and costs as much
    bool isOneReason = true;     ///< for the same reason
    std::string addressed{};     ///< whose address is known, where the line accesses several
    std::uint32_t from = 0;      ///< line whose load compiled code has in a register still; 0: none
};

struct Explanation final {
    std::string program;
    std::vector<ExplainedLine> lines;
    std::vector<TriedDifference> differences;
    std::vector<Finding> findings;
    std::vector<TriedRemedy> remedies;
    std::vector<std::string> idleLanes{};  ///< `askedShapes`, `lanesWithoutThread`
};

void describe(Archive& v, ExplainedLine& explained);
void describe(Archive& v, Explanation& explanation);

/// Those that are asked for; none: all.
using AskedLines = std::vector<SourcePlace>;
[[nodiscard]] bool isAsked(const AskedLines& lines, const std::string& file, std::uint32_t line);

/// The lines that cost more than need be, or those that are asked for, each once for all launches
/// and instances; and what is wrong there. Nothing is tried.
[[nodiscard]] Explanation explanationOf(const ProgramTrace& trace, const ProgramSources& sources,
                                        const AskedLines& lines);

/// The lines that break no rule, and still take over 5 % more sectors or wavefronts than would do:
/// a baseline or a budget may tell of them.
[[nodiscard]] AskedLines linesBelowRules(const ProgramTrace& trace);

/// For people, of what is wrong and what lines cost; `isOneLine`: lines were asked for, and all
/// that is known of them is told. Of differences; and of a remedy behind those that were told
/// `before` it.
[[nodiscard]] std::string findingsText(const Explanation& explanation, bool isOneLine);
[[nodiscard]] std::string differencesText(const Explanation& explanation,
                                          const ProgramSources& sources);
/// `x.cu:21: no edit was found against uncoalesced-load`: of what is asked for, breaks a rule, and
/// no remedy is for; of costs that are a hundredth of the program's and more.
[[nodiscard]] std::string withoutRemedyText(const ProgramTrace& trace, const AskedLines& lines,
                                            std::span<const TriedRemedy> remedies);
[[nodiscard]] std::string remedyText(const TriedRemedy& tried, std::span<const TriedRemedy> before);

}  // namespace warplens
