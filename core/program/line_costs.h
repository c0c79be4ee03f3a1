#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"

namespace warplens {

/// `sectors`, `wavefronts`, `turns` or `divergent`: what requests of the kind cost, how many they
/// are, and the fewest there could be.
[[nodiscard]] constexpr std::string_view unitOf(AccessKind kind) {
    if (kind == AccessKind::branch) return "divergent";
    if (kind == AccessKind::constantLoad) return "turns";
    return isShared(kind) ? "wavefronts" : "sectors";
}
[[nodiscard]] constexpr std::uint64_t unitsOf(AccessKind kind, const LineCost& cost) {
    if (kind == AccessKind::branch) return cost.divergent;
    return isGlobal(kind) || isLocal(kind) ? cost.sectors : cost.wavefronts;
}
[[nodiscard]] constexpr std::uint64_t idealOf(AccessKind kind, const LineCost& cost) {
    if (kind == AccessKind::branch) return 0;
    return isGlobal(kind) || isLocal(kind) ? cost.idealSectors : cost.idealWavefronts;
}
/// Units beyond the fewest.
[[nodiscard]] constexpr std::uint64_t wasteOf(AccessKind kind, const LineCost& cost) {
    const std::uint64_t units = unitsOf(kind, cost);
    const std::uint64_t ideal = idealOf(kind, cost);
    return units > ideal ? units - ideal : 0;
}

/// What a source line asks for in one launch, in all its places, as one source says.
struct LineCosts final {
    LineCost global{};
    LineCost shared{};
    LineCost branch{};  ///< all of its branches
    LineCost constant{};
    LineCost local{};                        ///< as compiled, beside whatever source
    std::vector<ProgramLine> globalParts{};  ///< loads, then stores, atomics; each array's apart
    std::vector<ProgramLine> sharedParts{};
    std::vector<ProgramLine> constantParts{};  ///< each access apart
    bool dependsOnOrder = false;               ///< in which threads run
    std::vector<std::string> arrays{};         ///< in the order in which they stand

    void add(const ProgramLine& line);
    [[nodiscard]] bool empty() const {
        return global.requests + shared.requests + branch.requests + constant.requests +
                   local.requests ==
               0;
    }
    [[nodiscard]] std::uint32_t mostSameAddress() const {
        return std::max(global.mostSameAddress, shared.mostSameAddress);
    }
    /// Lanes whose atomics at one address come one after the other; 0: none, or one lane does it.
    [[nodiscard]] std::uint32_t mostInTurns() const;
    /// Of global and shared memory; `sameAddress` are their turns, of which each request has one.
    [[nodiscard]] LineCost atomics() const;
    /// Turns in which lanes wait for others at their address.
    [[nodiscard]] std::uint64_t wastedTurns() const;
    /// Sectors, and wavefronts, beyond the fewest possible: what mending the line would save.
    [[nodiscard]] std::uint64_t wastedSectors() const { return wasteOf(AccessKind::load, global); }
    [[nodiscard]] std::uint64_t conflicts() const {
        return wasteOf(AccessKind::sharedLoad, shared);
    }
    /// Bytes used of those fetched, percent; absent without sectors.
    [[nodiscard]] std::optional<double> usedPercent() const;
};

/// Whether both paths are written for the same file.
[[nodiscard]] bool sameFile(const std::string& a, const std::string& b);

/// What was found at a line of the file, in whatever launch.
[[nodiscard]] std::vector<const Finding*> findingsAt(const ProgramTrace& trace,
                                                     const std::string& file, std::uint32_t line);

/// All of a launch together.
[[nodiscard]] LineCosts costsOf(const LaunchReport& launch);

/// The costs of the file's lines in a launch, by line from 1; lines without any are empty.
[[nodiscard]] std::vector<LineCosts> costsByLine(const LaunchReport& launch,
                                                 const std::string& file, std::size_t lines,
                                                 Source source = Source::predicted);
/// Whether both ask for as much; what is best possible is left aside.
[[nodiscard]] bool isSameWork(const LineCosts& a, const LineCosts& b);
/// The line with the most wasted sectors, then with the most wavefronts beyond the fewest; 0 where
/// none wastes any.
[[nodiscard]] std::uint32_t worstLine(const std::vector<LineCosts>& costs);

/// Of the places at which a launch's warps access memory, as predicted, those that a warp comes to.
struct WarpReach final {
    std::uint32_t warp = 0;
    std::size_t places = 0;
    std::size_t ofPlaces = 0;
};
/// The first warp of the block that comes to most of them.
[[nodiscard]] WarpReach mostReaching(const BlockSteps& block, const LaunchReport& launch);

/// What all sources say of one line and kind, summed over its columns and arrays.
struct LineComparison final {
    std::string file;
    std::uint32_t line = 0;
    AccessKind kind = AccessKind::load;
    /// Predicted, compiled, counted; nothing of a source that has not looked at the launch at all.
    std::array<std::optional<LineCost>, 3> counts{};
    friend bool operator==(const LineComparison&, const LineComparison&) = default;
};

inline constexpr std::array lineSources{Source::predicted, Source::compiled, Source::counted};
/// What they are called: the device's probe says what the compiled code asks for.
inline constexpr std::array<std::string_view, 3> namesOfLineSources{"predicted", "compiled",
                                                                    "counted"};

/// By file, line and kind. A source that speaks of some line of the launch says 0 of all others.
[[nodiscard]] std::vector<LineComparison> compareLines(const std::vector<ProgramLine>& predicted,
                                                       const std::vector<ProgramLine>& measured);

/// A row for each kind of a statement of `file`. `statements` says on which line each line's
/// statement begins (statementLines): compilers lay all of one to one line, so is the source's side
/// here.
[[nodiscard]] std::vector<LineComparison> compareStatements(
    const LaunchReport& launch, const ProgramMeasurement& measured, const std::string& file,
    const std::vector<std::uint32_t>& statements);

/// Adds what is said of another launch.
void add(std::vector<LineComparison>& all, const std::vector<LineComparison>& more);

/// The number that stands beside a line: the one that the sources differ on, else what it costs.
struct ComparedLine final {
    std::array<std::optional<std::uint64_t>, lineSources.size()> numbers{};
    std::string unit{};  ///< `sectors`
    bool differs = false;
    friend bool operator==(const ComparedLine&, const ComparedLine&) = default;
};
/// By line.
[[nodiscard]] std::map<std::uint32_t, ComparedLine> comparedLines(
    const std::vector<LineComparison>& comparisons, const std::vector<LineDifference>& differences,
    const std::string& file);

/// `104 requests predicted, 182 compiled, 182 counted`, `416 sectors, predicted = compiled =
/// counted`; empty where all say none.
[[nodiscard]] std::string inWords(const ComparedLine& line);

}  // namespace warplens
