#pragma once

#include <string>

#include "app/drawing/evidence.h"
#include "app/window/panels/widgets.h"

/// How long a measured launch took, and where its numbers come from.
namespace warplens::window {

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
