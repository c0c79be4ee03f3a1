#include "core/kernel/catalogue/facts.h"
#include "core/launch/mapping.h"

namespace warplens::catalogue {
namespace {

constexpr KernelArray arrays[] = {
    {"warps", ArrayRole::output, ElementType::int32,
     [](const Arguments&, const Launch& l) { return l.threadCount(); }},
};

Element elementOfLaunch(const Arguments&, const Launch& l, Index3 block, Index3 thread) {
    return blockRankInGrid(block, l.grid) * l.block.count() +
           threadRankInBlock(thread, l.block).value;
}

GridPosition threadOfLaunch(const Arguments&, const Launch& l, std::uint64_t element) {
    const Index3 block = blockIndexInGrid(element / l.block.count(), l.grid);
    const ThreadRank rank{static_cast<std::uint32_t>(element % l.block.count())};
    return positionInGrid(l, block, threadIndexInBlock(rank, l.block));
}

const Kernel kernels[] = {
    {.id = KernelId::writeWarpRank,
     .name = "writeWarpRank",
     .bodyFile = "warp_rank.inl",
     .arrays = arrays,
     .element = elementOfLaunch,
     .threadOf = threadOfLaunch,
     .algorithmBytes = [](const Arguments&, const Launch& l) { return 4 * l.threadCount(); }},
};

}  // namespace

std::span<const Kernel> warpRankKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
