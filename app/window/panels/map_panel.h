#pragma once

#include "app/window/panels/map_context.h"

namespace warplens::window {

/// The map and where it lies in the window.
struct MapFrame final {
    MapArea area;
    MapLayout layout;
    MapCamera camera;
    ImVec2 at;

    [[nodiscard]] ImVec2 on(const MapPoint& point) const {
        const Point pixel = pixelAt(camera, layout, area, point);
        return {at.x + pixel.x, at.y + pixel.y};
    }
};

/// The map for the room given; what it shows comes from the state's camera.
[[nodiscard]] MapFrame mapFrame(const MapContext& context, ImVec2 at, ImVec2 size);

/// The map: the picture, what is written over it, and what the pointer does to it.
void drawMap(const MapContext& context, const MapFrame& frame, Commands& commands);

/// What the scale resolves, in words: `a square is a thread`.
[[nodiscard]] std::string describeScale(const MapFrame& frame);

}  // namespace warplens::window
