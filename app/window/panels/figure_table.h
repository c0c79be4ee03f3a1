#pragma once

#include <vector>

#include "app/window/panels/figures.h"
#include "app/window/panels/widgets.h"

/// The tables of the Measured panel.
namespace warplens::window {

/// Columns predicted, probed, counted, and whether they agree; below, why numbers are missing or
/// differ.
void figureTable(const Pen& pen, const Evidence& evidence, const std::vector<FigureRow>& rows);

void comparisonTable(const Pen& pen, const Result& a, const Result& b);

}  // namespace warplens::window
