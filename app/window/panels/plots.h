#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/panels/figures.h"
#include "app/window/panels/widgets.h"

/// The plots and tables of the Measured panel.
namespace warplens::window {

/// A percentage as one wide bar, its number large, and its source; marks the prediction on it.
void shareBar(const Pen& pen, const Evidence& evidence, std::string_view meaning, Metric metric);

/// Columns predicted, probed, counted; reasons of missing numbers below.
void figureTable(const Pen& pen, const Evidence& evidence, const std::vector<FigureRow>& rows);

struct RateBar final {
    std::string name;
    std::optional<double> bytesPerSecond;
    Rgb color;
    std::string source;
    std::string reason;  ///< why there is no number
};
/// Horizontal bars on one common scale.
void rateBars(const Pen& pen, const std::vector<RateBar>& bars);

/// Name, number and source on one line, or the reason.
void sourcedLine(const Pen& pen, const Evidence& evidence, std::string_view name,
                 const Value& value);

enum class Check : std::uint8_t { passed, broken, unknown };
void checkLine(const Pen& pen, Check check, std::string_view words);

void comparisonTable(const Pen& pen, const Result& a, const Result& b);

}  // namespace warplens::window
