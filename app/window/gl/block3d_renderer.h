#pragma once

#include <glm/mat4x4.hpp>
#include <vector>

#include "app/drawing/block3d_faces.h"
#include "app/window/gl/render_target.h"

namespace warplens::window {

/// A block as cubes, and how it is to look.
struct Block3dPicture final {
    PixelRect rect;
    glm::mat4 toClip{1};
    std::vector<Block3dFace> faces;  ///< in the order of `facesTowards`
    WastedMask wasted{};
    float lineWidth = 1;  ///< pixels
    float fade = 1;       ///< below 1 the picture recedes into the background
    Rgb background = 0;
    Rgb outline = 0;
    friend bool operator==(const Block3dPicture&, const Block3dPicture&) = default;
};

/// The colour of a face: its warp's own in front, lighter above, darker at the sides.
[[nodiscard]] Rgb colorOf(const Block3dFace& face);

/// Draws the faces of cubes with smooth edges, and only when something about them has changed: the
/// picture is kept. Where a processor draws, edges are smooth once the picture rests. Needs the
/// OpenGL context it was made in.
class Block3dRenderer final {
  public:
    /// Throws ShaderError.
    Block3dRenderer();
    ~Block3dRenderer();

    /// Into the bound framebuffer, within the scissor; leaves its own program bound. False where
    /// the same picture drawn once more comes out smoother.
    bool draw(const Block3dPicture& picture, PixelSize framebuffer);

    /// Compiles what `draw` needs for a layer into whatever the driver keeps of it, by a picture of
    /// one pixel that nobody sees. Leaves the bound framebuffer, and no viewport.
    void prepare(Block3dLayer layer);

    /// For each pixel of the picture's rectangle, row by row from the top, the rank of the cube
    /// seen there plus one; 0 where there is none. By the same geometry and shaders as `draw`.
    [[nodiscard]] std::vector<std::uint32_t> identify(const Block3dPicture& picture);

  private:
    void render(const Block3dPicture& picture, int samples);
    void upload(const Block3dPicture& picture) const;
    /// Draws the faces of one layer.
    void drawLayer(const Block3dPicture& picture, Block3dLayer layer) const;

    Program program_;
    Program identifying_;
    unsigned vertexArray_ = 0;
    unsigned instances_ = 0;
    RenderTarget samples_;
    RenderTarget pixels_;
    Block3dPicture kept_;
    bool byProcessor_ = false;
    bool changed_ = false;  ///< in the frame before
    bool rough_ = false;    ///< what is kept
};

}  // namespace warplens::window
