#pragma once

#include <string>
#include <vector>

#include "app/drawing/block3d_camera.h"

namespace warplens {

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
