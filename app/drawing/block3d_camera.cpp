#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>

#include "app/drawing/block3d_layout.h"

namespace warplens {
namespace {

/// How far the eye is from the middle, in radii of the block: little perspective, so that cubes
/// come out nearly the same size.
constexpr float eyeDistance = 6;

/// Half of what a block of these half extents takes of the picture for each unit, in units, however
/// it is turned while it is tilted by up to 35 degrees.
glm::vec2 turntable(glm::vec3 half) {
    const float around = std::hypot(half.x, half.z);
    const float tilt = std::min(std::atan2(around, half.y), glm::radians(35.0F));
    return {around, half.y * std::cos(tilt) + around * std::sin(tilt)};
}

/// The same as it stands now, seen from `distance`.
glm::vec2 standing(const glm::mat4& turned, glm::vec3 half, float distance) {
    glm::vec2 most(0);
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 sign{(corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                             (corner & 4) != 0 ? 1 : -1};
        const glm::vec4 seen = turned * glm::vec4(sign * half, 0);
        most = glm::max(most, glm::abs(glm::vec2(seen)) / (1 - seen.z / distance));
    }
    return most;
}

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

Point Block3dCamera::project(glm::vec3 place) const {
    const glm::vec4 clip = toClip * glm::vec4(place, 1);
    return {(clip.x / clip.w + 1) / 2 * width, (1 - clip.y / clip.w) / 2 * height};
}

glm::vec3 Block3dCamera::directionThrough(Point point) const {
    const glm::vec4 place =
        fromClip * glm::vec4(2 * point.x / width - 1, 1 - 2 * point.y / height, 0, 1);
    return glm::vec3(place) / place.w - eye;
}

Block3dCamera lookAt(const Block3dLayout& layout, const Block3dView& view,
                     const Block3dFrame& frame) {
    const glm::vec3 half = (layout.high - layout.low) / 2.0F;
    const glm::vec3 centre = layout.low + half;
    const float radius = glm::length(half) * 1.01F;
    const float distance = radius * eyeDistance;

    const glm::vec2 size{frame.width, frame.height};
    const glm::vec2 room = glm::max(
        size - glm::vec2(frame.left + frame.right, frame.above + frame.below), glm::vec2(1));

    // y down and z away become OpenGL's y up and z towards the viewer by half a turn about x.
    glm::mat4 turned = glm::rotate(glm::mat4(1), glm::radians(view.tilt), {1, 0, 0});
    turned = glm::rotate(turned, glm::radians(view.turn), {0, 1, 0});
    turned = glm::rotate(turned, glm::radians(180.0F), {1, 0, 0});
    Block3dCamera camera{.width = size.x, .height = size.y};
    camera.eye = centre + glm::vec3(glm::transpose(turned) * glm::vec4(0, 0, distance, 0));

    const glm::vec2 fits = room / (2.0F * standing(turned, half, distance));
    // Growing whenever it is seen from its narrow side, the block would breathe as it is turned.
    const glm::vec2 steady = 1.1F * room / (2.0F * turntable(half));
    camera.pixelsPerCube = std::min({fits.x, fits.y, steady.x, steady.y, frame.largestCube});

    // w = 1 - z / distance: at the middle of the block a cube is as large as was asked for.
    const glm::vec2 scale = 2 * camera.pixelsPerCube * view.zoom / size;
    camera.middle = {(frame.left + size.x - frame.right) / 2,
                     (frame.above + size.y - frame.below) / 2};
    const glm::vec2 shift{view.panX * scale.x + 2 * camera.middle.x / size.x - 1,
                          1 - 2 * camera.middle.y / size.y - view.panY * scale.y};
    glm::mat4 projection(0);
    projection[0][0] = scale.x;
    projection[1][1] = scale.y;
    projection[2] = {-shift / distance, -1 / radius, -1 / distance};
    projection[3] = {shift, radius / distance, 1};
    camera.toClip = projection * turned * glm::translate(glm::mat4(1), -centre);
    camera.fromClip = glm::inverse(camera.toClip);
    return camera;
}

Block3dView zoomedAt(Block3dView view, const Block3dCamera& camera, Point point, float factor) {
    const float before = view.zoom;
    view.zoom = std::clamp(before * factor, leastZoom, largestZoom);
    const float change = (1 / view.zoom - 1 / before) / camera.pixelsPerCube;
    view.panX += (point.x - camera.middle.x) * change;
    view.panY += (point.y - camera.middle.y) * change;
    return view;
}

std::optional<std::uint32_t> cubeAt(const Block3dLayout& layout, const Block3dCamera& camera,
                                    Point point, std::optional<WarpRank> held) {
    glm::vec3 direction = camera.directionThrough(point);
    for (int axis = 0; axis < 3; ++axis) {
        // Nearly parallel to a side instead of wholly: its inverse stays finite.
        if (std::abs(direction[axis]) < 1e-20F) direction[axis] = 1e-20F;
    }
    const glm::vec3 inverse = 1.0F / direction;
    std::optional<std::uint32_t> found;
    auto layer = Block3dLayer::hollow;
    float nearest = std::numeric_limits<float>::infinity();
    for (const Block3dLayout::WarpBox& box : layout.warps) {
        if (std::isinf(entry(box.low, box.high, camera.eye, inverse))) continue;
        for (std::size_t i = box.begin; i < box.end; ++i) {
            const Block3dCube& cube = layout.cubes[i];
            const float enters = entry(cube.corner, cube.corner + 1.0F, camera.eye, inverse);
            if (std::isinf(enters)) continue;
            const Block3dLayer its = layerOf(layout, cube, held);
            if (its > layer || (its == layer && enters >= nearest)) continue;
            layer = its;
            nearest = enters;
            found = cube.rank;
        }
    }
    return found;
}

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
