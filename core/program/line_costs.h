#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program/program_trace.h"

namespace warplens {

/// A line's requests of one kind to one array, and what they come to: sectors, or wavefronts in
/// shared memory.
struct AccessCosts final {
    AccessKind kind{};
    std::string array{};
    std::uint64_t requests = 0;
    std::uint64_t units = 0;
    std::uint64_t ideal = 0;
};

/// What a source line asks for in one launch, in all its places, as one source says.
struct LineCosts final {
    std::uint64_t requests = 0;  ///< of global memory
    std::uint64_t sectors = 0;
    std::uint64_t idealSectors = 0;
    std::uint64_t uniqueBytes = 0;
    std::uint64_t sharedRequests = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t idealWavefronts = 0;
    std::uint64_t branches = 0;  ///< warps that came to a branch of the line
    std::uint64_t divergent = 0;
    std::vector<AccessCosts> global{};  ///< loads, then stores, atomics; each array's apart
    std::vector<AccessCosts> shared{};
    std::uint32_t mostSameAddress = 0;  ///< lanes of an atomic request at one address
    bool dependsOnOrder = false;        ///< in which threads run
    std::vector<std::string> arrays{};  ///< in the order in which they stand

    void add(const ProgramLine& line);
    [[nodiscard]] bool empty() const {
        return requests == 0 && sharedRequests == 0 && branches == 0;
    }
    /// Sectors beyond the fewest possible: what mending the line would save.
    [[nodiscard]] std::uint64_t wastedSectors() const {
        return sectors > idealSectors ? sectors - idealSectors : 0;
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

}  // namespace warplens
