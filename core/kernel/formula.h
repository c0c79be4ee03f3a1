#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/launch/launch.h"

namespace warplens {

/// The problem sizes a kernel is launched with: what `--set n=512` sets. Ordered as the kernel
/// declares them.
class Arguments final {
  public:
    using Entry = std::pair<std::string, std::int64_t>;

    Arguments() = default;
    Arguments(std::initializer_list<Entry> entries) : entries_(entries) {}

    /// Value of `name`; the name must be one the kernel declares (std::out_of_range otherwise).
    [[nodiscard]] std::int64_t at(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const;
    /// Replaces the value of `name`, or appends it.
    void set(std::string_view name, std::int64_t value);
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

    friend bool operator==(const Arguments&, const Arguments&) = default;

  private:
    std::vector<Entry> entries_;
};

/// `n=512 stride=2`; empty without arguments.
[[nodiscard]] std::string toString(const Arguments& arguments);

/// The text is no formula; what() says why, `at` where in the text.
class MalformedFormula final : public std::runtime_error {
  public:
    MalformedFormula(std::size_t where, const std::string& words)
        : std::runtime_error(words), at(where) {}
    std::size_t at;
};

/// What the names in a formula stand for, besides the kernel's sizes.
struct FormulaPlace final {
    Launch launch{};
    Index3 block{};             ///< blockIdx
    Index3 thread{};            ///< threadIdx
    std::uint64_t element = 0;  ///< of the output array
};

/// A whole number that follows from a kernel's sizes, its launch, and a thread of it: numbers,
/// names, + - * / %, comparisons, `and`, `or`, parentheses, `min(a, b)`, `max(a, b)`,
/// `ceil_div(a, b)`, `is_power_of_two(a)`, `random(a, b)` (from 0 to just below b, always the same
/// one for an a). Names are the kernel's sizes, threadIdx, blockIdx,
/// blockDim and gridDim with .x .y .z, `x` `y` `z` (the thread's place in the whole grid), `thread`
/// and `block` (their ranks), `threads` (of a block), `blocks` (of the grid) and `element`.
class Formula final {
  public:
    Formula() = default;
    /// Throws MalformedFormula, also for a name that is none of `sizes` and none of the above.
    Formula(std::string_view text, std::span<const std::string> sizes);

    /// Modulo 2^64, as CUDA's unsigned numbers; whatever is divided by 0 is 0. Cost: some ten
    /// nanoseconds, and as many for each size that it names.
    [[nodiscard]] std::uint64_t operator()(const Arguments& arguments,
                                           const FormulaPlace& place = {}) const;
    [[nodiscard]] std::uint64_t operator()(const Arguments& arguments, const Launch& launch) const {
        return (*this)(arguments, FormulaPlace{.launch = launch});
    }
    /// The same with its sizes looked up once, for many places.
    [[nodiscard]] Formula with(const Arguments& arguments) const;
    [[nodiscard]] bool empty() const { return steps_.empty(); }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    friend class FormulaParser;
    enum class Do : std::uint8_t { number, builtin, size, operation };
    struct Step final {
        Do what;
        std::uint64_t operand = 0;  ///< the number; which builtin; which of `sizes_`
        std::uint64_t (*of)(std::uint64_t, std::uint64_t) = nullptr;  ///< the two before it
    };
    static constexpr std::size_t mostDepth = 16;

    std::string text_;
    std::vector<std::string> sizes_;
    std::vector<Step> steps_;  ///< operands before their operator
};

/// Up to three formulas: along x, y and z, where 1 is what there is no formula for.
struct ExtentsFormula final {
    std::vector<Formula> along;

    [[nodiscard]] bool empty() const { return along.empty(); }
    [[nodiscard]] Extents operator()(const Arguments& arguments) const;
};

}  // namespace warplens
