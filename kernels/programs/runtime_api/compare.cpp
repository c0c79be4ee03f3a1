#include "kernels/programs/runtime_api/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace warplens::programs {
namespace {

template <typename Number>
Number numberAt(const std::byte* bytes, std::size_t index) {
    Number number;
    std::memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

/// Numbers of two arrays, piece by piece.
template <typename Number>
class Apart final {
  public:
    void add(const std::byte* a, const std::byte* b, std::size_t bytes) {
        if (bytes % sizeof(Number) != 0) apart_ = std::numeric_limits<double>::infinity();
        for (std::size_t at = 0; at < bytes / sizeof(Number); ++at) {
            const double x = numberAt<Number>(a, at);
            const double y = numberAt<Number>(b, at);
            if ((std::isnan(x) && std::isnan(y)) || x == y) continue;
            apart_ = std::max(apart_, std::abs(x - y));
            if (!std::isfinite(x - y)) apart_ = std::numeric_limits<double>::infinity();
            largest_ = std::max({largest_, std::abs(x), std::abs(y)});
        }
    }
    /// Whether they are the same to within `tolerance` of the largest that differs. Whole numbers
    /// read as fractions are tiny or huge.
    [[nodiscard]] bool areClose(double tolerance) const {
        return apart_ <= largest_ * tolerance && largest_ > 1e-20 && largest_ < 1e20;
    }

  private:
    double apart_ = 0;
    double largest_ = 0;
};

}  // namespace

std::vector<std::string> differences(const ptx::Memory& memory,
                                     const ptx::Memory::Snapshot& snapshot) {
    std::vector<std::string> words;
    for (const auto& [address, array] : memory.allocations()) {
        if (array.freed) continue;
        Apart<float> floats;
        Apart<double> doubles;
        std::optional<std::uint64_t> first;
        snapshot.forEachPiece(array, [&, &now = array](auto at, const auto* bytes, auto count) {
            const std::byte* here = now.data + at;
            if (std::memcmp(here, bytes, count) == 0) return;
            if (!first)
                first = at + static_cast<std::uint64_t>(
                                 std::mismatch(here, here + count, bytes).first - here);
            floats.add(here, bytes, count);
            doubles.add(here, bytes, count);
        });
        if (!first || floats.areClose(1e-4) || doubles.areClose(1e-9)) continue;
        words.push_back((array.name.empty() ? "array " + std::to_string(array.id) : array.name) +
                        " is another with and without optimisation, from byte " +
                        std::to_string(*first) + " on");
    }
    return words;
}

}  // namespace warplens::programs
