#pragma once

#include "app/cli/output.h"
#include "core/scenario/scenario.h"

/// Every thread of a launch, blocks and threads in linear order, written as it is computed: memory
/// does not grow with the launch.
namespace warplens {

/// Lines `block_x,..,lane,element`; `linear`, `warp` and `lane` are within the block, `element` is
/// empty for a thread outside the problem.
void writeThreadsAsCsv(const Experiment& experiment, Output& output);

/// One object: `scenario`, `launch`, `arguments` and `threads`, each thread with what CSV has and
/// its `element` of the output array, null for a thread outside the problem.
void writeThreadsAsJson(const Experiment& experiment, Output& output);

/// Summary of the launch, and the warps of the first block with their threads and elements.
[[nodiscard]] std::string warpSummary(const Experiment& experiment);

}  // namespace warplens
