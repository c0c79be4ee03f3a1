#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

/// What is kept of each four bytes of an array.
namespace warplens::runtime {

/// Large memory that is likely to be touched as a whole comes in large pages, where the system has
/// them: small ones take as long to come as the blocks that touch them take to be traced.
void useLargePages(void* memory, std::uint64_t bytes);

/// Words that are 0 until they are written, and cost next to nothing before that.
class ZeroWords final {
  public:
    ZeroWords() = default;
    /// Throws std::bad_alloc.
    explicit ZeroWords(std::uint64_t count);
    ZeroWords(ZeroWords&& other) noexcept
        : words_(std::exchange(other.words_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    ZeroWords& operator=(ZeroWords&& other) noexcept {
        std::swap(words_, other.words_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~ZeroWords();

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::uint32_t& operator[](std::uint64_t index) { return words_[index]; }
    [[nodiscard]] std::uint32_t operator[](std::uint64_t index) const { return words_[index]; }

  private:
    std::uint32_t* words_ = nullptr;
    std::uint64_t count_ = 0;
};

/// Which words of an array nobody has written since it was allocated. A word that is written in
/// part counts as written.
class UnwrittenWords final {
  public:
    /// None is.
    UnwrittenWords() = default;
    /// All of so many bytes are. Throws std::bad_alloc.
    explicit UnwrittenWords(std::uint64_t bytes)
        : words_((bytes + 3) / 4), left_(words_), written_(words_ / 32 + 1) {}

    [[nodiscard]] bool any() const { return left_ != 0; }
    void write(std::uint64_t offset, std::uint64_t bytes) {
        each(offset, bytes, [&](std::uint64_t at, std::uint32_t mask) {
            left_ -= static_cast<std::uint64_t>(std::popcount(mask & ~written_[at]));
            written_[at] |= mask;
        });
    }
    /// How many words of the bytes nobody has written; of the array's.
    [[nodiscard]] std::uint64_t count(std::uint64_t offset, std::uint64_t bytes) const {
        std::uint64_t unwritten = 0;
        each(offset, bytes, [&](std::uint64_t at, std::uint32_t mask) {
            unwritten += static_cast<std::uint64_t>(std::popcount(mask & ~written_[at]));
        });
        return unwritten;
    }

  private:
    /// Calls `visit` with which word of `written_`, and its bits.
    template <class Visit>
    void each(std::uint64_t offset, std::uint64_t bytes, const Visit& visit) const {
        const std::uint64_t end = std::min(words_, (offset + bytes + 3) / 4);
        for (std::uint64_t word = offset / 4; word < end;) {
            const auto first = static_cast<std::uint32_t>(word % 32);
            const auto many =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(32 - first, end - word));
            visit(word / 32, (many == 32 ? ~0u : (1u << many) - 1) << first);
            word += many;
        }
    }

    std::uint64_t words_ = 0;
    std::uint64_t left_ = 0;
    ZeroWords written_;  ///< a bit for each word
};

}  // namespace warplens::runtime
