#pragma once

#include <span>

#include "core/measurement/metric.h"
#include "core/scenario/scenario.h"

namespace warplens {

/// Where what is compiled or counted is something else than what is predicted, and why.
struct KnownDifference final {
    const char* scenario;
    Metric metric;
    Source source;        ///< what differs from the prediction: compiled or counted
    const char* subject;  ///< `kernel`, or a branch
    const char* cause;    ///< of a compiler or a counter, as found in the machine code
    /// What the cause adds to the prediction of a launch, exactly.
    double (*more)(const Experiment&);
};

/// All of them. `docs/agreement.md` says where each cause was found.
[[nodiscard]] std::span<const KnownDifference> knownDifferences();
/// Null where that is to say what is predicted.
[[nodiscard]] const KnownDifference* knownDifference(const Experiment& experiment, Metric metric,
                                                     Source source, std::string_view subject);

}  // namespace warplens
