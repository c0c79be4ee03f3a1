#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/measurement/json.h"
#include "core/measurement/json_bounds.h"
#include "core/text/sanitized.h"

/// For the .cpp files of this folder: reading JSON trees with messages that name the member.
namespace warplens::json_reader {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t largestText = 16u << 20;

/// Throws MalformedJson for text that is not one JSON object of at most `most` bytes, whole MiB, or
/// goes beyond what is read at all (requireBounded).
inline Json parseObject(std::string_view text, std::size_t most = largestText) {
    if (text.size() > most) {
        throw MalformedJson("JSON text larger than " + std::to_string(most >> 20) + " MiB");
    }
    requireBounded(text);
    Json tree = Json::parse(text, nullptr, false);
    if (tree.is_discarded()) throw MalformedJson("not JSON, or cut off");
    if (!tree.is_object()) throw MalformedJson("not a JSON object");
    return tree;
}

inline const Json& member(const Json& tree, const char* name) {
    const auto found = tree.find(name);
    if (!tree.is_object() || found == tree.end()) {
        throw MalformedJson(std::string("no member \"") + name + '"');
    }
    return *found;
}

/// As `sanitized` makes it.
inline std::string text(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_string()) throw MalformedJson(std::string("\"") + name + "\" is not a string");
    return sanitized(found.get<std::string>());
}

/// The same on one line: names and whatever stands within a line of ours.
inline std::string line(const Json& tree, const char* name) {
    std::string found = text(tree, name);
    for (char& c : found) {
        if (c == '\n') c = ' ';
    }
    return found;
}

/// Empty where there is no such member.
inline std::string lineOrNone(const Json& tree, const char* name) {
    return tree.contains(name) ? line(tree, name) : std::string();
}

inline double number(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_number()) throw MalformedJson(std::string("\"") + name + "\" is not a number");
    return found.get<double>();
}

inline std::int64_t integer(const Json& found, const char* name) {
    if (!found.is_number_integer() ||
        (found.is_number_unsigned() && found.get<std::uint64_t>() > INT64_MAX)) {
        throw MalformedJson(std::string("\"") + name + "\" is not a 64-bit whole number");
    }
    return found.get<std::int64_t>();
}

/// A whole number from 0 to `most`.
inline std::uint64_t count(const Json& tree, const char* name, std::uint64_t most = INT64_MAX) {
    const std::int64_t value = integer(member(tree, name), name);
    if (value < 0 || static_cast<std::uint64_t>(value) > most) {
        throw MalformedJson(std::string("\"") + name + "\" = " + std::to_string(value) +
                            ": from 0 to " + std::to_string(most));
    }
    return static_cast<std::uint64_t>(value);
}

inline bool flag(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_boolean()) throw MalformedJson(std::string("\"") + name + "\" is not true/false");
    return found.get<bool>();
}

}  // namespace warplens::json_reader
