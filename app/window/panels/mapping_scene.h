#pragma once

#include "app/window/panels/mapping_canvas.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What the pictures of the mapping panel share.
struct Scene final {
    const Pen& pen;
    MappingCanvas& canvas;
    const AppState& state;
    OutsideMask outside;
    bool stale;  ///< the fields hold a launch that cannot be drawn

    /// A picture in the look of the window; what it shows is left to say.
    [[nodiscard]] MappingPicture picture(ImVec2 at, ImVec2 size) const;
};

/// A frame round something chosen, that stands out on any colour.
void outline(ImDrawList& list, const Look& look, ImVec2 from, ImVec2 to);

/// The last item lies under the pointer, which is on this thread of the chosen block.
void pointedThread(const Scene& scene, Index3 thread, Commands& commands);

}  // namespace warplens::window
