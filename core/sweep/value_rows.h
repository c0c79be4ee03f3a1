#pragma once

#include <span>

#include "core/measurement/measurement.h"
#include "core/sweep/sweep.h"
#include "core/text/delimited.h"

/// Values as a table for other programs: one row each, numbers in their unit with all their digits.
namespace warplens {

/// Columns metric, variant, subject, source, value, unit, unavailable.
[[nodiscard]] TextRows rowsOf(std::span<const Value> values);

/// The same after the columns point, from 1, and launch, `--block 16,16 --set n=512`.
[[nodiscard]] TextRows rowsOf(const Sweep& sweep);

}  // namespace warplens
