#include "core/launch/mapping.h"

#include <algorithm>

namespace warplens {
namespace {

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/// One axis: blocks and useful threads of those inside and of those that stick out.
struct Axis final {
    std::array<std::uint64_t, 2> blocks{};
    std::array<std::uint64_t, 2> useful{};

    Axis(std::uint32_t grid, std::uint32_t block, std::uint32_t whole, std::uint32_t rest) {
        blocks[0] = std::min(grid, whole);
        blocks[1] = grid - blocks[0];
        useful[0] = blocks[0] * block;
        useful[1] = blocks[1] > 0 ? rest : 0;
    }
};

}  // namespace

std::vector<BlockCaseCount> countBlockCases(const BlockGuard& guard, Extents grid) {
    const Axis x(grid.x, guard.block.x, guard.wholeBlocks.x, guard.rest.x);
    const Axis y(grid.y, guard.block.y, guard.wholeBlocks.y, guard.rest.y);
    const Axis z(grid.z, guard.block.z, guard.wholeBlocks.z, guard.rest.z);
    std::vector<BlockCaseCount> counts;
    for (std::uint32_t index = 0; index < blockCaseCount; ++index) {
        const BlockCase which{(index & 1) != 0, (index & 2) != 0, (index & 4) != 0};
        const std::uint64_t blocks =
            product(product(x.blocks.at(which.x), y.blocks.at(which.y)), z.blocks.at(which.z));
        if (blocks == 0) continue;
        const std::uint64_t useful =
            product(product(x.useful.at(which.x), y.useful.at(which.y)), z.useful.at(which.z));
        counts.push_back({which, blocks, product(blocks, guard.block.count()) - useful});
    }
    return counts;
}

const char* nameOf(BlockCase which) {
    constexpr std::array<const char*, blockCaseCount> names{
        "inside",     "columns out",         "rows out",         "both out",
        "layers out", "columns, layers out", "rows, layers out", "all out"};
    return names.at(which.index());
}

}  // namespace warplens
