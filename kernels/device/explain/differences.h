#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"
#include "kernels/device/explain/compiled_launch.h"

namespace warplens {

/// All counts of one launch, and what its code is.
struct CountedLaunch final {
    std::vector<ProgramLine> predicted{};
    CompiledLaunch compiled{};
    std::optional<std::vector<ProgramLine>> counted{};
    std::vector<CompiledLine> code{};  ///< the machine code of the lines
    /// An array that the device left with the same values in another order; empty: none.
    std::string reordered{};
};

/// What the compiled code asks for after something was changed.
struct ChangedLaunch final {
    std::string change;  ///< `#pragma unroll 1 on the loops around the line`
    std::vector<ProgramLine> compiled{};
};

/// What was done to find the causes; each only where it was called for.
struct Interventions final {
    std::optional<ChangedLaunch> notCalled{};  ///< calls gone where the source itself asks nothing
    std::optional<ChangedLaunch> notUnrolled{};
    std::optional<ChangedLaunch> notOptimized{};
    std::optional<ChangedLaunch> isVolatile{};  ///< no access may be dropped, merged or moved
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
    /// Lines on which source and compiled code differ, by file: where interventions are called for.
    [[nodiscard]] std::map<std::string, std::set<std::uint32_t>> differingLines() const;
    /// Of those, the lines on which compiled code asks and the source does not.
    [[nodiscard]] std::map<std::string, std::set<std::uint32_t>> unaskedLines() const;

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
        std::uint64_t units = 0;  ///< sectors or wavefronts
        CountsInOtherOrder inOtherOrder;
    };
    using SumsByKey = std::map<Key, Sums>;

    [[nodiscard]] SumsByKey sumsOf(const std::vector<ProgramLine>& lines) const;
    [[nodiscard]] std::string knownFile(const std::string& file) const;
    [[nodiscard]] std::uint32_t statementOf(const std::string& file, std::uint32_t line) const;
    [[nodiscard]] static std::uint64_t quantityOf(const SumsByKey& sums, const Key& key,
                                                  bool units);

    [[nodiscard]] bool explainOrder(LineDifference& difference, const Key& key, bool units) const;
    void explainCompiled(LineDifference& difference, const Key& key, bool units,
                         const Interventions& interventions) const;
    void explainCounted(LineDifference& difference, const Key& key) const;
    [[nodiscard]] bool totalsAgree(const Key& key, bool units) const;

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
