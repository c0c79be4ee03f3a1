#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "app/drawing/plot.h"
#include "core/roofline/roofline.h"

namespace warplens::drawing {

struct RoofPicture final {
    Items items;
    std::optional<std::size_t> pointed;  ///< the roofline's point under the pointer
};

/// FLOP/s over FLOP for each byte, both logarithmic: the device's roof, the textbook device's in
/// dashes, and each point twice at its height, by the bytes it asks for (ring, predicted) and by
/// those that DRAM moved (disc, counted). Points are numbered from 1; those without a time stand as
/// short strokes on the roof.
[[nodiscard]] RoofPicture prepareRoof(const Roofline& roofline, const DrawArea& area,
                                      std::optional<std::size_t> held = {},
                                      std::optional<Point> pointer = {});

/// The rows of numbers that belong to the points: name, FLOP for each access, FLOP for each DRAM
/// byte, FLOP/s; `-` where there is none.
struct RoofRow final {
    std::string name;
    std::string sizes;
    std::string perAccess;
    std::string perDramByte;
    std::string rate;
};
[[nodiscard]] std::vector<RoofRow> rowsOf(const Roofline& roofline);

/// Where the numbers come from, a line each.
[[nodiscard]] std::vector<std::string> provenanceOf(const Roofline& roofline);

/// The roofline of the experiments: each is predicted
/// and takes its measurement from `measured` where there is one of exactly it; these are all of one
/// device, the first that was measured with its ceilings. Cost: below a second for each experiment.
/// Throws PredictionStopped.
[[nodiscard]] Roofline rooflineOf(const std::vector<Experiment>& experiments,
                                  std::span<const Measurement* const> measured,
                                  std::stop_token stop = {});

}  // namespace warplens::drawing
