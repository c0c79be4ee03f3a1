#pragma once

#include <string>
#include <vector>

#include "app/drawing/solid_camera.h"

namespace warplens {

/// One edge of the solid along which an index runs, on the outline of its picture. In pixels.
struct SolidAxis final {
    struct Tick final {
        Point at;
        std::uint32_t number = 0;
    };
    Point from{};  ///< where the index is lowest
    Point to{};
    Point outward{};          ///< away from the solid, of length 1
    std::string name;         ///< `threadIdx.x`
    std::string extent;       ///< `0 … 31`
    std::vector<Tick> ticks;  ///< none where warps that are apart share no line
};

/// Of the threads that are not cut away. Axes of one index, or seen end on, are left out.
[[nodiscard]] std::vector<SolidAxis> axesOf(const SolidLayout& layout, const SolidView& view,
                                            const SolidCamera& camera);

}  // namespace warplens
