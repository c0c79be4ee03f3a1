#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/kernel/kernel.h"
#include "core/trace/traced_array.h"

namespace warplens::trace {

/// Where an array lies in its block's shared memory.
struct SharedPlace final {
    std::uint32_t offset = 0;
    std::uint32_t elementBytes = 0;  ///< 0 while it is not declared
    std::uint32_t columns = 0;       ///< of one row; 0 where the array has one extent
    friend bool operator==(const SharedPlace&, const SharedPlace&) = default;
};

/// The shared memory of the block that runs on this thread of the host.
struct SharedMemory final {
    std::vector<std::byte> bytes;
    std::uint32_t dynamicBytes = 0;
    const Kernel* kernel = nullptr;
    std::vector<SharedPlace> places{};  ///< of the kernel's shared arrays

    /// For a new block: what it holds means nothing, as on the device. All bits set read as NaN.
    void reset() { std::memset(bytes.data(), 0xff, bytes.size()); }
};
inline constinit thread_local SharedMemory* sharedMemory = nullptr;
/// Where the next array that the running thread declares begins. Every thread of a block declares
/// the same arrays in the same order, and so finds the same ones.
inline constinit thread_local std::uint32_t sharedCursor = 0;

inline constexpr std::uint32_t mostSharedBytes = 228 * 1024;

/// Stands for an array in shared memory: every subscript is recorded and checked.
template <class T>
class TracedShared final {
  public:
    class Element final {
      public:
        Element(const TracedShared& array, Place at) : array_(array), at_(at) {}
        operator T() const { return array_.load(at_); }
        Element& operator=(T value) {
            array_.store(at_, value);
            return *this;
        }
        Element& operator=(const Element& other) { return *this = static_cast<T>(other); }
        Element& operator+=(T value) { return *this = static_cast<T>(*this) + value; }

      private:
        const TracedShared& array_;
        Place at_;
    };
    /// One row of a two-dimensional array.
    class Row final {
      public:
        Row(const TracedShared& array, Place row) : array_(array), row_(row) {}
        Element operator[](Place column) const {
            if (static_cast<std::uint64_t>(column.index) >= array_.columns_) {
                throw OutOfBounds{array_.subject(), column.index, array_.columns_, column.line};
            }
            return {array_, Place(row_.index * array_.columns_ + column.index, row_.line)};
        }

      private:
        const TracedShared& array_;
        Place row_;
    };

    TracedShared(const char* name, std::uint32_t offset, std::uint64_t length,
                 std::uint32_t columns)
        : offset_(offset), length_(length), columns_(columns), shared_(sharedIndex(name)) {
        if (shared_ < sharedMemory->places.size()) {
            const bool isMatrix = columns > 1 && length > columns;
            sharedMemory->places[shared_] = {offset, sizeof(T), isMatrix ? columns : 0};
        }
    }

    /// The next array of the block: `rows` x `columns` elements.
    static TracedShared declare(const char* name, std::uint32_t rows, std::uint32_t columns) {
        const std::uint32_t offset = sharedCursor;
        sharedCursor += rows * columns * static_cast<std::uint32_t>(sizeof(T));
        if (sharedCursor > mostSharedBytes) throw std::length_error("too much shared memory");
        return {name, offset, std::uint64_t{rows} * columns, columns};
    }

    /// One subscript of a one-dimensional array.
    Element at(Place place) const { return {*this, place}; }
    /// The first of two subscripts.
    Row row(Place place) const { return {*this, place}; }

  private:
    static std::uint16_t sharedIndex(std::string_view name) {
        const auto& names = sharedMemory->kernel->shared;
        std::uint16_t index = 0;
        while (index < names.size() && names[index] != name) ++index;
        return index;
    }
    /// Faults speak of global arrays first, then of shared ones.
    [[nodiscard]] std::uint16_t subject() const {
        return static_cast<std::uint16_t>(sharedMemory->kernel->arrays.size() + shared_);
    }
    [[nodiscard]] std::byte* access(EventKind kind, Place at) const {
        if (static_cast<std::uint64_t>(at.index) >= length_) {
            throw OutOfBounds{subject(), at.index, length_, at.line};
        }
        const std::uint64_t address = offset_ + static_cast<std::uint64_t>(at.index) * sizeof(T);
        currentLane->record({address, at.line, shared_, kind, sizeof(T)});
        return sharedMemory->bytes.data() + address;
    }
    [[nodiscard]] T load(Place at) const {
        T value;
        std::memcpy(&value, access(EventKind::sharedLoad, at), sizeof value);
        return value;
    }
    void store(Place at, T value) const {
        std::memcpy(access(EventKind::sharedStore, at), &value, sizeof value);
    }

    std::uint32_t offset_;
    std::uint64_t length_;
    std::uint32_t columns_;
    std::uint16_t shared_;
};

/// `name[i]` on an array declared with one extent.
template <class T>
struct Shared1D final {
    TracedShared<T> array;
    auto operator[](Place at) const { return array.at(at); }
};
/// `name[row][column]` on an array declared with two.
template <class T>
struct Shared2D final {
    TracedShared<T> array;
    auto operator[](Place row) const { return array.row(row); }
};

/// The launch's dynamic shared memory, which lies behind the static one.
template <class T>
struct DynamicShared final {
    std::uint32_t offset = sharedCursor;
    [[nodiscard]] Shared1D<T> part(const char* name, std::int64_t begin) const {
        const auto skipped =
            static_cast<std::uint32_t>(begin) * static_cast<std::uint32_t>(sizeof(T));
        const std::uint32_t room = sharedMemory->dynamicBytes;
        const std::uint32_t left = skipped < room ? room - skipped : 0;
        return {TracedShared<T>(name, offset + skipped, left / sizeof(T), 1)};
    }
};

}  // namespace warplens::trace
