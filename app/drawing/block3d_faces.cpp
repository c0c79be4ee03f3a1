#include "app/drawing/block3d_faces.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace warplens {
namespace {

/// Which cube fills a cell of the block.
class Cells final {
  public:
    explicit Cells(const std::vector<Block3dCube>& cubes) {
        for (const Block3dCube& cube : cubes) extent_ = glm::max(extent_, cube.cell + 1);
        filled_.resize(static_cast<std::size_t>(extent_.x * extent_.y * extent_.z), nullptr);
        for (const Block3dCube& cube : cubes) filled_[place(cube.cell)] = &cube;
    }

    /// Null where there is none.
    [[nodiscard]] const Block3dCube* at(glm::ivec3 cell) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (cell[axis] < 0 || cell[axis] >= extent_[axis]) return nullptr;
        }
        return filled_[place(cell)];
    }

  private:
    [[nodiscard]] std::size_t place(glm::ivec3 cell) const {
        return static_cast<std::size_t>((cell.z * extent_.y + cell.y) * extent_.x + cell.x);
    }
    glm::ivec3 extent_{0};
    std::vector<const Block3dCube*> filled_;
};

}  // namespace

Block3dLayer layerOf(const Block3dLayout& layout, const Block3dCube& cube,
                     std::optional<WarpRank> held) {
    if (cube.rank >= layout.block.count()) return Block3dLayer::hollow;
    return held && *held != warpRankInBlock({cube.rank}) ? Block3dLayer::receded
                                                         : Block3dLayer::full;
}

glm::vec3 Block3dFace::at(float u, float v) const {
    glm::vec3 place = corner;
    place[axis] += high ? 1.0F : 0.0F;
    place[(axis + 1) % 3] += u;
    place[(axis + 2) % 3] += v;
    return place;
}

glm::vec3 Block3dFace::centre() const {
    return at(0.5F, 0.5F);
}

std::vector<Block3dFace> facesTowards(const Block3dLayout& layout, glm::vec3 eye,
                                      std::optional<WarpRank> held) {
    const Cells cells(layout.cubes);
    std::vector<Block3dFace> faces;
    for (const Block3dCube& cube : layout.cubes) {
        const Block3dLayer layer = layerOf(layout, cube, held);
        for (std::uint8_t axis = 0; axis < 3; ++axis) {
            const bool high = eye[axis] > cube.corner[axis] + 1;
            if (!high && eye[axis] >= cube.corner[axis]) continue;
            glm::ivec3 beside = cube.cell;
            beside[axis] += high ? 1 : -1;
            const Block3dCube* neighbour = cells.at(beside);
            const bool covered = neighbour != nullptr &&
                                 layerOf(layout, *neighbour, held) == layer &&
                                 (!layout.apart || warpRankInBlock({neighbour->rank}) ==
                                                       warpRankInBlock({cube.rank}));
            if (!covered) faces.push_back({cube.rank, layer, axis, high, cube.corner});
        }
    }
    const auto distance = [&](const Block3dFace& face) {
        return glm::distance(face.centre(), eye);
    };
    const auto seenThrough = std::ranges::stable_partition(
        faces, [](const Block3dFace& face) { return face.layer == Block3dLayer::full; });
    std::ranges::sort(seenThrough, [&](const Block3dFace& a, const Block3dFace& b) {
        return a.layer != b.layer ? a.layer < b.layer : distance(a) > distance(b);
    });
    return faces;
}

}  // namespace warplens
