#include "core/trace/block_sample.h"

#include <algorithm>
#include <array>
#include <random>

#include "core/launch/mapping.h"

namespace warplens::trace {
namespace {

/// Blocks along one axis that belong to one class.
struct Run {
    std::uint32_t first;
    std::uint32_t count;
};

std::array<Run, 3> runsAlong(std::uint32_t extent) {
    return {Run{0, 1}, Run{1, extent > 2 ? extent - 2 : 0}, Run{extent - 1, extent > 1 ? 1u : 0u}};
}

}  // namespace

std::vector<SampledBlock> sampleBlocks(Extents grid, std::uint32_t perClass) {
    std::vector<SampledBlock> sample;
    std::mt19937_64 random(1);
    for (const Run z : runsAlong(grid.z)) {
        for (const Run y : runsAlong(grid.y)) {
            for (const Run x : runsAlong(grid.x)) {
                const Extents extents{x.count, y.count, z.count};
                const std::uint64_t size = extents.count();
                const std::uint64_t drawn = std::min<std::uint64_t>(size, perClass);
                for (std::uint64_t i = 0; i < drawn; ++i) {
                    // One block from each of `drawn` equal stretches of the class.
                    const std::uint64_t begin = size / drawn * i + std::min(i, size % drawn);
                    const std::uint64_t length = size / drawn + (i < size % drawn);
                    const Index3 at = blockIndexInGrid(begin + random() % length, extents);
                    sample.push_back({{x.first + at.x, y.first + at.y, z.first + at.z}, length});
                }
            }
        }
    }
    return sample;
}

}  // namespace warplens::trace
