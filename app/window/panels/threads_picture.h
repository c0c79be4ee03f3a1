#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// The threads of the chosen block in the room given.
void drawThreadsPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
