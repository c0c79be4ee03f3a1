#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/scenario/scenario.h"

namespace warplens {

/// Threads of the host to trace with: as many as asked for, one for each core for 0; at least 1.
inline unsigned hostThreads(unsigned wanted) {
    // Asking the system takes as long as tracing a small block.
    static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return wanted == 0 ? cores : wanted;
}

}  // namespace warplens

namespace warplens::library {

/// Memory of one array's own.
class Pages;

/// The arrays of one launch in the host's memory. Where values do not matter, inputs read as 0 and
/// what is stored is forgotten: then they cost no memory, however long they are. Inputs that are
/// `filled with` something hold that in any case; the last few are kept for the next launch.
class ArrayMemory final {
  public:
    struct Array final {
        std::uint64_t begin = 0;  ///< address of the first element
        std::uint64_t bytes = 0;
        std::uint64_t mirror = ~std::uint64_t{0};  ///< as ptx::Allocation has it
    };

    /// With `withValues` what is stored stays, and inputs read as 0 where they were not provided:
    /// memory is taken for what is touched alone. Throws std::bad_alloc.
    ArrayMemory(const Experiment& experiment, bool withValues);
    ArrayMemory(ArrayMemory&&) = delete;

    [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }
    [[nodiscard]] bool hasValues() const { return hasValues_; }

    // Of memory with values; `words` and `place` count four bytes each.
    /// Writes what the input holds there (core/kernel/element_type.h), unless it is filled. Whether
    /// that was not so before.
    bool provide(std::size_t array, std::span<const std::uint64_t> words);
    /// Writes all that the input holds: some 2 ns for each word.
    void provideAll(std::size_t array);
    [[nodiscard]] std::uint32_t word(std::size_t array, std::uint64_t place) const;
    void clearOutputs();

  private:
    const Kernel& kernel_;
    bool hasValues_;
    std::vector<Array> arrays_;
    std::vector<std::shared_ptr<const Pages>> pages_;  ///< of each array; null without values
};

}  // namespace warplens::library
