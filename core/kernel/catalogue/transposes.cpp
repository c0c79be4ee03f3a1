#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr Parameter parameters[] = {
    {"n", 4096, 1, largestSide, "rows and columns of the matrix"},
};
std::uint64_t length(const Arguments& a, const Launch&) {
    return arg(a, "n") * arg(a, "n");
}
std::uint64_t columns(const Arguments& a) {
    return arg(a, "n");
}
constexpr KernelArray arrays[] = {
    {"in", ArrayRole::input, ElementType::float32, length, columns},
    {"out", ArrayRole::output, ElementType::float32, length, columns},
};
constexpr std::string_view shared[] = {"tile"};
constexpr KernelBranch branches[] = {
    {"loads", "the thread's element of the tile lies inside the matrix"},
    {"stores", "the thread's element of the transposed tile lies inside the matrix"},
};
constexpr Extents tile{32, 32, 1};

std::vector<Breach> launchRule(const Arguments&, const Launch& l) {
    std::vector<Breach> breaches;
    if (l.block != tile) {
        breaches.push_back(
            {"block", toString(l.block), "must be the tile's size, " + toString(tile)});
    }
    return breaches;
}

/// A block reads the tile at its place and writes it at the transposed place.
Element element(const Arguments& a, const Launch&, Index3 block, Index3 thread) {
    const std::uint64_t row = std::uint64_t{block.x} * tile.x + thread.y;
    const std::uint64_t column = std::uint64_t{block.y} * tile.y + thread.x;
    return elementOfMatrix(row, column, arg(a, "n"), arg(a, "n"));
}
GridPosition threadOf(const Arguments& a, const Launch&, std::uint64_t element) {
    const std::uint64_t row = element / arg(a, "n");
    const std::uint64_t column = element % arg(a, "n");
    return {row / tile.x * tile.x + column % tile.x, column / tile.y * tile.y + row % tile.y, 0};
}

Kernel transpose(KernelId id, std::string_view name) {
    return {.id = id,
            .name = name,
            .bodyFile = "transposes.inl",
            .parameters = parameters,
            .arrays = arrays,
            .shared = shared,
            .branches = branches,
            .usesBarriers = true,
            .work = [](const Arguments& a) { return extents(arg(a, "n"), arg(a, "n")); },
            .launchRule = launchRule,
            .element = element,
            .threadOf = threadOf,
            .algorithmBytes = [](const Arguments& a, const Launch& l) { return 8 * length(a, l); }};
}

const Kernel kernels[] = {
    transpose(KernelId::transposeTile, "transposeTile"),
    transpose(KernelId::transposeTilePadded, "transposeTilePadded"),
};

}  // namespace

std::span<const Kernel> transposeKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
