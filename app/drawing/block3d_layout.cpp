#include "app/drawing/block3d_layout.h"

#include <algorithm>
#include <glm/common.hpp>
#include <limits>
#include <optional>

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

}  // namespace warplens
