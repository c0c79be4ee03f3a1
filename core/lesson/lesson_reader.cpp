#include "core/lesson/lesson_reader.h"

#include <algorithm>

namespace warplens::lesson_reader {
namespace {

Extents extents(const Json& tree, const char* name) {
    const auto parsed = parseExtents(name, json_reader::text(tree, name));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) fail(toString(*violation));
    return std::get<Extents>(parsed);
}

}  // namespace

void fail(const std::string& what) {
    throw MalformedJson(what);
}

void expectMembers(const Json& tree, const std::string& where,
                   std::initializer_list<std::string_view> known) {
    if (!tree.is_object()) fail(where + " is not an object");
    for (const auto& [name, value] : tree.items()) {
        if (std::ranges::find(known, name) == known.end()) {
            fail(where + " knows no \"" + name + '"');
        }
    }
}

std::string words(const Json& tree, const char* name, std::size_t longest) {
    std::string text = json_reader::text(tree, name);
    if (text.empty()) fail('"' + std::string(name) + "\" is empty");
    if (text.size() > longest) {
        fail('"' + std::string(name) + "\" has " + std::to_string(text.size()) +
             " bytes: at most " + std::to_string(longest));
    }
    return text;
}

std::string wordsOrNone(const Json& tree, const char* name, std::size_t longest) {
    return tree.contains(name) ? words(tree, name, longest) : std::string();
}

const Json& fewIn(const Json& tree, const char* name, std::size_t most) {
    const Json& found = json_reader::list(tree, name);
    if (found.empty() || found.size() > most) {
        fail('"' + std::string(name) + "\" has " + std::to_string(found.size()) +
             " entries: 1 to " + std::to_string(most));
    }
    return found;
}

std::vector<std::string> wordsIn(const Json& tree, const char* name, std::size_t most,
                                 std::size_t longest) {
    std::vector<std::string> result;
    for (const Json& entry : fewIn(tree, name, most)) {
        result.push_back(words(Json{{name, entry}}, name, longest));
    }
    return result;
}

double realNumber(const Json& tree, const char* name) {
    const double value = json_reader::number(tree, name);
    if (!(value > -1e15 && value < 1e15)) fail('"' + std::string(name) + "\" is out of range");
    return value;
}

Expression expression(const Json& tree, const char* name) {
    return Expression(json_reader::text(tree, name));
}

Experiment experimentFrom(const Json& tree) {
    expectMembers(tree, "a launch", {"scenario", "grid", "block", "set", "array_offset"});
    ExperimentRequest request{.scenario = json_reader::text(tree, "scenario")};
    if (tree.contains("grid")) request.grid = extents(tree, "grid");
    if (tree.contains("block")) request.block = extents(tree, "block");
    if (tree.contains("set")) {
        const Json& set = tree.at("set");
        if (!set.is_object() || set.size() > mostEntries) fail("\"set\" is not a few numbers");
        for (const auto& [name, value] : set.items()) {
            request.set.set(name, json_reader::integer(value, name.c_str()));
        }
    }
    if (tree.contains("array_offset")) {
        request.arrayOffset =
            static_cast<std::uint32_t>(json_reader::count(tree, "array_offset", mostArrayOffset));
    }
    Experiment experiment = complete(request);
    const std::vector<LimitViolation> violations = validateRun(experiment);
    if (!violations.empty()) throw InvalidRequest(violations);
    return experiment;
}

}  // namespace warplens::lesson_reader
