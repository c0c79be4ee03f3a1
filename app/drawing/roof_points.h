#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "core/roofline/roofline.h"

namespace warplens::drawing {

/// The roofline of the experiments: each is traced on the host
/// and takes its measurement from `measured` where there is one of exactly it; these are all of one
/// device, the first that was measured with its ceilings. Cost: below a second for each experiment.
/// Throws PredictionStopped.
[[nodiscard]] Roofline rooflineOf(const std::vector<Experiment>& experiments,
                                  std::span<const Measurement* const> measured,
                                  std::stop_token stop = {});

}  // namespace warplens::drawing
