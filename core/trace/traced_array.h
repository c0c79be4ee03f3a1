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

inline void recordAccess(EventKind kind, std::uint16_t subject, std::int64_t index,
                         std::uint64_t length, std::uint8_t bytes, std::uint32_t line) {
    if (static_cast<std::uint64_t>(index) >= length)
        throw OutOfBounds{subject, index, length, line};
    currentLane->record({baseAddress(subject) + static_cast<std::uint64_t>(index) * bytes, line,
                         subject, kind, bytes});
}

/// Stands for a kernel's `T*` in a traced body: every subscript is recorded and checked. T is a
/// number or a float4.
template <class T>
class TracedArray;

/// Inputs need no memory: their values follow from the index.
template <class T>
class TracedArray<const T> final {
  public:
    TracedArray(std::uint16_t subject, std::uint64_t length) : length_(length), subject_(subject) {}
    T operator[](Place at) const {
        recordAccess(EventKind::load, subject_, at.index, length_, sizeof(T), at.line);
        return valueAt(static_cast<std::uint64_t>(at.index));
    }

  private:
    [[nodiscard]] T valueAt(std::uint64_t index) const {
        if constexpr (std::is_arithmetic_v<T>) {
            return static_cast<T>(inputValue(subject_, index));
        } else {
            return {inputValue(subject_, 4 * index), inputValue(subject_, 4 * index + 1),
                    inputValue(subject_, 4 * index + 2), inputValue(subject_, 4 * index + 3)};
        }
    }

    std::uint64_t length_;
    std::uint16_t subject_;
};

/// Outputs: `data` may be null where only the accesses matter; then what is stored is forgotten.
template <class T>
class TracedArray final {
  public:
    class Element final {
      public:
        Element(const TracedArray& array, Place at) : array_(array), at_(at) {}
        Element& operator=(T value) {
            recordAccess(EventKind::store, array_.subject_, at_.index, array_.length_, sizeof(T),
                         at_.line);
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

    TracedArray(std::uint16_t subject, std::uint64_t length, T* data)
        : data_(data), length_(length), subject_(subject) {}
    Element operator[](Place at) const { return {*this, at}; }

  private:
    T* data_;
    std::uint64_t length_;
    std::uint16_t subject_;
};

}  // namespace warplens::trace
