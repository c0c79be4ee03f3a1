#include "app/drawing/elements.h"

#include "core/text/format.h"

namespace warplens {
namespace {

std::string digits(std::uint64_t value) {
    return std::to_string(value);
}

}  // namespace

BlockGuard blockGuard(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const Extents block = experiment.launch.block;
    if (kernel.work.empty()) return {.block = block, .rest = {}};
    return guardOf(kernel.work(experiment.arguments), block);
}

WastedMask wastedMask(const BlockGuard& guard, Index3 block) {
    WastedMask mask{};
    const auto threads = static_cast<std::uint32_t>(guard.block.count());
    for (std::uint32_t rank = 0; rank < threads; ++rank) {
        if (guard.wastes(block, threadIndexInBlock({rank}, guard.block))) {
            mask.at(warpRankInBlock({rank}).value) |= 1u << laneIndex({rank}).value;
        }
    }
    return mask;
}

std::size_t outputIndex(const Kernel& kernel) {
    const auto output = std::ranges::find(kernel.arrays, ArrayRole::output, &KernelArray::role);
    return output == kernel.arrays.end() ? 0
                                         : static_cast<std::size_t>(output - kernel.arrays.begin());
}

std::uint64_t columnsOf(const KernelArray& array, const Arguments& arguments) {
    const std::uint64_t columns = array.columns(arguments);
    return columns < array.length(arguments) ? columns : 0;
}

std::string elementName(const Experiment& experiment, Index3 block, Index3 thread) {
    const Kernel& kernel = kernelOf(experiment);
    const auto element = kernel.element(experiment.arguments, experiment.launch, block, thread);
    if (!element) return {};
    const KernelArray& array = kernel.arrays[outputIndex(kernel)];
    return elementName(array.name, columnsOf(array, experiment.arguments), *element);
}

CellWords cellWords(const View& view, Index3 block, Index3 thread) {
    const Experiment& experiment = view.experiment;
    const Extents extents = experiment.launch.block;
    const ThreadRank rank = threadRankInBlock(thread, extents);
    const std::string plane = digits(thread.x) + "," + digits(thread.y);
    switch (view.numbers) {
        case CellNumbers::warp:
            return {digits(warpRankInBlock(rank).value), plane + "," + digits(thread.z)};
        case CellNumbers::coordinates:
            return {plane + (extents.z > 1 ? "," + digits(thread.z) : "")};
        case CellNumbers::rank:
            return {digits(rank.value), "lane " + digits(laneIndex(rank).value)};
        case CellNumbers::element:
            break;
    }
    const Kernel& kernel = kernelOf(experiment);
    const auto element = kernel.element(experiment.arguments, experiment.launch, block, thread);
    if (!element) return {"–"};
    const std::uint64_t columns =
        columnsOf(kernel.arrays[outputIndex(kernel)], experiment.arguments);
    return {digits(*element), columns == 0 ? "" : elementName("", columns, *element)};
}

std::string elementName(const std::string& array, std::uint64_t columns, std::uint64_t element) {
    if (columns == 0) return array + "[" + digits(element) + "]";
    return array + "[" + digits(element / columns) + "][" + digits(element % columns) + "]";
}

std::string rankFormula(Extents block, Index3 thread) {
    const std::string x = digits(block.x);
    const std::string rank = digits(threadRankInBlock(thread, block).value);
    return "rank = x + y·Dx + z·Dx·Dy = " + digits(thread.x) + " + " + digits(thread.y) + "·" + x +
           " + " + digits(thread.z) + "·" + x + "·" + digits(block.y) + " = " + rank;
}

std::string warpFormula(Extents block, Index3 thread) {
    const ThreadRank rank = threadRankInBlock(thread, block);
    return "warp = rank / 32 = " + digits(rank.value) +
           " / 32 = " + digits(warpRankInBlock(rank).value);
}

std::string laneFormula(Extents block, Index3 thread) {
    const ThreadRank rank = threadRankInBlock(thread, block);
    return "lane = rank % 32 = " + digits(rank.value) + " % 32 = " + digits(laneIndex(rank).value);
}

std::string toText(Index3 index) {
    return "(" + digits(index.x) + ", " + digits(index.y) + ", " + digits(index.z) + ")";
}

}  // namespace warplens
