#pragma once

#include <optional>

#include "app/drawing/plot.h"

namespace warplens::drawing {

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

}  // namespace warplens::drawing
