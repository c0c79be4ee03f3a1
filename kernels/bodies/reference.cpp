#include "kernels/bodies/reference.h"

#include <cmath>

#include "core/kernel/input_data.h"
#include "core/launch/mapping.h"

namespace warplens {
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

}  // namespace

Reference referenceOf(const Kernel& kernel, const Experiment& e, std::uint64_t element) {
    switch (kernel.id) {
        case KernelId::writeWarpRank: {
            const auto rank = static_cast<std::uint32_t>(element % e.launch.block.count());
            return {static_cast<double>(warpRankInBlock({rank}).value), 0};
        }
        case KernelId::matrixAddCoalesced:
        case KernelId::matrixAddSwapped:
            return {inputValue(0, element) + inputValue(1, element), 0};
        case KernelId::matrixMultiplyCoalesced:
        case KernelId::matrixMultiplySwapped: {
            // Rounding errors of a float sum grow at most with its length; all terms are positive.
            const double length = static_cast<double>(arg(e, "inner"));
            return {product(e, element), 0x1p-24 * (length + 1)};
        }
        case KernelId::branchOddEven:
            return {element % 2 == 0 ? 100.0 : 200.0, 0};
        case KernelId::branchByWarp:
            return {element / lanesPerWarp % 2 == 0 ? 100.0 : 200.0, 0};
        case KernelId::branchLongArms:
            return {longArm(e, element), 0};
        case KernelId::copyStrided:
            return {inputValue(0, element * arg(e, "stride")), 0};
        case KernelId::copyOffset:
            return {inputValue(0, element + arg(e, "offset")), 0};
    }
    return {};
}

std::uint64_t referenceCost(const Kernel& kernel, const Experiment& e) {
    if (e.arguments.contains("inner")) return arg(e, "inner");
    if (kernel.id == KernelId::branchLongArms) return 8 * arg(e, "repeats");
    return 1;
}

}  // namespace warplens
