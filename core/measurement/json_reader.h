#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/measurement/json.h"

/// For the .cpp files that read and write JSON trees, with messages that name the member.
namespace warplens::json_reader {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t largestText = 16u << 20;

/// Throws MalformedJson for text that is not one JSON object of at most `most` bytes, whole MiB, or
/// goes beyond what is read at all (requireBounded).
[[nodiscard]] Json parseObject(std::string_view text, std::size_t most = largestText);

/// The tree as text, on one line where `indent` < 0. What is not UTF-8 in it is replaced.
[[nodiscard]] std::string toText(const Json& tree, int indent = -1);

[[nodiscard]] const Json& member(const Json& tree, const char* name);

/// A member that is a list of at most so many entries.
[[nodiscard]] const Json& list(const Json& tree, const char* name, std::size_t most = SIZE_MAX);

/// As `sanitized` makes it.
[[nodiscard]] std::string text(const Json& tree, const char* name);

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

[[nodiscard]] std::int64_t integer(const Json& found, const char* name);

/// A whole number from 0 to `most`.
[[nodiscard]] std::uint64_t count(const Json& tree, const char* name,
                                  std::uint64_t most = INT64_MAX);
/// The same where it may be left out if it is 0.
[[nodiscard]] std::uint64_t countOr0(const Json& tree, const char* name);

[[nodiscard]] bool flag(const Json& tree, const char* name);

}  // namespace warplens::json_reader
