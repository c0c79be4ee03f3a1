#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/expression.h"
#include "core/measurement/json_reader.h"

/// For the .cpp files that read lessons: members with the bounds that a lesson's have. All throw
/// MalformedJson.
namespace warplens::lesson_reader {

using json_reader::Json;

inline constexpr std::size_t longestLine = 170;  ///< bytes, as of the others
inline constexpr std::size_t longestParagraph = 620;
inline constexpr std::size_t mostEntries = 8;

[[noreturn]] void fail(const std::string& what);

/// An object that has no member but those.
void expectMembers(const Json& tree, const std::string& where,
                   std::initializer_list<std::string_view> known);

[[nodiscard]] std::string words(const Json& tree, const char* name, std::size_t longest);
[[nodiscard]] std::string wordsOrNone(const Json& tree, const char* name, std::size_t longest);

/// A member that is a list, not an empty one.
[[nodiscard]] const Json& fewIn(const Json& tree, const char* name, std::size_t most);
/// The same of words.
[[nodiscard]] std::vector<std::string> wordsIn(const Json& tree, const char* name, std::size_t most,
                                               std::size_t longest);

[[nodiscard]] double realNumber(const Json& tree, const char* name);

/// Throws MalformedExpression.
[[nodiscard]] Expression expression(const Json& tree, const char* name);

/// A launch that can be run. Throws InvalidRequest.
[[nodiscard]] Experiment experimentFrom(const Json& tree);

/// The place of a word among those allowed.
template <class Enum>
Enum oneOf(const Json& tree, const char* name, std::initializer_list<std::string_view> allowed) {
    const std::string word = json_reader::text(tree, name);
    const auto found = std::ranges::find(allowed, word);
    if (found == allowed.end()) {
        std::string known;
        for (const std::string_view each : allowed) known += ' ' + std::string(each);
        fail('"' + std::string(name) + "\" is '" + word + "': one of" + known);
    }
    return static_cast<Enum>(found - allowed.begin());
}

}  // namespace warplens::lesson_reader
