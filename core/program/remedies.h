#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// What may put a line or a finding right.
struct RemedyKind final {
    std::string_view id;      ///< `pad-shared-array`
    std::string_view words;   ///< what to do, one sentence
    std::string_view lesson;  ///< that teaches it; empty where none does
};
[[nodiscard]] std::span<const RemedyKind> remedyKinds();
/// An empty one where there is none.
[[nodiscard]] RemedyKind remedyNamed(std::string_view id);

/// What a remedy is to be better in, summed over a program's lines as they are written.
enum class CostMetric : std::uint8_t {
    sectors,
    wavefronts,
    divergent,
    atomics,
    stored,
    turns,  ///< of constant memory
    local   ///< sectors of the compiled code's local memory
};
constexpr std::array<std::string_view, 7> namesOf(CostMetric /*metric*/) {
    return {"sectors", "wavefronts", "divergent warps",        "atomics",
            "bytes",   "turns",      "sectors of local memory"};
}
[[nodiscard]] std::uint64_t costOf(const ProgramTrace& trace, CostMetric metric);
[[nodiscard]] std::uint64_t costOf(const LaunchReport& launch, CostMetric metric);
/// What a line's cost is told in, and how many more of it there are than need be.
[[nodiscard]] CostMetric metricOf(const ProgramLine& line);
[[nodiscard]] std::uint64_t excessOf(const ProgramLine& line);

/// What a remedy saves of another unit.
struct RemedyGain final {
    std::string unit;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
};

/// A remedy that is to be tried, was tried, or can only be told.
struct TriedRemedy final {
    std::string remedy;
    std::string file{};                    ///< that it changes; empty where it can only be told
    std::string text{};                    ///< of it, changed
    std::string rule{};                    ///< that is broken without it
    std::vector<std::string> alsoRules{};  ///< that its places break, too, and not with it
    std::vector<SourcePlace> places{};
    std::vector<std::string> arrays{};  ///< that it is for there; none: all
    std::string diff{};                 ///< as `diff -u` writes it
    std::string unit{};                 ///< `sectors`; `findings` where something is wrong
    std::uint64_t before = 0;           ///< of the whole program
    std::uint64_t after = 0;            ///< of one that can only be told: at best
    std::vector<RemedyGain> also{};
    bool isSampled = false;   ///< these numbers, of either
    std::string results{};    ///< what the program's results are then: `the same bytes`
    bool isWrongYet = false;  ///< with it the program still ends with another status than 0
    bool makesRight = false;  ///< the program ended so before, and ends with 0 then
    /// The kernel asks where a thread is in its block: results must show that it may be elsewhere.
    bool asksShape = false;
    /// Of one that can only be told, where more is known than the table says: what to do there.
    std::string detail{};
};
/// Something that costs too much or is wrong, and what may help.
struct RemedyCause final {
    std::string rule;  ///< of warnings.h
    std::vector<SourcePlace> places;
    std::string array{};                   ///< of a cost
    std::optional<FindingKind> finding{};  ///< nothing: a cost
    CostMetric metric = CostMetric::sectors;
    std::vector<TriedRemedy> edits;  ///< that may be it, the likeliest first
    std::string advice;              ///< the remedy to be told where none of them is; may be empty
    std::string detail{};            ///< of that: `TriedRemedy::detail`
    std::uint64_t excess = 0;        ///< of the metric: more than could do
};

/// Of all findings, then of all costly lines, those that cost most first. At most six edits
/// for each line, and eight of a kind for findings.
[[nodiscard]] std::vector<RemedyCause> causesOf(const ProgramTrace& trace,
                                                const ProgramSources& sources);

/// The lesson that teaches it; empty where there is none.
[[nodiscard]] std::string_view lessonOf(const TriedRemedy& tried);
/// What to do, in a sentence: its own words, else the table's.
[[nodiscard]] std::string wordsOf(const TriedRemedy& tried);
void describe(Archive& v, TriedRemedy& tried);
/// The same with what it saves of that unit first, if it saves any.
[[nodiscard]] TriedRemedy withUnitFirst(TriedRemedy tried, std::string_view unit);
/// `whole program: 262,144 -> 32,768 sectors, results: the same bytes`; of one that can only be
/// told, what it could come to.
[[nodiscard]] std::string gainInWords(const TriedRemedy& tried);

}  // namespace warplens
