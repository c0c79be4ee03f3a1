#include "core/json/json_tree.h"

#include <array>
#include <cstddef>

#include "core/text/encoding.h"

namespace warplens::json_reader {

void refuse(std::string_view name, std::string_view problem) {
    throw MalformedJson('"' + std::string(name) + "\" " + std::string(problem));
}

void refuse(const Json& value, std::string_view name, std::string_view problem) {
    throw MalformedValue('"' + std::string(name) + "\" " + std::string(problem), value);
}

const Json& member(const Json& tree, const char* name) {
    const auto found = tree.find(name);
    if (!tree.is_object() || found == tree.end()) {
        throw MalformedValue(std::string("no member \"") + name + '"', tree);
    }
    return *found;
}

const Json& list(const Json& tree, const char* name, std::size_t most) {
    const Json& found = member(tree, name);
    if (!found.is_array()) refuse(found, name, "is not a list");
    if (found.size() > most) {
        refuse(found, name,
               "has " + std::to_string(found.size()) + " entries: at most " + std::to_string(most));
    }
    return found;
}

std::string text(const Json& tree, const char* name) {
    return textOf(member(tree, name), name);
}

std::string textOf(const Json& found, std::string_view name) {
    if (!found.is_string()) refuse(found, name, "is not a string");
    return sanitized(found.get<std::string>());
}

double number(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_number()) refuse(found, name, "is not a number");
    return found.get<double>();
}

std::int64_t integer(const Json& found, std::string_view name) {
    if (!found.is_number_integer() ||
        (found.is_number_unsigned() && found.get<std::uint64_t>() > INT64_MAX)) {
        refuse(found, name, "is not a 64-bit whole number");
    }
    return found.get<std::int64_t>();
}

std::uint64_t countIn(const Json& found, std::string_view name, std::uint64_t most) {
    const std::int64_t value = integer(found, name);
    if (value < 0 || static_cast<std::uint64_t>(value) > most) {
        refuse(found, name, "= " + std::to_string(value) + ": from 0 to " + std::to_string(most));
    }
    return static_cast<std::uint64_t>(value);
}

bool flag(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_boolean()) refuse(found, name, "is not true/false");
    return found.get<bool>();
}

}  // namespace warplens::json_reader

namespace warplens {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t mostMembers = 64;  // of one object; what is written has about twenty

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view betweenValues = " \t\r\n,:]}";

/// A list or an object around the value that is read.
struct Around final {
    std::string pointer;
    bool isList = false;
    std::size_t next = 0;  ///< of a list: the index of its next value
    std::string name{};    ///< of an object: the member that was named last
};

}  // namespace

void requireBounded(std::string_view text) {
    std::array<std::size_t, deepest + 1> members{};  // so far, by depth
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest) {
                throw MalformedJson("nested deeper than " + std::to_string(deepest) + " levels");
            }
            members.at(depth) = 0;
        } else if (c == ']' || c == '}') {
            if (depth > 0) --depth;
        } else if (c == ':' && depth > 0 && ++members.at(depth) > mostMembers) {
            throw MalformedJson("an object of more than " + std::to_string(mostMembers) +
                                " members");
        }
    }
}

std::vector<JsonPlace> placesIn(std::string_view json) {
    std::vector<JsonPlace> places;
    std::vector<Around> around;
    std::uint32_t line = 1;
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        const std::size_t begin = at++;
        if (c == '\n') ++line;
        if (c == ']' || c == '}') around.pop_back();
        if (betweenValues.find(c) != std::string_view::npos) continue;
        if (c == '"') {
            while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
            ++at;
        } else if (c != '[' && c != '{') {
            at = std::min(json.find_first_of(betweenValues, at), json.size());
        }
        const std::string_view text = json.substr(begin, at - begin);
        const std::size_t after = json.find_first_not_of(blanks, at);
        if (c == '"' && after != std::string_view::npos && json[after] == ':') {
            around.back().name = text.substr(1, text.size() - 2);
            continue;
        }
        std::string pointer;
        if (!around.empty()) {
            Around& in = around.back();
            pointer = in.pointer + '/' + (in.isList ? std::to_string(in.next++) : in.name);
        }
        if (c == '[' || c == '{') around.push_back({pointer, c == '['});
        places.push_back({std::move(pointer), line, text});
    }
    return places;
}

std::uint32_t lineOf(const std::vector<JsonPlace>& places, std::string_view pointer) {
    for (;; pointer = pointer.substr(0, pointer.rfind('/'))) {
        const auto found = std::ranges::find(places, pointer, &JsonPlace::pointer);
        if (found != places.end()) return found->line;
        if (pointer.empty()) return 1;
    }
}

}  // namespace warplens
