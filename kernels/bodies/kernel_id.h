#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/kernel/kernel.h"

namespace warplens {

/// One per function in kernels/bodies: what nvcc compiles them for.
enum class KernelId : std::uint8_t {
    writeWarpRank,
    matrixAddCoalesced,
    matrixAddSwapped,
    matrixMultiplyCoalesced,
    matrixMultiplySwapped,
    matrixMultiplyGlobal,
    matrixMultiplyTiled,
    matrixMultiplyTiledDynamic,
    branchOddEven,
    branchByWarp,
    branchPredicate,
    branchWarmUp,
    branchLongArms,
    branchLoopTrips,
    copyStrided,
    copyOffset,
    copyVector,
    scalePicture,
    walkRowMajor,
    walkColumnMajor,
    elementwise1D,
    elementwise2D,
    elementwise3D,
    reduceInterleaved,
    reduceSequential,
    transposeTile,
    transposeTilePadded,
    arrayInLocalMemory,
    arrayInRegisters,
    sumInRounds,
};

/// Of the built-in kernel with the same name.
[[nodiscard]] inline KernelId kernelIdOf(const Kernel& kernel) {
    static constexpr std::array<std::string_view, 30> names{"writeWarpRank",
                                                            "matrixAddCoalesced",
                                                            "matrixAddSwapped",
                                                            "matrixMultiplyCoalesced",
                                                            "matrixMultiplySwapped",
                                                            "matrixMultiplyGlobal",
                                                            "matrixMultiplyTiled",
                                                            "matrixMultiplyTiledDynamic",
                                                            "branchOddEven",
                                                            "branchByWarp",
                                                            "branchPredicate",
                                                            "branchWarmUp",
                                                            "branchLongArms",
                                                            "branchLoopTrips",
                                                            "copyStrided",
                                                            "copyOffset",
                                                            "copyVector",
                                                            "scalePicture",
                                                            "walkRowMajor",
                                                            "walkColumnMajor",
                                                            "elementwise1D",
                                                            "elementwise2D",
                                                            "elementwise3D",
                                                            "reduceInterleaved",
                                                            "reduceSequential",
                                                            "transposeTile",
                                                            "transposeTilePadded",
                                                            "arrayInLocalMemory",
                                                            "arrayInRegisters",
                                                            "sumInRounds"};
    const auto found = std::ranges::find(names, kernel.name);
    if (found == names.end()) throw std::logic_error("no body of " + std::string(kernel.name));
    return static_cast<KernelId>(found - names.begin());
}

}  // namespace warplens
