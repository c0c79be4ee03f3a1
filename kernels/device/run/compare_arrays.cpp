#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "kernels/device/run/program_memory.h"

namespace warplens {
namespace {

/// Whether a number is one that a program would have computed as floating-point: bits of small
/// integers read as numbers near zero.
template <class Number>
bool plausible(Number value) {
    const Number least = sizeof(Number) == 4 ? Number(1e-30) : Number(1e-200);
    return std::isfinite(value) && (value == 0 || std::abs(value) >= least);
}

template <class Number>
Number numberAt(std::span<const std::byte> bytes, std::size_t index) {
    Number value{};
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

template <class Number>
void compareNumbers(ArrayCheck& check, std::span<const std::byte> expected,
                    std::span<const std::byte> found, double tolerance) {
    const std::size_t count = expected.size() / sizeof(Number);
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = numberAt<Number>(expected, i);
        if (plausible(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    check.tolerance = tolerance;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::memcmp(expected.data() + i * sizeof(Number), found.data() + i * sizeof(Number),
                        sizeof(Number)) == 0) {
            ++check.equal;
            continue;
        }
        const auto wanted = numberAt<Number>(expected, i);
        const auto got = numberAt<Number>(found, i);
        const bool comparable = plausible(wanted) && plausible(got) && largest > 0;
        const double error =
            comparable ? std::abs(static_cast<double>(wanted) - static_cast<double>(got)) / largest
                       : 0;
        if (comparable && error <= tolerance) {
            ++check.within;
            check.largestError = std::max(check.largestError, error);
        } else {
            if (check.different++ == 0) check.firstDifferent = i;
        }
    }
}

/// Whether both hold the same elements, in whatever order.
bool areReordered(std::size_t elementBytes, std::span<const std::byte> expected,
                  std::span<const std::byte> found) {
    const auto sorted = [&](std::span<const std::byte> bytes) {
        std::vector<std::string_view> elements;
        const auto* text = reinterpret_cast<const char*>(bytes.data());
        for (std::size_t at = 0; at < bytes.size(); at += elementBytes) {
            elements.emplace_back(text + at, std::min(elementBytes, bytes.size() - at));
        }
        std::ranges::sort(elements);
        return elements;
    };
    return sorted(expected) == sorted(found);
}

}  // namespace

ArrayCheck compareArrays(const std::string& name, std::uint32_t elementBytes,
                         std::span<const std::byte> expected, std::span<const std::byte> found) {
    ArrayCheck check{.array = name};
    if (elementBytes == 8 && expected.size() % 8 == 0) {
        compareNumbers<double>(check, expected, found, doubleTolerance);
    } else if (elementBytes % 4 == 0 && expected.size() % 4 == 0) {
        compareNumbers<float>(check, expected, found, floatTolerance);
    } else {
        const std::size_t size = std::max<std::size_t>(elementBytes, 1);
        for (std::size_t i = 0; i * size < expected.size(); ++i) {
            const std::size_t bytes = std::min(size, expected.size() - i * size);
            const bool same =
                std::memcmp(expected.data() + i * size, found.data() + i * size, bytes) == 0;
            if (same) {
                ++check.equal;
            } else if (check.different++ == 0) {
                check.firstDifferent = i;
            }
        }
    }
    if (check.different != 0) {
        check.reordered = areReordered(std::max<std::size_t>(elementBytes, 1), expected, found);
    }
    return check;
}

}  // namespace warplens
