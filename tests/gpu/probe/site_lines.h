#pragma once

#include <span>
#include <vector>

#include "core/program/program_trace.h"
#include "tests/gpu/probe/site.h"

namespace warplens {

/// What the probe counted at the sites, as lines with Source::compiled: sites of one place, kind
/// and memory together. A site of generic addresses becomes a line of global and one of shared
/// memory, as its lanes' addresses had it. Sites that were never reached give no line. One tally
/// for each site.
[[nodiscard]] std::vector<ProgramLine> probedLines(std::span<const Site> sites,
                                                   std::span<const SiteTally> tallies);

}  // namespace warplens
