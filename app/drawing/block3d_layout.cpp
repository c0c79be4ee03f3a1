#include "app/drawing/block3d_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/common.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>

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
