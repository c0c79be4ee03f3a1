#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace warplens::window::soak {

/// Draws; the same for the same seed.
class Dice final {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    /// 0 .. count - 1; `count` is at least 1.
    [[nodiscard]] std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(count) - 1));
    }
    [[nodiscard]] bool oneIn(int times) { return between(1, times) == 1; }
    [[nodiscard]] double real(double least, double most) {
        return std::uniform_real_distribution<double>(least, most)(random_);
    }
    /// One of a list that is not empty.
    [[nodiscard]] const auto& of(const auto& list) { return list[below(std::size(list))]; }
    [[nodiscard]] std::mt19937_64& generator() { return random_; }

  private:
    std::mt19937_64 random_;
};

}  // namespace warplens::window::soak
