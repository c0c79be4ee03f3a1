#pragma once

#include <string>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/drawing/measured_numbers.h"
#include "app/window/panels/widgets.h"

/// The groups of measured numbers, each with its heading: one of which no source speaks draws
/// nothing; how long a measured launch took, and where its numbers come from.
namespace warplens::window {

void drawCoalescing(const UiContext& ui, const Evidence& evidence);
void drawBandwidth(const UiContext& ui, const Evidence& evidence, const Device& device);
void drawDivergence(const UiContext& ui, const Evidence& evidence);
void drawSharedMemory(const UiContext& ui, const Evidence& evidence);
/// And whether threads are where the rule has them.
void drawOccupancy(const UiContext& ui, const Evidence& evidence);
/// What a reader must know to read the numbers.
void drawNotes(const UiContext& ui, const std::vector<std::string>& notes);

/// Where measured numbers come from.
struct Origin final {
    const Device& device;
    const Timing& timing;
    const std::string& takenAt;
    const std::string& version;
    bool recorded = false;
};

/// The time, and beside it the effective bandwidth where it is known.
void drawHeadlines(const UiContext& ui, const Evidence& evidence, const Timing& timing);

/// Of `drawOrigin` in lines of at most `width`, in pixels.
[[nodiscard]] float originHeight(const UiContext& ui, const Origin& origin, float width);
/// A thin line and below it device, CUDA, runs, when, and by which version.
void drawOrigin(const UiContext& ui, const Origin& origin);

/// `Recorded on NVIDIA H200, 2026-11-21: every measured number`; draws nothing of fresh ones.
void drawRecordedTag(const UiContext& ui, const Origin& origin);

}  // namespace warplens::window
