#pragma once

#include "app/window/panels/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The groups of the Measured panel, each with its heading. One of which no source speaks draws
/// nothing.
namespace warplens::window {

void drawCoalescing(const Pen& pen, const Evidence& evidence);
void drawBandwidth(const Pen& pen, const Evidence& evidence, const Result& result);
void drawDivergence(const Pen& pen, const Evidence& evidence);
/// Draws nothing for a kernel without arrays in shared memory.
void drawSharedMemory(const Pen& pen, const Evidence& evidence, const Kernel& kernel);
void drawOccupancyAndChecks(const Pen& pen, const Evidence& evidence, const Result& result);

}  // namespace warplens::window
