#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// What `warplens check` warns of.
struct WarningRule final {
    std::string id;           ///< `uncoalesced-load`
    std::string_view about;   ///< one sentence
    std::string_view lesson;  ///< that teaches it; empty where none does
    bool isError = false;     ///< the program is wrong, not only slow
    bool isNote = false;      ///< it is to be known, and fails no check
};
/// Those of costs and budgets, then one for each FindingKind.
[[nodiscard]] std::span<const WarningRule> warningRules();
/// Null where there is none.
[[nodiscard]] const WarningRule* findRule(std::string_view id);

/// The rule on what lines of the kind cost.
[[nodiscard]] const WarningRule& costRule(AccessKind kind);

/// The rule on such findings.
[[nodiscard]] const WarningRule& ruleOf(FindingKind kind);
/// `race in shared memory`
[[nodiscard]] std::string kindInWords(FindingKind kind);
/// What is wrong with the launch, and with what the host does beside all launches; no leaks.
[[nodiscard]] std::vector<Finding> faultsOf(const ProgramTrace& trace, const LaunchReport& launch);

/// All that the compiled code does to the line's array there; without requests where it does that
/// on other lines.
[[nodiscard]] ProgramLine asCompiled(const ProgramLine& line, const LaunchReport& launch);
/// Whether rules are on the line: on what is written, and on the local memory of compiled code,
/// of which only the compiler knows.
[[nodiscard]] bool isOfRules(const ProgramLine& line);
/// Whether a line of the launch breaks the rule on what its kind costs. A branch that the compiler
/// made none of does not, nor one for a warp's first lane alone, nor a guard, nor an access that
/// costs no more than it must once it is compiled, nor one to a little local memory.
[[nodiscard]] bool breaksCostRule(const ProgramLine& line, const LaunchReport& launch);

/// Of a launch in which none does, the line that takes most beyond the fewest sectors or
/// wavefronts, a tenth and more, also once it is compiled, where no data decide; null: none.
[[nodiscard]] const ProgramLine* costsALittle(const LaunchReport& launch);

/// One place that breaks a rule, over all launches of the program.
struct ProgramWarning final {
    std::string rule;
    SourcePlace place;
    std::string kernel;
    std::string array;
    std::string words;
    std::string program{};      ///< that was run; of `check`
    std::string fingerprint{};  ///< fingerprintOf; the same
    /// Of a line that costs too much, in all launches: its sectors, wavefronts, turns or divergent
    /// warps, or lanes of its atomics at one address; of a budget what exceeds it, rounded up.
    std::optional<std::uint64_t> cost{};
    /// Of a line that costs too much: what would do, of branches and atomics the requests.
    std::uint64_t best = 0;
    std::optional<std::uint64_t> costBefore{};  ///< in the baseline, where it is dearer now
    friend bool operator==(const ProgramWarning&, const ProgramWarning&) = default;
};
void describe(Archive& v, ProgramWarning& warning);

/// All that the trace breaks and its sources do not allow, by place, then rule; each once. Sources
/// say of their own warnings, in comments:
///
///     // warplens: allow(uncoalesced-load, bank-conflict) read once, at the start
///     // warplens: sectors_per_request <= 4
///
/// Each is of its own line, or, where nothing else stands in it, of the next line of code; a budget
/// at a kernel's head or at a launch is of the launch, all its lines together.
[[nodiscard]] std::vector<ProgramWarning> warningsOf(const ProgramTrace& trace,
                                                     const ProgramSources& sources);

/// `the program returned 1; its last line: usage: sum N`, or without that line; empty where it
/// returned 0.
[[nodiscard]] std::string endInWords(const ProgramExit& exit, bool withLine = true);
/// Whether all blocks of all launches were run to their end: else what the program says of its
/// results means nothing.
[[nodiscard]] bool isRunWhole(const ProgramTrace& trace);
/// How the program failed; empty where it did not, or where that means nothing.
[[nodiscard]] std::string failureInWords(const ProgramTrace& trace);
/// Whether something was found that its results may be wrong by.
[[nodiscard]] bool hasCause(const ProgramTrace& trace);
/// `returned 1; its last line: 9 wrong` of a program that ended with a status of its own; where
/// nothing was found to be wrong, that the program itself says so. Empty of others.
[[nodiscard]] std::string verdictInWords(const ProgramTrace& trace);
/// What a budget in a comment allows the warning's line, where that is of what its rule is on:
/// whoever keeps to it may break the rule all the same. Nullopt where there is none.
[[nodiscard]] std::optional<double> budgetBeside(const ProgramWarning& warning,
                                                 const ProgramSources& sources);

/// What the accesses of one kind to an array come to, in all launches of a kernel.
struct ArrayTotal final {
    std::string program{};  ///< that was run; of `check`
    std::string rule;       ///< that they are under
    std::string kernel;
    std::string array;
    std::uint64_t cost = 0;     ///< sectors, wavefronts, turns; of atomics lanes one after another
    std::uint64_t best = 0;     ///< that would do; at least 1
    std::uint64_t threads = 0;  ///< of the kernel's launches; 0 where a document does not say
    SourcePlace place{};        ///< the line that exceeds it most; not written
    std::string reason{};       ///< of that line; not written
    std::uint64_t excess = 0;
};
void describe(Archive& v, ArrayTotal& total);
/// Of all but lines that a comment allows; of local memory what is compiled.
[[nodiscard]] std::vector<ArrayTotal> arrayTotals(const ProgramTrace& trace,
                                                  const ProgramSources& sources);

/// The same for the same warning after lines were added or removed elsewhere, and in another
/// folder: of the rule, the file's name, the kernel, the array, and its line's code.
[[nodiscard]] std::string fingerprintOf(const ProgramWarning& warning,
                                        const ProgramSources& sources);

}  // namespace warplens
