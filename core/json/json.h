#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/schema.h"

/// JSON of whatever has a `describe` (core/json/archive.h). Text in, text out: the JSON library
/// stays in the .cpp files. Reading checks every member it needs and ignores members it does not
/// know.
namespace warplens {

class Archive;

/// The text is not the JSON that was expected; says where and what.
class MalformedJson : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What tells an object's members.
using Members = std::function<void(Archive&)>;

template <class T>
[[nodiscard]] Members membersOf(const T& value) {
    // What writes does not change it.
    return [&value](Archive& archive) { describe(archive, const_cast<T&>(value)); };
}

/// The member that says which version of the program made the document.
void describeVersion(Archive& v);

/// The text of an object, on one line where `indent` < 0. What is not UTF-8 in it is replaced.
[[nodiscard]] std::string writeJson(const Members& members, int indent = 2);
template <class T>
[[nodiscard]] std::string toJson(const T& value, int indent = 2) {
    return writeJson(membersOf(value), indent);
}

/// The same with `schema` before the members, which says what it is; what a terminal would obey is
/// escaped in it (core/text/encoding.h).
[[nodiscard]] std::string writeDocument(Document document, const Members& members, int indent = 2);
template <class T>
[[nodiscard]] std::string toDocument(Document document, const T& value, int indent = 2) {
    return writeDocument(document, membersOf(value), indent);
}

inline constexpr std::size_t largestJson = 16u << 20;

/// Throws MalformedJson. Text of more than `most` bytes, whole MiB, is refused unread, and so is
/// what nests deeper, or has objects of more members, than anything that is written.
void readJson(std::string_view text, const Members& members, std::size_t most = largestJson);
template <class T>
[[nodiscard]] T fromJson(std::string_view text, std::size_t most = largestJson) {
    T value{};
    readJson(text, membersOf(value), most);
    return value;
}

/// The JSON schema (draft 2020-12) of the document, which stands alone; it ends its line.
[[nodiscard]] std::string schemaText(Document document, const Members& members);
template <class T>
[[nodiscard]] std::string schemaFor(Document document) {
    T value{};
    return schemaText(document, membersOf(value));
}

/// Where one value of a JSON text stands.
struct JsonPlace final {
    std::string pointer;     ///< as RFC 6901 has it: `/steps/0/say`; empty for the whole
    std::uint32_t line = 0;  ///< from 1, that it begins on
    std::string_view text;   ///< as written there; of a list or an object its first bracket
    friend bool operator==(const JsonPlace&, const JsonPlace&) = default;
};

/// Of every value, in the order of the text, which must be JSON; names of members stand for
/// themselves, without escapes. Cost: some ns for each byte.
[[nodiscard]] std::vector<JsonPlace> placesIn(std::string_view json);

/// The line of the value, or of the nearest around it that there is; 1 where there is none.
[[nodiscard]] std::uint32_t lineOf(const std::vector<JsonPlace>& places, std::string_view pointer);

}  // namespace warplens
