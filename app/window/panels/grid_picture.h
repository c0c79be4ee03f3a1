#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// The blocks of the grid in the room given; returns the height taken of it.
float drawGridPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
