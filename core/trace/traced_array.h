#pragma once

#include <atomic>
#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <type_traits>

#include "core/kernel/input_data.h"
#include "core/trace/lane_recorder.h"

namespace warplens::trace {

/// An index into a traced array, with the line of the body where it stands.
struct Place final {
    template <class Index>
    Place(Index i, std::source_location where = std::source_location::current())
        : index(static_cast<std::int64_t>(i)), line(where.line()) {
        static_assert(std::is_integral_v<Index>);
    }
    Place(std::int64_t i, std::uint32_t where) : index(i), line(where) {}
    std::int64_t index;
    std::uint32_t line;
};

/// Thrown by an access outside an array; the tracer adds kernel, block and thread.
struct OutOfBounds final {
    std::uint16_t subject;
    std::int64_t index;
    std::uint64_t length;
    std::uint32_t line;
};

/// Where an array's first element stands in the trace's own address space. Like cudaMalloc's
/// results, these are multiples of 256 and far apart.
[[nodiscard]] constexpr std::uint64_t baseAddress(std::uint16_t subject) {
    return std::uint64_t{subject + 1u} << 40;
}

/// An array in global memory as the trace knows it.
struct TracedExtent final {
    std::uint16_t subject = 0;  ///< which of the kernel's arrays
    std::uint64_t length = 0;   ///< elements
    std::uint64_t start = 0;    ///< of the first element
    template <class T>
    static TracedExtent of(std::uint16_t subject, std::uint64_t length, std::uint32_t offset) {
        return {subject, length, baseAddress(subject) + offset * sizeof(T)};
    }
    void record(EventKind kind, Place at, std::uint8_t bytes) const {
        const auto index = static_cast<std::uint64_t>(at.index);
        if (index >= length) throw OutOfBounds{subject, at.index, length, at.line};
        currentLane->record({start + index * bytes, at.line, subject, kind, bytes});
    }
};

/// Stands for a kernel's `T*` in a traced body: every subscript is recorded and checked. T is a
/// number or a float4.
template <class T>
class TracedArray;

/// Inputs need no memory: their values follow from the index.
template <class T>
class TracedArray<const T> final {
  public:
    /// Starts `offset` elements after a multiple of 256 bytes.
    TracedArray(std::uint16_t subject, std::uint64_t length, std::uint32_t offset = 0)
        : extent_(TracedExtent::of<T>(subject, length, offset)) {}
    T operator[](Place at) const {
        extent_.record(EventKind::load, at, sizeof(T));
        return valueAt(static_cast<std::uint64_t>(at.index));
    }

  private:
    [[nodiscard]] T valueAt(std::uint64_t index) const {
        if constexpr (std::is_arithmetic_v<T>) {
            return static_cast<T>(inputValue(extent_.subject, index));
        } else {
            const std::uint16_t array = extent_.subject;
            return {inputValue(array, 4 * index), inputValue(array, 4 * index + 1),
                    inputValue(array, 4 * index + 2), inputValue(array, 4 * index + 3)};
        }
    }

    TracedExtent extent_;
};

/// Outputs: `data` may be null where only the accesses matter; then what is stored is forgotten.
template <class T>
class TracedArray final {
  public:
    class Element final {
      public:
        Element(const TracedArray& array, Place at) : array_(array), at_(at) {}
        Element& operator=(T value) {
            array_.extent_.record(EventKind::store, at_, sizeof(T));
            if (array_.data_ == nullptr) return *this;
            if constexpr (std::is_arithmetic_v<T>) {
                // Threads of different blocks may store to one element, as on the device.
                std::atomic_ref(array_.data_[at_.index]).store(value, std::memory_order_relaxed);
            } else {
                array_.data_[at_.index] = value;
            }
            return *this;
        }

      private:
        const TracedArray& array_;
        Place at_;
    };

    TracedArray(std::uint16_t subject, std::uint64_t length, T* data, std::uint32_t offset = 0)
        : data_(data), extent_(TracedExtent::of<T>(subject, length, offset)) {}
    Element operator[](Place at) const { return {*this, at}; }

  private:
    T* data_;
    TracedExtent extent_;
};

}  // namespace warplens::trace
