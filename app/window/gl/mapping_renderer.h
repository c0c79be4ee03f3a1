#pragma once

#include <array>
#include <variant>

#include "app/drawing/block_layout.h"
#include "app/drawing/elements.h"
#include "app/drawing/grid_layout.h"
#include "app/drawing/palette.h"
#include "app/window/gl/program.h"

namespace warplens::window {

struct PixelSize final {
    int width = 0;
    int height = 0;
    friend constexpr bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// Part of the framebuffer in pixels from its top left corner.
struct PixelRect final {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
};

struct ThreadsPicture final {
    BlockLayout layout;
};
struct WarpsPicture final {
    Extents block;
    float cellWidth = 1;
    float cellHeight = 1;
};
struct GridPicture final {
    GridLayout layout;
    Extents block;
    ProblemEdge edge;
};

/// One picture and how it is to look.
struct MappingPicture final {
    std::variant<ThreadsPicture, WarpsPicture, GridPicture> what;
    PixelRect rect;
    OutsideMask outside{};
    int heldWarp = -1;
    float lineWidth = 1;  ///< pixels
    float fade = 1;       ///< below 1 the picture recedes into the ground
    Rgb ground = 0;
    Rgb outline = 0;
    Rgb blockColor = 0;
    Rgb edgeColor = 0;
};

/// Draws mappings per pixel: the cost depends on the pixels, not on the threads. Needs the OpenGL
/// context it was made in.
class MappingRenderer final {
  public:
    /// Throws ShaderError.
    MappingRenderer();
    MappingRenderer(const MappingRenderer&) = delete;
    MappingRenderer& operator=(const MappingRenderer&) = delete;
    ~MappingRenderer();

    /// Into the bound framebuffer; leaves blending on and its own program bound.
    void draw(const MappingPicture& picture, PixelSize framebuffer) const;

  private:
    std::array<Program, std::variant_size_v<decltype(MappingPicture::what)>> programs_;
    unsigned vertexArray_ = 0;
};

}  // namespace warplens::window
