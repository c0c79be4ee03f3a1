#include "core/measurement/json_reader.h"

#include "core/text/sanitized.h"

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

namespace {

std::string rawTextOf(const Json& found, std::string_view name) {
    if (!found.is_string()) refuse(found, name, "is not a string");
    return found.get<std::string>();
}

}  // namespace

std::string rawText(const Json& tree, const char* name) {
    return rawTextOf(member(tree, name), name);
}

std::vector<std::string> rawTexts(const Json& tree, const char* name) {
    std::vector<std::string> found;
    for (const Json& entry : list(tree, name)) {
        if (!entry.is_string()) refuse(entry, name, "holds something not a string");
        found.push_back(entry.get<std::string>());
    }
    return found;
}

std::string text(const Json& tree, const char* name) {
    return textOf(member(tree, name), name);
}

std::string textOf(const Json& found, std::string_view name) {
    return sanitized(rawTextOf(found, name));
}

std::vector<std::string> texts(const Json& tree, const char* name) {
    std::vector<std::string> found = rawTexts(tree, name);
    for (std::string& entry : found) entry = sanitized(entry);
    return found;
}

std::string line(const Json& tree, const char* name) {
    std::string found = text(tree, name);
    for (char& c : found) {
        if (c == '\n') c = ' ';
    }
    return found;
}

std::string lineOrNone(const Json& tree, const char* name) {
    return tree.contains(name) ? line(tree, name) : std::string();
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

std::vector<std::uint64_t> counts(const Json& tree, const char* name, std::size_t most,
                                  std::uint64_t largest) {
    std::vector<std::uint64_t> values;
    for (const Json& entry : list(tree, name, most)) {
        values.push_back(countIn(entry, name, largest));
    }
    return values;
}

bool flag(const Json& tree, const char* name) {
    const Json& found = member(tree, name);
    if (!found.is_boolean()) refuse(found, name, "is not true/false");
    return found.get<bool>();
}

}  // namespace warplens::json_reader
