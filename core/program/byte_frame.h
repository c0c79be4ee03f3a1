#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/launch/launch.h"

/// Frames: the members of structs as bytes, little-endian as every machine here is. What is in a
/// struct is told once, by a function next to the frame that it is for:
///
///     void frame(auto& f, SourcePlace& place) { f(place.file, place.line, place.column); }
///
/// where `f` writes, reads or counts. It knows numbers, flags, enumerations with names, texts, and
/// lists, arrays and options of what it knows.
namespace warplens {

/// Bytes that are not the frame that was expected; says what is wrong.
class MalformedFrame final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

template <class T>
concept FrameNumber = std::is_arithmetic_v<T>;
template <class T>
concept FrameEnum = std::is_enum_v<T>;

void frame(auto& f, Extents& extents) {
    f(extents.x, extents.y, extents.z);
}
void frame(auto& f, Index3& index) {
    f(index.x, index.y, index.z);
}
void frame(auto& f, Launch& launch) {
    f(launch.grid, launch.block, launch.dynamicSharedBytes);
}

/// What all three do with what has parts.
template <class F>
class FrameParts {
  public:
    template <class... T>
    void operator()(T&... parts) {
        (one(parts), ...);
    }

  private:
    F& self() { return static_cast<F&>(*this); }

    template <FrameNumber T>
    void one(T& value) {
        self().number(value);
    }
    template <FrameEnum T>
    void one(T& value) {
        auto number = static_cast<std::uint8_t>(value);
        self().number(number);
        if (number >= namesOf(T{}).size()) throw MalformedFrame("unknown kind or source");
        value = static_cast<T>(number);
    }
    void one(std::string& value) { self().list(value); }
    template <class T>
    void one(std::vector<T>& values) {
        self().list(values);
    }
    template <class T, std::size_t N>
    void one(std::array<T, N>& values) {
        for (T& value : values) one(value);
    }
    template <class T>
    void one(std::optional<T>& value) {
        bool there = value.has_value();
        one(there);
        if (!there) return;
        if (!value) value.emplace();
        one(*value);
    }
    template <class T>
    void one(T& value) {
        frame(self(), value);
    }
};

/// Appends to bytes. Leaves what it writes as it is.
class FrameWriter final : public FrameParts<FrameWriter> {
  public:
    void number(FrameNumber auto value) { raw(&value, sizeof value); }
    void text(const std::string& value) { list(value); }
    template <class List>
    void list(List& values) {
        using T = std::remove_const_t<typename List::value_type>;
        number(static_cast<std::uint64_t>(values.size()));
        if constexpr (std::is_trivially_copyable_v<T> && (FrameNumber<T> || FrameEnum<T>)) {
            raw(values.data(), values.size() * sizeof(T));
        } else {
            for (auto& value : values) (*this)(value);
        }
    }
    /// All of a struct.
    template <class T>
    void whole(const T& value) {
        (*this)(const_cast<T&>(value));
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

/// How many bytes FrameWriter would write.
class FrameCounter final : public FrameParts<FrameCounter> {
  public:
    void number(FrameNumber auto value) { bytes_ += sizeof value; }
    template <class List>
    void list(List& values) {
        using T = typename List::value_type;
        bytes_ += sizeof(std::uint64_t);
        if constexpr (FrameNumber<T> || FrameEnum<T>) {
            bytes_ += values.size() * sizeof(T);
        } else {
            for (auto& value : values) (*this)(value);
        }
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    std::uint64_t bytes_ = 0;
};

/// Reads what FrameWriter wrote. Every read throws MalformedFrame where the bytes end before it: a
/// count alone takes no memory.
class FrameReader final : public FrameParts<FrameReader> {
  public:
    explicit FrameReader(std::span<const std::byte> in) : in_(in) {}

    template <FrameNumber Number>
    [[nodiscard]] Number number() {
        Number value{};
        number(value);
        return value;
    }
    void number(FrameNumber auto& value) {
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
    }
    void number(bool& value) { value = number<std::uint8_t>() != 0; }
    [[nodiscard]] bool flag() { return number<std::uint8_t>() != 0; }
    [[nodiscard]] std::string text() {
        std::string value;
        list(value);
        return value;
    }
    template <class List>
    void list(List& values) {
        using T = typename List::value_type;
        const auto count = number<std::uint64_t>();
        if (count > in_.size()) throw MalformedFrame("more entries than bytes");
        if constexpr (FrameNumber<T> || std::is_same_v<T, std::byte>) {
            if (count > in_.size() / sizeof(T)) throw MalformedFrame("cut off");
            const std::span<const std::byte> found = take(count * sizeof(T));
            values.resize(count);
            if (count != 0) std::memcpy(values.data(), found.data(), found.size());
        } else {
            values.clear();
            for (std::uint64_t i = 0; i < count; ++i) (*this)(values.emplace_back());
        }
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

}  // namespace warplens
