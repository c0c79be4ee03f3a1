#pragma once

#include <span>
#include <string>

#include "core/launch/extents.h"
#include "core/text/delimited.h"
#include "kernels/library/block_demand.h"

/// Occupancy as text for people and as JSON.
namespace warplens {

/// A kernel's blocks, asked about on SMs of one or many compute capabilities.
struct OccupancyQuestion final {
    std::string title;  ///< the scenario with its launch; empty for a block of no kernel
    Extents block;
    StatedDemand demand;
    std::uint64_t gridBlocks = 0;  ///< 0: no grid
};

/// The slots of one SM, what each resource has room for, and what is unsettled about it. The block
/// must be one that can be launched there.
[[nodiscard]] std::string reportOf(const OccupancyQuestion& question, const SmLimits& limits);

/// A heading, then a row for each of them.
[[nodiscard]] TextRows rowsOf(const OccupancyQuestion& question, std::span<const SmLimits> limits);
/// The same as text, with the block above and what is unsettled below.
[[nodiscard]] std::string tableOf(const OccupancyQuestion& question,
                                  std::span<const SmLimits> limits);

/// Prints it as a Document::occupancy.
void printJson(const OccupancyQuestion& question, std::span<const SmLimits> limits);

}  // namespace warplens
