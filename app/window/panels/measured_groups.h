#pragma once

#include "app/window/state/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The groups of the Measured panel, each with its heading. One of which no source speaks draws
/// nothing.
namespace warplens::window {

void drawCoalescing(const UiContext& ui, const Evidence& evidence);
void drawBandwidth(const UiContext& ui, const Evidence& evidence, const Result& result);
void drawDivergence(const UiContext& ui, const Evidence& evidence);
/// Draws nothing for a kernel without arrays in shared memory.
void drawSharedMemory(const UiContext& ui, const Evidence& evidence, const Kernel& kernel);
void drawOccupancyAndChecks(const UiContext& ui, const Evidence& evidence, const Result& result);

}  // namespace warplens::window
