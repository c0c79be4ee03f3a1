#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/launch/extents.h"

namespace warplens {

/// Bytes that are not the frame that was expected; says what is wrong.
class MalformedFrame final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Appends numbers and texts to bytes, little-endian as every machine here is.
class FrameWriter final {
  public:
    template <typename Number>
    void number(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        raw(&value, sizeof value);
    }
    void text(const std::string& value) {
        number<std::uint32_t>(static_cast<std::uint32_t>(value.size()));
        raw(value.data(), value.size());
    }
    void bytes(const std::vector<std::byte>& value) {
        number<std::uint64_t>(value.size());
        raw(value.data(), value.size());
    }
    void raw(const void* from, std::size_t size) {
        if (size == 0) return;
        const auto* first = static_cast<const std::byte*>(from);
        out_.insert(out_.end(), first, first + size);
    }
    void reserve(std::size_t size) { out_.reserve(size); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(out_); }

  private:
    std::vector<std::byte> out_;
};

/// Reads what FrameWriter wrote. Every read throws MalformedFrame where the bytes end before it.
class FrameReader final {
  public:
    explicit FrameReader(std::span<const std::byte> in) : in_(in) {}

    template <typename Number>
    [[nodiscard]] Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    [[nodiscard]] bool flag() { return number<std::uint8_t>() != 0; }
    [[nodiscard]] std::string text() {
        const std::span<const std::byte> found = take(number<std::uint32_t>());
        std::string value(found.size(), '\0');
        if (!found.empty()) std::memcpy(value.data(), found.data(), found.size());
        return value;
    }
    [[nodiscard]] std::vector<std::byte> bytes() {
        const std::span<const std::byte> found = take(number<std::uint64_t>());
        return {found.begin(), found.end()};
    }
    /// A count of things of at least `least` bytes each: never more than the bytes left can hold.
    [[nodiscard]] std::uint32_t count(std::size_t least) {
        const auto value = number<std::uint32_t>();
        if (value > in_.size() / least) throw MalformedFrame("more entries than bytes");
        return value;
    }
    [[nodiscard]] bool atEnd() const { return in_.empty(); }
    [[nodiscard]] std::size_t left() const { return in_.size(); }

  private:
    std::span<const std::byte> take(std::uint64_t size) {
        if (size > in_.size()) throw MalformedFrame("cut off");
        const std::span<const std::byte> found = in_.first(size);
        in_ = in_.subspan(size);
        return found;
    }

    std::span<const std::byte> in_;
};

inline void writeExtents(FrameWriter& out, Extents extents) {
    out.number(extents.x);
    out.number(extents.y);
    out.number(extents.z);
}

[[nodiscard]] inline Extents readExtents(FrameReader& in) {
    Extents extents;
    extents.x = in.number<std::uint32_t>();
    extents.y = in.number<std::uint32_t>();
    extents.z = in.number<std::uint32_t>();
    return extents;
}

}  // namespace warplens
