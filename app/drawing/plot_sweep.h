#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "app/drawing/plot.h"
#include "core/roofline/roofline.h"
#include "core/sweep/quantity.h"

/// A sweep as a plot, one quantity over an argument, or over the shapes of blocks; and the roof
/// over the points of the matrix products.
namespace warplens::drawing {

struct SweepPicture final {
    Items items;
    std::optional<std::size_t> pointed;  ///< the sweep's point under the pointer
};

/// What of the sweep stands out.
struct SweepMarks final {
    std::optional<std::size_t> held{};  ///< the point whose launch is shown elsewhere
    std::optional<Point> pointer{};
};

/// Cost: some items for each point and source.
[[nodiscard]] SweepPicture prepareSweep(const Sweep& sweep, const Quantity& quantity,
                                        const DrawArea& area, const SweepMarks& marks = {});

/// `stride = 8`, then each source's number of the quantity: `32 predicted, counted`.
[[nodiscard]] std::string pointInWords(const Sweep& sweep, std::size_t point,
                                       const Quantity& quantity);

/// Where the numbers come from, a line each: what is predicted and how, what was measured, on which
/// device and when, and the model where one of the `shown` has it. `recorded` where the
/// measurements were not taken just now.
[[nodiscard]] std::vector<std::string> provenanceOf(const Sweep& sweep, bool recorded,
                                                    const std::vector<Quantity>& shown = {});

/// A number for each pair of two lists.
struct HeatPlot final {
    struct Cell final {
        std::size_t column = 0;
        std::size_t row = 0;         ///< from below
        std::optional<double> heat;  ///< 0 .. 1 of the colours; hollow where nothing is known yet
        std::string number{};
        std::string remark{};  ///< a second, smaller line
        bool best = false;
        bool held = false;
    };
    std::string title;
    std::string xTitle;
    std::string yTitle;
    std::vector<std::string> columns;
    std::vector<std::string> rows;  ///< from below
    std::vector<Cell> cells;
    /// What stands in the corners beyond the cells, above right and below left; may be empty.
    std::string beyond{};
    std::string below{};
    std::vector<Tick> legend;  ///< `number` from 0 to 1 of the colours
    std::string bestWords{};   ///< what the framed cell is: `fastest`
};

struct HeatPicture final {
    Items items;
    std::vector<Box> cells;  ///< as the plot's
};

[[nodiscard]] HeatPicture prepareHeat(const HeatPlot& plot, const DrawArea& area);

/// The colour of a share from 0 to 1: from near the background to far from it, of rising contrast,
/// so that it is read in grey as well.
[[nodiscard]] Rgb heatColor(const ColorRoles& colors, double share);

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
