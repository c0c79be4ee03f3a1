#pragma once

#include "core/measurement/json_reader.h"
#include "core/schedule/schedule.h"

/// For core/measurement/json.cpp: a schedule as part of a measurement. Blocks and warps are written
/// column by column, which keeps thousands of them small.
namespace warplens::json_reader {

[[nodiscard]] Json treeOf(const Schedule& schedule);

/// Throws MalformedJson for lists of unequal length, runs that end before they begin, more than a
/// schedule may hold.
[[nodiscard]] Schedule scheduleOf(const Json& tree);

}  // namespace warplens::json_reader
