#pragma once

#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "app/drawing/block3d_layout.h"
#include "app/drawing/block_layout.h"

namespace warplens {

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
