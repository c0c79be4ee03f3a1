#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// The map and where it lies in the window.
struct MapFrame final {
    MapSheet sheet;
    MapLayout layout;
    MapCamera camera;
    ImVec2 at;

    [[nodiscard]] ImVec2 on(const MapPoint& point) const {
        const Point pixel = pixelAt(camera, layout, sheet, point);
        return {at.x + pixel.x, at.y + pixel.y};
    }
};

/// The map for the room given; what it shows comes from the state's camera.
[[nodiscard]] MapFrame mapFrame(const Scene& scene, ImVec2 at, ImVec2 size);

/// The map: the picture, what is written over it, and what the pointer does to it.
void drawMap(const Scene& scene, const MapFrame& frame, Commands& commands);

/// What the scale resolves, in words: `a square is a thread`.
[[nodiscard]] std::string describeScale(const MapFrame& frame);

}  // namespace warplens::window
