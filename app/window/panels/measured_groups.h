#pragma once

#include <string>
#include <vector>

#include "app/drawing/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The groups of the Measured panel, each with its heading. One of which no source speaks draws
/// nothing.
namespace warplens::window {

void drawCoalescing(const UiContext& ui, const Evidence& evidence);
void drawBandwidth(const UiContext& ui, const Evidence& evidence, const Device& device);
void drawDivergence(const UiContext& ui, const Evidence& evidence);
void drawSharedMemory(const UiContext& ui, const Evidence& evidence);
/// And whether threads are where the rule has them.
void drawOccupancy(const UiContext& ui, const Evidence& evidence);
/// What a reader must know to read the numbers.
void drawNotes(const UiContext& ui, const std::vector<std::string>& notes);

}  // namespace warplens::window
