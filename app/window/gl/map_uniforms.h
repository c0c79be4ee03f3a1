#pragma once

#include "app/window/gl/mapping_renderer.h"
#include "app/window/gl/uniforms.h"

namespace warplens::window {

/// Everything the map's program needs beside what all pictures share.
void setMapUniforms(const Uniforms& uniforms, const MapPicture& picture);

}  // namespace warplens::window
