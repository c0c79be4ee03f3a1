#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/archive.h"
#include "core/json/json_tree.h"
#include "core/measurement/measurement.h"

/// For the .cpp files that read and write JSON trees, with messages that name the member.
namespace warplens::json_reader {

using warplens::Json;
using warplens::MalformedValue;
using warplens::parseObject;
using warplens::toText;

[[nodiscard]] const Json& member(const Json& tree, const char* name);

/// Throws MalformedJson that says of the member what is wrong with it: `"runs" is not a number`.
[[noreturn]] void refuse(std::string_view name, std::string_view problem);
/// The same of a value of the tree: MalformedValue, as all below throw.
[[noreturn]] void refuse(const Json& value, std::string_view name, std::string_view problem);

/// A member that is a list of at most so many entries.
[[nodiscard]] const Json& list(const Json& tree, const char* name, std::size_t most = SIZE_MAX);

/// As `sanitized` makes it.
[[nodiscard]] std::string text(const Json& tree, const char* name);
/// The same of `found`; `name` is for the message.
[[nodiscard]] std::string textOf(const Json& found, std::string_view name);

/// The same of each entry of a list.
[[nodiscard]] std::vector<std::string> texts(const Json& tree, const char* name);

/// The same on one line: names and whatever stands within a line of ours.
[[nodiscard]] std::string line(const Json& tree, const char* name);

/// Empty where there is no such member.
[[nodiscard]] std::string lineOrNone(const Json& tree, const char* name);

/// As it is: a file's text.
[[nodiscard]] std::string rawText(const Json& tree, const char* name);
[[nodiscard]] std::vector<std::string> rawTexts(const Json& tree, const char* name);

[[nodiscard]] double number(const Json& tree, const char* name);

/// `found` as a whole number; `name` is for the message.
[[nodiscard]] std::int64_t integer(const Json& found, std::string_view name);
/// The same from 0 to `most`.
[[nodiscard]] std::uint64_t countIn(const Json& found, std::string_view name,
                                    std::uint64_t most = INT64_MAX);

/// A member that is a whole number from 0 to `most`, or as many as a Number holds.
template <class Number = std::uint64_t>
[[nodiscard]] Number count(
    const Json& tree, const char* name,
    std::uint64_t most = std::min<std::uint64_t>(INT64_MAX, std::numeric_limits<Number>::max())) {
    return static_cast<Number>(countIn(member(tree, name), name, most));
}
/// The same where it may be left out if it is 0.
template <class Number = std::uint64_t>
[[nodiscard]] Number countOr0(const Json& tree, const char* name) {
    return tree.contains(name) ? count<Number>(tree, name) : 0;
}
/// A member that is a list of at most so many whole numbers from 0 to `largest`.
[[nodiscard]] std::vector<std::uint64_t> counts(const Json& tree, const char* name,
                                                std::size_t most,
                                                std::uint64_t largest = INT64_MAX);

[[nodiscard]] bool flag(const Json& tree, const char* name);

// For the .cpp files that write and read trees with parts of a measurement in them.

template <class T>
[[nodiscard]] Json treeOf(const T& value) {
    return writeTree(membersOf(value));
}

template <class T>
[[nodiscard]] T valueOf(const Json& tree) {
    T value{};
    readTree(tree, membersOf(value));
    return value;
}

[[nodiscard]] inline Experiment experimentOf(const Json& tree) {
    return valueOf<Experiment>(tree);
}

/// A member that is a list of three numbers.
[[nodiscard]] inline Index3 tripleOf(const Json& parent, const char* name) {
    Index3 index;
    readTree(parent, [&](Archive& v) { v(name, index, ""); });
    return index;
}

}  // namespace warplens::json_reader
