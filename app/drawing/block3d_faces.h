#pragma once

#include <optional>
#include <vector>

#include "app/drawing/block3d_layout.h"

namespace warplens {

/// What covers what: an earlier layer is seen through a later one.
enum class Block3dLayer : std::uint8_t {
    full,     ///< a thread
    receded,  ///< a thread of another warp than the one held
    hollow,   ///< an idle lane
};
[[nodiscard]] Block3dLayer layerOf(const Block3dLayout& layout, const Block3dCube& cube,
                                   std::optional<WarpRank> held);

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

/// The sides that look towards the eye and have no cube of their layer against them: layer after
/// layer, and those that are seen through from far to near. At most three for each cube.
[[nodiscard]] std::vector<Block3dFace> facesTowards(const Block3dLayout& layout, glm::vec3 eye,
                                                    std::optional<WarpRank> held);

}  // namespace warplens
