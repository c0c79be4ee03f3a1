#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/measurement/measurement.h"

namespace warplens {

/// What tracing a kernel's body on the host says a launch will do.
struct Prediction final {
    Experiment experiment;
    bool exact = false;  ///< every block was traced
    std::uint64_t blocksTraced = 0;
    std::uint64_t blocks = 0;  ///< in the grid
    std::string sample;        ///< how blocks were chosen when not exact; else empty
    double seconds = 0;
    std::vector<Value> values;  ///< all with Source::predicted
    friend bool operator==(const Prediction&, const Prediction&) = default;
};

}  // namespace warplens
