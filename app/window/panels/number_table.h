#pragma once

#include <string>
#include <vector>

#include "app/drawing/measured_numbers.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/comparison.h"

/// The tables of the Measured panel.
namespace warplens::window {

/// Columns predicted, compiled, counted, and whether they agree; below, why numbers are missing or
/// differ.
void numberTable(const UiContext& ui, const Evidence& evidence, const std::vector<NumberRow>& rows);

/// `a` and `b` are what A and B are called.
void comparisonTable(const UiContext& ui, const std::string& a, const std::string& b,
                     const std::vector<Comparison>& lines);

}  // namespace warplens::window
