#include "kernels/ptx/check/unreached.h"

#include <algorithm>

namespace warplens::ptx::check {
namespace {

// Rows of pitched memory begin at multiples of this, and the rest of a row is no part of it.
constexpr std::uint64_t pitch = 512;

}  // namespace

std::optional<Unreached> unreachedOf(const Shadow& shadow) {
    if (shadow.bytes == 0 || shadow.threads == 0) return std::nullopt;
    const std::uint64_t words = shadow.words();
    const auto isReached = [&](std::uint64_t word) {
        return serialOf(shadow.writes[word]) != 0 || serialOf(shadow.reads[word]) != 0;
    };
    const auto endOf = [&](std::uint64_t from, bool reached) {
        while (from < words && isReached(from) == reached) ++from;
        return from;
    };
    const std::uint64_t first = endOf(0, true);
    if (first == 0 || first == words) return std::nullopt;
    const std::uint64_t perElement = std::max<std::uint64_t>(1, shadow.narrowest >> shadow.shift);
    const auto width = static_cast<std::uint32_t>(perElement << shadow.shift);
    if (first % perElement != 0 || words % perElement != 0) return std::nullopt;
    const std::uint64_t reached = first / perElement;
    const std::uint64_t next = endOf(first, false);
    if (next == words) {
        // Each thread took as many: there are too few of them, rather than fewer elements in use.
        if (reached % shadow.threads != 0) return std::nullopt;
        return Unreached{words / perElement, reached, 0, width};
    }
    // Rows: as wide as the grid, and all alike.
    const std::uint64_t period = next;
    if (period % perElement != 0 || words % period != 0 || reached != shadow.threadsInRow ||
        reached < 2)
        return std::nullopt;
    const std::uint64_t rest = (period - first) << shadow.shift;
    if (rest < pitch && (period << shadow.shift) % pitch == 0) return std::nullopt;
    std::uint64_t rows = 0;
    for (std::uint64_t row = 0; row < words; row += period) {
        const std::uint64_t end = endOf(row, true);
        if (end != row + first) return std::nullopt;
        ++rows;
        const std::uint64_t after = endOf(end, false);
        if (after == words) break;  // and the rows after it
        if (after != row + period) return std::nullopt;
    }
    return Unreached{period / perElement, reached, rows, width};
}

}  // namespace warplens::ptx::check
