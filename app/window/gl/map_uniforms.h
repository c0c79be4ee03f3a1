#pragma once

#include "app/window/gl/mapping_renderer.h"
#include "app/window/gl/uniforms.h"

namespace warplens::window {

/// Which of the map's programs draws this picture, as shaders/map.frag numbers them.
struct MapVariant final {
    int detail = 0;
    bool pieces = false;
    bool guarded = false;
    bool identify = false;
    friend constexpr auto operator<=>(const MapVariant&, const MapVariant&) = default;
};
[[nodiscard]] MapVariant variantOf(const MapPicture& picture, float lineWidth);

/// Everything the map's program needs beside what all pictures share.
void setMapUniforms(const Uniforms& uniforms, const MapPicture& picture);

}  // namespace warplens::window
