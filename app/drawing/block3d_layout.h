#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/drawing/block_layout.h"
#include "app/drawing/elements.h"
#include "app/drawing/warp_memory.h"
#include "core/launch/mapping.h"

/// Where the threads of a block lie as cubes: x to the right, y down, z away from the viewer, so
/// that the front of the block is the first slice of the flat picture. One unit is one cube.
namespace warplens {

/// Indices kept along one axis, both ends included; ends beyond the block are its own.
struct IndexRange final {
    std::uint32_t first = 0;
    std::uint32_t last = UINT32_MAX;
    [[nodiscard]] constexpr bool contains(std::uint32_t index) const {
        return index >= first && index <= last;
    }
    friend constexpr bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// How the cubes are looked at.
inline constexpr float leastZoom = 0.25F;
inline constexpr float largestZoom = 64;
inline constexpr float farthestPan = 200;  ///< cubes
inline constexpr float farthestApart = 2;  ///< cubes
struct Block3dView final {
    float turn = -32;  ///< degrees about the vertical; positive turns the front to the right
    float tilt = 24;   ///< degrees; positive looks from above
    float zoom = 1;    ///< at 1 the whole block fits
    float panX = 0;    ///< cubes to the right, and down
    float panY = 0;
    std::array<IndexRange, 3> slices{};  ///< along x, y, z; other threads are cut away
    float apart = 0;                     ///< cubes between warps that would touch
    friend constexpr bool operator==(const Block3dView&, const Block3dView&) = default;
};

/// One thread, or one idle lane of the last warp.
struct Block3dCube final {
    std::uint32_t rank = 0;  ///< of the thread; from the block's count on an idle lane
    glm::ivec3 cell{};       ///< place in the block while the warps touch
    glm::vec3 corner{};      ///< lowest corner, moved with its warp
};

struct Block3dLayout final {
    /// Cubes of one warp that follow one another in `cubes`, and the box they fill.
    struct WarpBox final {
        std::size_t begin = 0;
        std::size_t end = 0;
        glm::vec3 low{};
        glm::vec3 high{};
    };
    Extents block;
    bool apart = false;
    std::vector<Block3dCube> cubes;  ///< by rank; cut away ones left out
    std::vector<WarpBox> warps;
    glm::vec3 low{};  ///< of the whole block, with what is cut away
    glm::vec3 high{};
};

/// Longer axes are cut into pieces of 32 that lie beside one another: x below, y to the right. A
/// block of one row is cut as in the flat picture, so that a row is a warp.
inline constexpr std::uint32_t block3dPiece = 32;
[[nodiscard]] bool isCutAlongX(Extents block);
[[nodiscard]] bool isCutAlongY(Extents block);

/// How far a warp moves when there is one cube between warps. No two cubes ever overlap, whatever
/// the distance.
[[nodiscard]] glm::vec3 warpStep(Extents block, WarpRank warp);

/// `block` must be legal. Idle lanes are shown where warps end visibly: in one row of threads, and
/// when the warps are apart; not in a sliced block.
[[nodiscard]] Block3dLayout layOutBlock3d(Extents block, const Block3dView& view);

/// What covers what: an earlier layer is seen through a later one.
enum class Block3dLayer : std::uint8_t {
    full,     ///< a thread
    receded,  ///< a thread of another warp than the one held
    hollow,   ///< an idle lane
};
[[nodiscard]] Block3dLayer layerOf(const Block3dLayout& layout, const Block3dCube& cube,
                                   std::optional<WarpRank> held);

/// Where the ray from `origin` enters the box, in lengths of its direction, of which it takes the
/// inverse; infinity when it misses.
[[nodiscard]] float entry(glm::vec3 low, glm::vec3 high, glm::vec3 origin, glm::vec3 inverse);

/// One side of one cube.
struct Block3dFace final {
    std::uint32_t rank = 0;
    Block3dLayer layer{};
    std::uint8_t axis = 0;  ///< it lies across
    bool high = false;      ///< at the cube's higher end of that axis
    glm::vec3 corner{};     ///< lowest corner of the cube
    friend bool operator==(const Block3dFace&, const Block3dFace&) = default;

