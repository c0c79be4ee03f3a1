#include "app/drawing/block3d_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/common.hpp>

namespace warplens {
namespace {

constexpr std::uint32_t longestUncut = 64;

bool isRow(Extents block) {
    return block.y == 1 && block.z == 1;
}

glm::ivec3 cellOf(Index3 thread, Extents block) {
    glm::ivec3 cell{thread.x, thread.y, thread.z};
    constexpr int piece = block3dPiece;
    if (isCutAlongX(block)) {
        const int pitch = isRow(block) ? 1 : static_cast<int>(block.y) + 1;
        cell.y += cell.x / piece * pitch;
        cell.x %= piece;
    } else if (isCutAlongY(block)) {
        const int pitch = block.x == 1 && block.z == 1 ? 1 : static_cast<int>(block.x) + 1;
        cell.x += cell.y / piece * pitch;
        cell.y %= piece;
    }
    return cell;
}

/// Where idle lanes would have their threads if the block went on.
Index3 indexBeyond(std::uint32_t rank, Extents block) {
    if (isRow(block)) return {rank, 0, 0};
    if (block.z == 1) return {rank % block.x, rank / block.x, 0};
    return threadIndexInBlock({rank}, block);
}

/// The warp's place among the warps along each axis, where every warp is a box of threads.
std::optional<Index3> boxIndex(Extents block, WarpRank warp) {
    const Index3 first = threadIndexInBlock(firstThreadOfWarp(warp), block);
    if (isRow(block)) return Index3{warp.value, 0, 0};
    if (block.x % lanesPerWarp == 0) return Index3{first.x / lanesPerWarp, first.y, first.z};
    if (lanesPerWarp % block.x != 0) return std::nullopt;
    const std::uint32_t rows = lanesPerWarp / block.x;
    if (block.z == 1 || block.y % rows == 0) return Index3{0, first.y / rows, first.z};
    if (rows % block.y == 0) return Index3{0, 0, warp.value};
    return std::nullopt;
}

void enclose(glm::vec3& low, glm::vec3& high, glm::vec3 corner) {
    low = glm::min(low, corner);
    high = glm::max(high, corner + 1.0F);
}

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

/// Of warps that are apart and seen: those that fill their box, and through which nothing is seen.
std::vector<Block3dLayout::WarpBox> opaqueBoxes(const Block3dLayout& layout,
                                                std::optional<WarpRank> held) {
    std::vector<Block3dLayout::WarpBox> boxes;
    for (const Block3dLayout::WarpBox& box : layout.warps) {
        const glm::vec3 extent = box.high - box.low;
        const bool full = layerOf(layout, layout.cubes[box.end - 1], held) == Block3dLayer::full;
        const auto volume = static_cast<std::size_t>(std::lround(extent.x * extent.y * extent.z));
        if (layout.apart && full && volume == box.end - box.begin) boxes.push_back(box);
    }
    return boxes;
}

/// Wholly behind one of them, which it is where its corners are.
bool behindAny(const std::vector<Block3dLayout::WarpBox>& boxes, const Block3dFace& face,
               glm::vec3 eye) {
    const std::array corners{face.at(0, 0), face.at(1, 0), face.at(1, 1), face.at(0, 1)};
    return std::ranges::any_of(boxes, [&](const Block3dLayout::WarpBox& box) {
        return std::ranges::all_of(corners, [&](glm::vec3 corner) {
            constexpr float touching = 1 - 1e-5F;  // its own box, or one beside it
            return entry(box.low, box.high, eye, 1.0F / (corner - eye)) < touching;
        });
    });
}

constexpr float nowhere = std::numeric_limits<float>::infinity();

}  // namespace

bool isCutAlongX(Extents block) {
    return block.x > (isRow(block) ? lanesPerWarp : longestUncut);
}

bool isCutAlongY(Extents block) {
    return block.y > longestUncut && !isCutAlongX(block);
}

// Cubes of different warps that differ along one axis alone must keep their order along it. Along z
// that holds for every block, since a higher z means a higher warp; along y for those of one slice.
glm::vec3 warpStep(Extents block, WarpRank warp) {
    const auto step = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return glm::vec3(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    };
    const auto box = boxIndex(block, warp);
    if (!box) {
        const bool flat = block.z == 1 && !isCutAlongX(block) && !isCutAlongY(block);
        return flat ? step(0, warp.value, 0) : step(0, 0, warp.value);
    }
    if (isCutAlongX(block)) return step(0, box->x * block.y + box->y, box->z);
    if (isCutAlongY(block)) return step(box->y / block.x, box->y % block.x, box->z);
    return step(box->x, box->y, box->z);
}

Block3dLayout layOutBlock3d(Extents block, const Block3dView& view) {
    Block3dLayout layout{.block = block,
                         .apart = view.apart > 0,
                         .cubes = {},
                         .warps = {},
                         .low = glm::vec3(nowhere),
                         .high = glm::vec3(-nowhere)};
    const auto& [alongX, alongY, alongZ] = view.slices;
    const auto kept = [&](Index3 thread) {
        return alongX.contains(thread.x) && alongY.contains(thread.y) && alongZ.contains(thread.z);
    };
    const bool whole = alongX.first == 0 && alongY.first == 0 && alongZ.first == 0 &&
                       kept({block.x - 1, block.y - 1, block.z - 1});
    const auto threads = static_cast<std::uint32_t>(block.count());
    const bool idle = layout.apart || isRow(block);
    for (std::uint32_t warp = 0; warp < warpCountPerBlock(block); ++warp) {
        Block3dLayout::WarpBox box{.begin = layout.cubes.size(),
                                   .end = layout.cubes.size(),
                                   .low = glm::vec3(nowhere),
                                   .high = glm::vec3(-nowhere)};
        const glm::vec3 moved = view.apart * warpStep(block, {warp});
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            const std::uint32_t rank = warp * lanesPerWarp + lane;
            const bool thread = rank < threads;
            if (!thread && !idle) break;
            const Index3 index =
                thread ? threadIndexInBlock({rank}, block) : indexBeyond(rank, block);
            const glm::ivec3 cell = cellOf(index, block);
            const glm::vec3 corner = glm::vec3(cell) + moved;
            enclose(layout.low, layout.high, corner);
            if (thread ? !kept(index) : !whole) continue;
            enclose(box.low, box.high, corner);
            layout.cubes.push_back({rank, cell, corner});
        }
        box.end = layout.cubes.size();
        if (box.end > box.begin) layout.warps.push_back(box);
    }
    return layout;
}

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

