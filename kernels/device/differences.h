#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"

/// Changes of the source that show what a difference comes from.
namespace warplens {

/// The source with `#pragma unroll 1` on every loop whose lines hold one of `lines`, in place of
/// unrolling that it asks for itself; all lines where they were. The same text where no loop does.
[[nodiscard]] std::string withoutUnrolling(const std::string& source,
                                           const std::set<std::uint32_t>& lines);

/// The source with the pointers among the kernels' parameters pointing to volatile elements: no
/// access through them can be dropped, merged or moved. Those that a kernel hands on to a function
/// stay as they are. All lines where they were; the same text where no kernel has one.
[[nodiscard]] std::string withVolatileParameters(const std::string& source);

/// The source without the statements on `lines` that do nothing but call, `grid.sync();`; all lines
/// where they were. The same text where there is none.
[[nodiscard]] std::string withoutCalls(const std::string& source,
                                       const std::set<std::uint32_t>& lines);

/// All counts of one launch, and what its code is.
struct CountedLaunch final {
    std::vector<ProgramLine> predicted{};
    std::vector<ProgramLine> compiled{};
    std::optional<std::vector<ProgramLine>> counted{};
    std::vector<CompiledLine> code{};
    /// An array that the device left with the same values in another order; empty: none.
    std::string reordered{};
};

/// Compares the counts of each statement's first line and kind, summed over columns and arrays:
/// requests and sectors of global loads and stores, requests and wavefronts of shared ones,
/// requests of atomics. Branches are not the same thing in source, PTX and machine code and stay
/// out.
class LineComparison final {
  public:
    LineComparison(const ProgramSources& sources, const CountedLaunch& launch);

    /// Lines, kinds and quantities that were compared.
    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    /// Those on which counts differ, each with its cause as far as `interventions` confirm one.
    [[nodiscard]] std::vector<LineDifference> differences(const Interventions& interventions) const;
    /// The line's accesses of that kind in the compiled code.
    [[nodiscard]] std::vector<std::string> ptxOf(const LineDifference& line) const {
        return ptxOf(Key{line.file, line.line, line.kind});
    }
    /// Lines on which source and compiled code differ, by file: where interventions are called for.
    /// With `unasked` those alone on which the source asks for nothing.
    [[nodiscard]] std::map<std::string, std::set<std::uint32_t>> differingLines(
        bool unasked = false) const;

  private:
    struct Key final {
        std::string file;
        std::uint32_t line = 0;
        AccessKind kind = AccessKind::load;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Sums final {
        std::uint64_t requests = 0;
        std::uint64_t lanes = 0;
        std::uint64_t units = 0;   ///< sectors or wavefronts
        std::uint64_t unique = 0;  ///< bytes, in each request once
        std::set<std::string> arrays;
        CountsInOtherOrder inOtherOrder;
    };
    using SumsByKey = std::map<Key, Sums>;

    [[nodiscard]] SumsByKey sumsOf(const std::vector<ProgramLine>& lines) const;
    [[nodiscard]] std::string knownFile(const std::string& file) const;
    [[nodiscard]] bool isAt(const CompiledLine& line, const Key& key) const;
    [[nodiscard]] std::vector<std::string> ptxOf(const Key& key) const;
    [[nodiscard]] std::uint32_t statementOf(const std::string& file, std::uint32_t line) const;
    [[nodiscard]] static std::uint64_t quantityOf(const SumsByKey& sums, const Key& key,
                                                  bool units);

    [[nodiscard]] bool explainOrder(LineDifference& difference, const Key& key, bool units) const;
    void explainCompiled(LineDifference& difference, const Key& key, bool units,
                         const Interventions& interventions) const;
    void explainCounted(LineDifference& difference, const Key& key) const;
    /// Of all lines of the kind.
    [[nodiscard]] static std::uint64_t totalOf(const SumsByKey& sums, const Key& key,
                                               std::uint64_t Sums::*part);
    [[nodiscard]] bool totalsAgree(const Key& key, std::uint64_t Sums::*part) const;
    /// How many more the compiled code has there.
    [[nodiscard]] std::int64_t moreOf(const Key& key, std::uint64_t Sums::*part) const;
    [[nodiscard]] std::set<std::string> arraysOf(const Key& key) const;
    /// Lines of the kind that have more where this one has fewer, or fewer where it has more; of
    /// lanes those of the arrays of this one.
    [[nodiscard]] std::vector<Key> othersOf(const Key& key, std::uint64_t Sums::*part) const;
    /// Those that have all that this one lacks, or the other way round: one alone, or all lines
    /// where they have as many lanes together. None where that may be chance: stores are what is
    /// written somewhere, and of loads so are the stores beside them, or nothing else of the source
    /// asks at the addresses of the lines that have fewer.
    [[nodiscard]] std::vector<Key> partnersOf(const Key& key) const;
    [[nodiscard]] bool isAskedElsewhere(const Key& key) const;
    /// Where what a line has too few of is compiled to, or what it has too many of is written:
    /// `on line 7`, `on lines 7 and 9`; `on other lines` where they are many or in other files.
    [[nodiscard]] static std::string wordsOf(const std::vector<Key>& others, const Key& key);

    const ProgramSources& sources_;
    std::set<std::string> files_;
    const CountedLaunch& launch_;
    std::map<std::string, std::vector<std::uint32_t>> statements_;
    SumsByKey predicted_;
    SumsByKey compiled_;
    std::optional<SumsByKey> counted_;
    std::uint64_t compared_ = 0;
};

}  // namespace warplens