    [[nodiscard]] glm::vec3 centre() const;
    /// Corner of the face at 0 or 1 along each of its sides.
    [[nodiscard]] glm::vec3 at(float u, float v) const;
};

/// The sides that look towards the eye and have no cube of their layer against them, from far to
/// near: each may hide those before it, none those behind it. Left out are those wholly behind
/// another warp. At most three for each cube.
[[nodiscard]] std::vector<Block3dFace> facesTowards(const Block3dLayout& layout, glm::vec3 eye,
                                                    std::optional<WarpRank> held);

/// Looks at a block from outside it, in weak perspective. Zooming magnifies the picture and leaves
/// the eye where it is, so no cube is ever behind it.
struct Block3dCamera final {
    glm::mat4 toClip{1};      ///< from the layout's units to OpenGL's clip space
    glm::mat4 fromClip{1};    ///< its inverse
    glm::vec3 eye{};          ///< in the layout's units
    float width = 1;          ///< of the picture, pixels
    float height = 1;         ///< of the picture, pixels
    Point middle{};           ///< where the middle of the block lies unless panned
    float pixelsPerCube = 1;  ///< at zoom 1, in the middle of the block

    /// Pixels from the picture's top left corner.
    [[nodiscard]] Point project(glm::vec3 place) const;
    /// Direction from the eye through a point of the picture, of any length.
    [[nodiscard]] glm::vec3 directionThrough(Point point) const;
};

/// The picture that a block is to fill, in pixels. What is left free is free at zoom 1.
struct Block3dFrame final {
    float width = 1;
    float height = 1;
    float left = 0;
    float right = 0;
    float above = 0;
    float below = 0;
    float largestCube = 96;
};

/// At zoom 1 the whole block fits, and keeps its size while it is turned as far as it can.
[[nodiscard]] Block3dCamera lookAt(const Block3dLayout& layout, const Block3dView& view,
                                   const Block3dFrame& frame);

/// The view zoomed by `factor` so that what lies under `point` stays there, within the bounds of
/// zooming.
[[nodiscard]] Block3dView zoomedAt(Block3dView view, const Block3dCamera& camera, Point point,
                                   float factor);

/// The thread (or idle lane) whose cube is seen at the point, by its rank. A held warp is seen
/// through the others, and idle lanes are hollow: threads are seen through them.
[[nodiscard]] std::optional<std::uint32_t> cubeAt(const Block3dLayout& layout,
                                                  const Block3dCamera& camera, Point point,
                                                  std::optional<WarpRank> held);

/// One edge of the block along which an index runs, on the outline of its picture. In pixels.
struct Block3dAxis final {
    struct Tick final {
        Point at;
        std::uint32_t number = 0;
    };
    Point from{};  ///< where the index is lowest
    Point to{};
    Point outward{};          ///< away from the block, of length 1
    std::string name;         ///< `threadIdx.x`
    std::string extent;       ///< `0 … 31`
    std::vector<Tick> ticks;  ///< none where warps that are apart share no line
};

/// Of the threads that are not cut away. Axes of one index, or seen end on, are left out.
[[nodiscard]] std::vector<Block3dAxis> axesOf(const Block3dLayout& layout, const Block3dView& view,
                                              const Block3dCamera& camera);

}  // namespace warplens

namespace warplens::drawing {

/// What of the block stands out, and how.
struct Block3dLook final {
    WastedMask wasted{};             ///< threads that are hatched
    std::optional<WarpRank> held{};  ///< seen through the others
    std::optional<Index3> thread{};  ///< outlined
    float smallestDigits = 9;  ///< warps are numbered where their numbers are at least so high
    float fade = 1;            ///< below 1 the cubes recede into the background, unnumbered
};

struct Block3dPicture final {
    Items items;
    Block3dLayout layout;
    Block3dCamera camera;  ///< its picture begins at the area's top left corner
};

/// The threads of a block as cubes with the numbers of their warps, from far to near, and its three
/// axes on their outline; axes of one index, or seen end on, are left out. `block` must be legal.
/// Cost: below 10,000 items.
[[nodiscard]] Block3dPicture prepareBlock3d(Extents block, const Block3dView& view,
                                            const Block3dLook& look, const DrawArea& area);

}  // namespace warplens::drawing
