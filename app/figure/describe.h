#pragma once

#include <string>

#include "app/figure/subject.h"

namespace warplens::figure {

/// What the picture of the subject's view shows, as sentences, a line each, for people who do not
/// see it: title, launch, what there is to look for, which threads a warp holds, what its step asks
/// of memory and of which lanes, what an SM holds, when the blocks ran, the source with what the
/// warp does at its lines; then the numbers with their sources. The view `scenario` tells all of
/// it. Cost: traces one warp.
[[nodiscard]] std::string describe(const Subject& subject);

}  // namespace warplens::figure
