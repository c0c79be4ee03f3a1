#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "kernels/ptx/check/order.h"

namespace warplens::ptx::check {

/// Zeroed memory that costs nothing before it is used.
struct FreeStamps final {
    void operator()(Stamp* stamps) const { std::free(stamps); }
};
using Stamps = std::unique_ptr<Stamp[], FreeStamps>;

/// Elements of an array that no thread of any launch reached, where it looks as if the grid did not
/// cover the array: the rest of it, or the rest of each of its rows.
struct Unreached final {
    std::uint64_t elements = 0;  ///< of the array, or of a row
    std::uint64_t reached = 0;   ///< the first of them
    std::uint64_t rows = 0;      ///< that have a rest each; 0: it is the array's own
};

/// What is known of an array's words: who wrote and who read each last. Words are of 4 bytes, or as
/// narrow as the narrowest access.
struct Shadow final {
    std::uint64_t base = 0;   ///< the array's address, as requests have it
    std::uint64_t bytes = 0;  ///< 0: not looked at
    std::uint32_t shift = 2;  ///< a word has 1 << shift bytes
    Stamps writes;
    Stamps reads;
    std::uint64_t writtenTo =
        0;                ///< bytes from the start that the host wrote, or that need not be written
    Stamp lastStore = 0;  ///< serial of the last block that stored
    const std::byte* data = nullptr;  ///< its first byte, here
    bool isCompared = false;          ///< compared and swapped: what is loaded there may be old
    bool isShared = false;
    std::uint32_t narrowest = 16;  ///< bytes of an access
    // Of the last request that stored, or loaded where none has.
    std::uint32_t site = 0;
    bool hasStore = false;
    Stamp launch = 0;                ///< the first serial of its launch
    std::uint64_t threads = 0;       ///< of its launch
    std::uint64_t threadsInRow = 0;  ///< of its grid, along x

    [[nodiscard]] std::uint64_t words() const { return bytes >> shift; }
    /// Makes room for the stamps; false where there is none.
    [[nodiscard]] bool allocate();
    /// Words become as narrow as that.
    void narrow(std::uint32_t bytes);
    /// The host wrote them.
    void markWritten(std::uint64_t offset, std::uint64_t count);
    /// Times of the block begin anew: all that it did so far was at time 0.
    void renumber(Stamp serial);
    [[nodiscard]] std::optional<Unreached> unreached() const;
};

}  // namespace warplens::ptx::check
