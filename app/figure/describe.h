#pragma once

#include <string>
#include <vector>

#include "app/figure/subject.h"

namespace warplens::figure {

/// What the picture of the subject's view shows, as sentences, a line each, for people who do not
/// see it: title, launch, what there is to look for, which threads a warp holds, what its step asks
/// of memory and of which lanes, what an SM holds, when the blocks ran, the source with what the
/// warp does at its lines; then the numbers with their sources. The view `scenario` tells all of
/// it. Cost: traces one warp.
struct Description final {
    struct Part final {
        std::string heading;  ///< `Threads`; empty for the first, which opens it
        std::vector<std::string> lines;
    };
    std::vector<Part> parts;
};
[[nodiscard]] Description describe(const Subject& subject);

/// The parts one after the other, an empty line and the heading before each.
[[nodiscard]] std::string toText(const Description& description);

}  // namespace warplens::figure
