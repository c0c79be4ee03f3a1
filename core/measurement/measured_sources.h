#pragma once

#include <array>

#include "core/measurement/metric.h"

namespace warplens {

/// Those that a measurement may have, from what is written to what was timed.
inline constexpr std::array measuredSources{Source::predicted, Source::compiled, Source::counted,
                                            Source::timed};

}  // namespace warplens
