#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/json/archive.h"
#include "core/json/json.h"

/// For the .cpp files that hold JSON as trees.
namespace warplens {

using Json = nlohmann::ordered_json;

/// Something is wrong with one value of a tree; its words name the member.
class MalformedValue : public MalformedJson {
  public:
    MalformedValue(const std::string& words, const Json& of) : MalformedJson(words), value(&of) {}
    const Json* value;  ///< as long as the tree is there
};

/// Throws MalformedJson for text that is not one JSON object, and as readJson does.
[[nodiscard]] Json parseObject(std::string_view text, std::size_t most = largestJson);

/// The tree as text, on one line where `indent` < 0. What is not UTF-8 in it is replaced.
[[nodiscard]] std::string toText(const Json& tree, int indent = -1);

/// The object with these members, and reading them from one: throws MalformedValue.
[[nodiscard]] Json writeTree(const Members& members);
void readTree(const Json& object, const Members& members);

/// Throws MalformedJson for text that nests lists and objects deeper than anything this program
/// writes, or that has an object of more members: who reads or writes such a tree level by level
/// would run out of stack, and who looks for each member among those before it would not come to an
/// end. Reads no more of the text than its brackets, colons and strings.
void requireBounded(std::string_view text);

}  // namespace warplens

namespace warplens::json_reader {

// For the .cpp files that read and write JSON trees, with messages that name the member.

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
[[nodiscard]] bool flag(const Json& tree, const char* name);

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

}  // namespace warplens::json_reader