float entry(glm::vec3 low, glm::vec3 high, glm::vec3 origin, glm::vec3 inverse) {
    const glm::vec3 a = (low - origin) * inverse;
    const glm::vec3 b = (high - origin) * inverse;
    const glm::vec3 in = glm::min(a, b);
    const glm::vec3 out = glm::max(a, b);
    const float enters = std::max({in.x, in.y, in.z});
    return enters <= std::min({out.x, out.y, out.z}) ? enters
                                                     : std::numeric_limits<float>::infinity();
}

std::vector<Block3dFace> facesTowards(const Block3dLayout& layout, glm::vec3 eye,
                                      std::optional<WarpRank> held) {
    const Cells cells(layout.cubes);
    const auto opaque = opaqueBoxes(layout, held);
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
            const Block3dFace face{cube.rank, layer, axis, high, cube.corner};
            if (!covered && !behindAny(opaque, face, eye)) faces.push_back(face);
        }
    }
    // Cubes lie on a lattice: a ray passes them in the order of this distance.
    const auto distance = [&](const Block3dFace& face) {
        const glm::vec3 away = glm::abs(face.corner + 0.5F - eye);
        return away.x + away.y + away.z;
    };
    std::ranges::stable_sort(faces, std::ranges::greater{}, distance);
    return faces;
}

}  // namespace warplens
