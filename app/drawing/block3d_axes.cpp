#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <map>
#include <optional>

#include "app/drawing/block3d_camera.h"

namespace warplens {
namespace {

constexpr float shortest = 12;  ///< pixels

struct Edge final {
    glm::vec3 from{};
    glm::vec3 to{};
    Block3dAxis drawn;
};

Point between(Point a, Point b) {
    return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

/// The edge of the box along `axis` that lies farthest out in the picture: of two alike, the lower
/// one, or the left one of those along y.
std::optional<Edge> outermost(glm::vec3 low, glm::vec3 high, int axis,
                              const Block3dCamera& camera) {
    const Point middle = camera.project((low + high) / 2.0F);
    std::optional<Edge> best;
    float farthest = 0;
    for (int corner = 0; corner < 4; ++corner) {
        Edge edge{.from = low, .to = low, .drawn = {}};
        const int b = (axis + 1) % 3;
        const int c = (axis + 2) % 3;
        edge.from[b] = (corner & 1) != 0 ? high[b] : low[b];
        edge.from[c] = (corner & 2) != 0 ? high[c] : low[c];
        edge.to = edge.from;
        edge.to[axis] = high[axis];
        const Point from = camera.project(edge.from);
        const Point to = camera.project(edge.to);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        if (length < shortest) continue;
        Point outward{(to.y - from.y) / length, -(to.x - from.x) / length};
        const Point centre = between(from, to);
        float distance = outward.x * (centre.x - middle.x) + outward.y * (centre.y - middle.y);
        if (distance < 0) {
            outward = {-outward.x, -outward.y};
            distance = -distance;
        }
        const float liked = axis == 1 ? middle.x - centre.x : centre.y - middle.y;
        distance += 0.1F * liked;
        if (best && distance <= farthest) continue;
        farthest = distance;
        edge.drawn = {
            .from = from, .to = to, .outward = outward, .name = {}, .extent = {}, .ticks = {}};
        best = edge;
    }
    return best;
}

/// What is written along an axis: which index stands at which place.
struct Numbers final {
    std::map<float, std::uint32_t> at;
    bool apart = false;  ///< one place stands for several indices
};

/// Of the index along `named`, at the places along `axis`; where it is `cut`, the lowest counts.
Numbers numbersAlong(const Block3dLayout& layout, int axis, int named, bool cut) {
    Numbers numbers;
    for (const Block3dCube& cube : layout.cubes) {
        if (cube.rank >= layout.block.count()) break;
        const Index3 thread = threadIndexInBlock({cube.rank}, layout.block);
        const std::array indices{thread.x, thread.y, thread.z};
        const std::uint32_t index = indices.at(static_cast<std::size_t>(named));
        const auto [place, fresh] = numbers.at.try_emplace(cube.corner[axis], index);
        if (!fresh && place->second != index && !cut) numbers.apart = true;
    }
    return numbers;
}

std::string extentOf(IndexRange kept, std::uint32_t extent) {
    const std::uint32_t last = std::min(kept.last, extent - 1);
    std::string words = std::to_string(kept.first);
    if (last > kept.first) words += " … " + std::to_string(last);
    return words;
}

}  // namespace

std::vector<Block3dAxis> axesOf(const Block3dLayout& layout, const Block3dView& view,
                                const Block3dCamera& camera) {
    std::vector<Block3dAxis> axes;
    if (layout.warps.empty()) return axes;
    glm::vec3 low = layout.warps.front().low;
    glm::vec3 high = layout.warps.front().high;
    for (const Block3dLayout::WarpBox& box : layout.warps) {
        low = glm::min(low, box.low);
        high = glm::max(high, box.high);
    }
    const Extents block = layout.block;
    const std::array extents{block.x, block.y, block.z};
    const std::array cut{isCutAlongX(block), isCutAlongY(block), false};
    const bool rows = block.y == 1 && block.z == 1 && cut[0];
    for (int axis = 0; axis < 3; ++axis) {
        const auto which = static_cast<std::size_t>(axis);
        const bool warps = rows && axis == 1;
        if (extents.at(which) == 1 && !warps) continue;
        auto edge = outermost(low, high, axis, camera);
        if (!edge) continue;
        Block3dAxis drawn = std::move(edge->drawn);
        drawn.name = warps ? "a row is" : std::string("threadIdx.") + "xyz"[axis];
        drawn.extent = warps ? "a warp" : extentOf(view.slices.at(which), extents.at(which));
        if (cut.at(which)) drawn.extent += rows ? ", 32 to a row" : ", cut every 32";
        // Of a row that was cut, the first index of each piece.
        const Numbers numbers =
            numbersAlong(layout, axis, warps ? 0 : axis, cut.at(which) || warps);
        if (!numbers.apart) {
            for (const auto& [place, number] : numbers.at) {
                glm::vec3 at = edge->from;
                at[axis] = place + 0.5F;
                drawn.ticks.push_back({camera.project(at), number});
            }
        }
        axes.push_back(std::move(drawn));
    }
    return axes;
}

}  // namespace warplens
