#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/trace/runtime/lane_runner.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/request_cost.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::runtime {

/// Sums of one place for one array.
struct Sums final {
    std::uint32_t array = noArray;
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t idealSectors = 0;
    std::uint64_t uniqueBytes = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t idealWavefronts = 0;
    std::uint64_t lanes = 0;
    std::uint64_t divergent = 0;
    std::uint32_t mostSameAddress = 0;
};

/// What is kept of one place: its sums, and the last request's shape. Requests of one place mostly
/// differ by a shift only, and cost the same where the shift is a multiple of a sector.
struct Place final {
    // The shape: lanes, and their addresses from the first one's.
    std::uint32_t mask = 0;
    std::uint32_t count = 0;
    std::uint32_t costKnown = 0;  ///< bit k: the cost is known for addresses that are k mod 32
    bool checkLanes = false;      ///< each access is looked at for races
    Sums* sums = nullptr;         ///< of `array`
    std::uint32_t array = noArray;
    std::uint64_t insideFrom = 1;  ///< first lane's addresses for which all are inside the array
    std::uint64_t insideCount = 0;
    std::uint64_t difference[32] = {};
    RequestCost cost[32];

    std::uint32_t bytes = 0;
    std::uint32_t piece = 0;  ///< of an access that machine code does in several
    SiteKind kind = SiteKind::load;
    std::uint32_t flags = 0;
    std::vector<Sums*> all;
};

void setUpPlaces();
[[nodiscard]] Place& placeOfSite(std::uint32_t site);
[[nodiscard]] bool hasAtomics();  ///< the program
/// Forgets all sums: a launch begins.
void clearSums();

/// Counts a request at `site`: `events` are those of the lanes of `mask`, `count` of them.
void countRequest(Place& place, std::uint32_t site, std::uint32_t mask, std::uint32_t count,
                  const Event* const* events, std::size_t at, std::uint32_t callSite);
/// The same where the request has the place's last shape; false, and nothing done, where it has not
/// or its events are of several sites.
[[nodiscard]] bool takeShape(Place& place, std::uint32_t site, std::uint32_t mask,
                             std::uint32_t count, const Event* const* events, std::size_t at);
void countBranch(Place& place, std::uint32_t site, std::uint32_t lanes, bool divergent,
                 std::uint32_t callSite);

/// Totals of all places for bounds of samples: loads' requests and sectors, stores', wavefronts,
/// branches, divergent ones.
struct BlockTotals final {
    double values[7] = {};
};
[[nodiscard]] BlockTotals totalsSoFar();
inline constexpr Metric totalMetrics[7] = {Metric::globalLoadRequests,  Metric::globalLoadSectors,
                                           Metric::globalStoreRequests, Metric::globalStoreSectors,
                                           Metric::sharedWavefronts,    Metric::branches,
                                           Metric::divergentBranches};

/// The lines of the launch; all counts times `scale`.
[[nodiscard]] std::vector<ProgramLine> linesOfLaunch(double scale);
[[nodiscard]] std::uint64_t laneAccesses();

}  // namespace warplens::runtime
