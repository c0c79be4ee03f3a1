#include "kernels/programs/runtime_api/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warplens::programs {
namespace {

template <typename Number>
Number numberAt(const std::byte* bytes, std::size_t index) {
    Number number;
    std::memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

/// Whether the arrays are the same to within `tolerance` of their largest number, read as such
/// numbers.
template <typename Number>
bool areClose(const std::byte* a, const std::byte* b, std::size_t bytes, double tolerance) {
    if (bytes % sizeof(Number) != 0) return false;
    double largest = 0;
    double apart = 0;
    for (std::size_t at = 0; at < bytes / sizeof(Number); ++at) {
        const double x = numberAt<Number>(a, at);
        const double y = numberAt<Number>(b, at);
        if (std::isnan(x) && std::isnan(y)) continue;
        if (x == y) continue;
        apart = std::max(apart, std::abs(x - y));
        if (!std::isfinite(apart)) return false;
        largest = std::max({largest, std::abs(x), std::abs(y)});
    }
    // Whole numbers read as fractions are tiny or huge.
    return apart <= largest * tolerance && largest > 1e-20 && largest < 1e20;
}

}  // namespace

std::vector<std::string> differences(const ptx::Memory& memory,
                                     const ptx::Memory::Snapshot& snapshot) {
    std::vector<std::string> words;
    for (const auto& [address, bytes] : snapshot.bytes) {
        const ptx::Allocation* array = memory.find(address);
        if (array == nullptr || array->freed ||
            std::memcmp(array->data, bytes.get(), array->bytes) == 0)
            continue;
        if (areClose<float>(array->data, bytes.get(), array->bytes, 1e-4) ||
            areClose<double>(array->data, bytes.get(), array->bytes, 1e-9)) {
            continue;
        }
        std::size_t first = 0;
        while (array->data[first] == bytes.get()[first]) ++first;
        words.push_back((array->name.empty() ? "array " + std::to_string(array->id) : array->name) +
                        " is another with and without optimisation, from byte " +
                        std::to_string(first) + " on");
    }
    return words;
}

}  // namespace warplens::programs
