#pragma once

#include <array>
#include <map>

#include "app/drawing/map_layout.h"
#include "app/drawing/palette.h"
#include "app/platform/surface.h"
#include "app/window/gl/program.h"
#include "core/launch/mapping.h"

namespace warplens::window {

/// Part of the framebuffer in pixels from its top left corner.
struct PixelRect final {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
    friend constexpr bool operator==(const PixelRect&, const PixelRect&) = default;
};

/// Any part of a launch at any scale; fills its rectangle.
struct MapPicture final {
    PixelRect rect;
    MapLayout layout;
    MapArea area;  ///< of the rectangle's size
    MapCamera camera;
    BlockGuard guard;
    std::array<Rgb, blockCaseCount> caseColors{};
    bool cases = false;       ///< more than one case occurs: which one a block is matters
    bool blocksOnly = false;  ///< no threads, however large they would be
    Index3 chosen;            ///< block
    float others = 1;         ///< strength of every other block
    /// Draws numbers into a framebuffer of four 32-bit integers instead: x of the block, y + 2^16
    /// z, 1 + rank of the thread (0 where there is none, or none is resolved), and 1 + detail; all
    /// 0 beside blocks.
    bool identify = false;
    int heldWarp = -1;
    float lineWidth = 1;  ///< pixels
    float fade = 1;       ///< below 1 the picture recedes into the background
    Rgb background = 0;
    Rgb outline = 0;
};

/// The same picture where each length has `factor` times as many pixels.
[[nodiscard]] MapPicture scaled(MapPicture picture, float factor);

/// Which of the map's programs draws a picture, as shaders/map.frag numbers them.
struct MapVariant final {
    int detail = 0;
    bool pieces = false;
    bool guarded = false;
    bool identify = false;
    friend constexpr auto operator<=>(const MapVariant&, const MapVariant&) = default;
};

[[nodiscard]] MapVariant variantOf(const MapPicture& picture);

/// Draws mappings per pixel: the cost depends on the pixels, not on the threads. Needs the OpenGL
/// context it was made in.
class MappingRenderer final {
  public:
    /// Throws ShaderError.
    MappingRenderer();
    MappingRenderer(MappingRenderer&&) = delete;
    ~MappingRenderer();

    /// Into the bound framebuffer; leaves its own program bound, and blending on.
    void draw(const MapPicture& picture, PixelSize framebuffer);

    /// Whether the picture's program has been compiled.
    [[nodiscard]] bool ready(const MapPicture& picture) const {
        const auto found = programs_.find(variantOf(picture));
        return found != programs_.end() && found->second.isChecked();
    }
    /// Has it compiled beside the caller, where it can be.
    void begin(const MapPicture& picture);

    /// Compiles one of the programs that no picture has needed yet, into whatever the driver keeps
    /// of them, and draws nothing; false when there is none left. Costs about 0.1 s where a
    /// processor draws.
    bool prepareNext();

  private:
    Program& begunFor(const MapVariant& variant);
    const Program& programFor(const MapVariant& variant);

    std::map<MapVariant, Program> programs_;
    unsigned vertexArray_ = 0;
};

}  // namespace warplens::window
