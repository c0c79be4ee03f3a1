#include "tests/trace/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/kernel/element_type.h"
#include "core/launch/mapping.h"

namespace warplens::tests {
namespace {

std::uint64_t arg(const Experiment& experiment, const char* name) {
    return static_cast<std::uint64_t>(experiment.arguments.at(name));
}

double product(const Experiment& e, std::uint64_t element) {
    const std::uint64_t inner = arg(e, "inner");
    const std::uint64_t cols = arg(e, "cols");
    const std::uint64_t row = element / cols;
    const std::uint64_t col = element % cols;
    double sum = 0;
    for (std::uint64_t i = 0; i < inner; ++i) {
        sum += static_cast<double>(inputValue(0, row * inner + i)) * inputValue(1, i * cols + col);
    }
    return sum;
}

float longArm(const Experiment& e, std::uint64_t element) {
    const bool odd = ((element >> arg(e, "shift")) & 1) != 0;
    float value = inputValue(0, element);
    for (std::uint64_t r = 0; r < arg(e, "repeats"); ++r) {
        for (int k = 0; k < 8; ++k) {
            const auto step = static_cast<float>(k);
            value =
                odd ? std::fma(value, 0.875f, 0.5f + step) : std::fma(value, 0.75f, 0.25f - step);
        }
    }
    return value;
}

double squareProduct(const Experiment& e, std::uint64_t element) {
    const std::uint64_t n = arg(e, "n");
    double sum = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
        sum += static_cast<double>(inputValue(0, element / n * n + k)) *
               inputValue(1, k * n + element % n);
    }
    return sum;
}

/// Sum of the values of one block of a reduction.
double blockSum(const Experiment& e, std::uint64_t block) {
    const std::uint64_t begin = block * e.launch.block.x;
    const std::uint64_t end = std::min(begin + e.launch.block.x, arg(e, "n"));
    double sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) sum += inputValue(0, i);
    return sum;
}

/// In the kernel's own order, so that the result is the same to the bit.
float loopSum(const Experiment& e, std::uint64_t element) {
    const std::uint64_t n = arg(e, "n");
    float sum = 0;
    for (std::uint64_t k = 0; k < element % arg(e, "trips"); ++k) {
        sum += inputValue(0, (element + k) % n);
    }
    return sum;
}

/// In the kernel's own order, so that the result is the same to the bit.
float sumInRounds(const Experiment& e, std::uint64_t thread) {
    const std::uint64_t threads = std::uint64_t{e.launch.grid.x} * e.launch.block.x;
    float sum = 0;
    for (std::uint64_t i = thread; i < arg(e, "n"); i += threads) {
        sum += (inputValue(0, 4 * i) + inputValue(0, 4 * i + 1)) +
               (inputValue(0, 4 * i + 2) + inputValue(0, 4 * i + 3));
        for (std::uint64_t k = 0; k < arg(e, "work"); ++k) sum = std::fma(sum, 0.875f, 0.5f);
    }
    return sum;
}

/// Float sums of `terms` positive terms: rounding grows at most with their number.
double sumTolerance(std::uint64_t terms) {
    return 0x1p-24 * static_cast<double>(terms + 1);
}

/// Of the 16 values that begin with `value`, summed from the one at `start` on.
float weightedFrom(float value, std::uint64_t start) {
    std::array<float, 16> values{};
    for (float& each : values) {
        each = value;
        value = std::fma(value, 0.875f, 0.5f);
    }
    std::ranges::rotate(values, values.begin() + static_cast<std::ptrdiff_t>(start));
    float sum = 0;
    for (const float each : values) sum = std::fma(sum, 0.75f, each);
    return sum;
}

}  // namespace

std::optional<Reference> referenceOf(const Kernel& kernel, const Experiment& e,
                                     std::uint64_t element) {
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, kernel.name) != names.end();
    };
    const auto exact = [](double value) { return Reference{value, 0}; };
    if (is({"writeWarpRank"})) {
        const auto rank = static_cast<std::uint32_t>(element % e.launch.block.count());
        return exact(warpRankInBlock({rank}).value);
    }
    if (is({"matrixAddCoalesced", "matrixAddSwapped"})) {
        return exact(inputValue(0, element) + inputValue(1, element));
    }
    if (is({"matrixMultiplyCoalesced", "matrixMultiplySwapped"})) {
        return Reference{product(e, element), sumTolerance(arg(e, "inner"))};
    }
    if (is({"matrixMultiplyGlobal", "matrixMultiplyTiled", "matrixMultiplyTiledDynamic"})) {
        return Reference{squareProduct(e, element), sumTolerance(arg(e, "n"))};
    }
    if (is({"branchOddEven", "branchPredicate"})) return exact(element % 2 == 0 ? 100.0 : 200.0);
    if (is({"branchByWarp", "branchWarmUp"})) {
        return exact(element / lanesPerWarp % 2 == 0 ? 100.0 : 200.0);
    }
    if (is({"branchLongArms"})) return exact(longArm(e, element));
    if (is({"branchLoopTrips"})) return exact(loopSum(e, element));
    if (is({"copyStrided"})) return exact(inputValue(0, element * arg(e, "stride")));
    if (is({"copyOffset"})) return exact(inputValue(0, element + arg(e, "offset")));
    if (is({"copyVector", "walkRowMajor"})) return exact(inputValue(0, element));
    if (is({"scalePicture"})) return exact(2 * inputValue(0, element));
    if (is({"walkColumnMajor"})) {
        const std::uint64_t width = arg(e, "width");
        return exact(inputValue(0, element % width * arg(e, "height") + element / width));
    }
    if (is({"elementwise1D", "elementwise2D", "elementwise3D"})) {
        return exact(inputValue(0, element) * inputValue(0, element));
    }
    if (is({"reduceInterleaved", "reduceSequential"})) {
        return Reference{blockSum(e, element), sumTolerance(e.launch.block.x)};
    }
    if (is({"transposeTile", "transposeTilePadded"})) {
        const std::uint64_t n = arg(e, "n");
        return exact(inputValue(0, element % n * n + element / n));
    }
    if (is({"arrayInLocalMemory", "arrayInRegisters"})) {
        return exact(weightedFrom(inputValue(0, element), (element + arg(e, "shift")) % 16));
    }
    if (is({"sumInRounds"})) return exact(sumInRounds(e, element));
    return std::nullopt;
}

}  // namespace warplens::tests
