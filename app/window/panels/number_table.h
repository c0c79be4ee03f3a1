#pragma once

#include <vector>

#include "app/window/state/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The tables of the Measured panel.
namespace warplens::window {

/// Columns predicted, probed, counted, and whether they agree; below, why numbers are missing or
/// differ.
void numberTable(const UiContext& ui, const Evidence& evidence, const std::vector<NumberRow>& rows);

void comparisonTable(const UiContext& ui, const Result& a, const Result& b);

}  // namespace warplens::window
