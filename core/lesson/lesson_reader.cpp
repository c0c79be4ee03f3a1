#include "core/lesson/lesson_reader.h"

#include "core/course/course.h"
#include "core/lesson/resolved_lesson.h"
#include "core/text/joined.h"
#include "core/text/names.h"

namespace warplens::lesson_reader {
namespace {

Extents extents(const Json& tree, const char* name) {
    const auto parsed = parseExtents(name, json_reader::text(tree, name));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) {
        fail(tree.at(name), toString(*violation));
    }
    return std::get<Extents>(parsed);
}

void checkLaunches(const Json& value, const Expression& expression, const Launches& launches) {
    for (const std::string& launch : expression.launches()) {
        if (launch != goalLaunch && !launches.contains(launch)) {
            fail(value, "'" + expression.text() + "' speaks of a launch '" + launch +
                            "' that is not there");
        }
    }
}

}  // namespace

void fail(const Json& value, const std::string& what) {
    throw MalformedValue(what, value);
}

std::vector<MalformedValue> wrongMembers(const Json& tree, const std::string& where,
                                         std::initializer_list<std::string_view> needed,
                                         std::initializer_list<std::string_view> optional) {
    std::vector<MalformedValue> wrong;
    for (const auto& [name, value] : tree.items()) {
        if (std::ranges::find(needed, name) == needed.end() &&
            std::ranges::find(optional, name) == optional.end()) {
            wrong.emplace_back(where + " knows no \"" + name + '"', value);
        }
    }
    std::string missing;
    for (const std::string_view name : needed) {
        if (!tree.contains(name)) addWords(missing, ", ", '"' + std::string(name) + '"');
    }
    if (!missing.empty()) wrong.emplace_back(where + " has no " + missing, tree);
    return wrong;
}

void expectMembers(const Json& tree, const std::string& where,
                   std::initializer_list<std::string_view> needed,
                   std::initializer_list<std::string_view> optional) {
    if (!tree.is_object()) fail(tree, where + " is not an object");
    const std::vector<MalformedValue> wrong = wrongMembers(tree, where, needed, optional);
    if (wrong.empty()) return;
    fail(*wrong.front().value,
         joined(wrong, "; ", [](const MalformedValue& each) { return std::string(each.what()); }));
}

std::string wordsOf(const Json& value, const char* name, std::size_t longest) {
    std::string text = json_reader::textOf(value, name);
    if (text.empty()) fail(value, '"' + std::string(name) + "\" is empty");
    if (text.size() > longest) {
        fail(value, '"' + std::string(name) + "\" has " + std::to_string(text.size()) +
                        " bytes: at most " + std::to_string(longest));
    }
    return text;
}

std::string words(const Json& tree, const char* name, std::size_t longest) {
    return wordsOf(json_reader::member(tree, name), name, longest);
}

std::string wordsOrNone(const Json& tree, const char* name, std::size_t longest) {
    return tree.contains(name) ? words(tree, name, longest) : std::string();
}

const Json& fewIn(const Json& tree, const char* name, std::size_t most) {
    const Json& found = json_reader::list(tree, name);
    if (found.empty() || found.size() > most) {
        fail(found, '"' + std::string(name) + "\" has " + std::to_string(found.size()) +
                        " entries: 1 to " + std::to_string(most));
    }
    return found;
}

std::vector<std::string> wordsIn(const Json& tree, const char* name, std::size_t most,
                                 std::size_t longest) {
    std::vector<std::string> result;
    for (const Json& entry : fewIn(tree, name, most)) {
        result.push_back(wordsOf(entry, name, longest));
    }
    return result;
}

double realNumber(const Json& tree, const char* name) {
    const double value = json_reader::number(tree, name);
    if (!(value > -1e15 && value < 1e15)) {
        fail(tree.at(name), '"' + std::string(name) + "\" is out of range");
    }
    return value;
}

std::string launchName(const Json& tree, const char* name, const Launches& launches) {
    std::string launch = json_reader::text(tree, name);
    if (!launches.contains(launch)) {
        std::vector<std::string_view> known;
        std::string all;
        for (const auto& [each, experiment] : launches) {
            known.push_back(each);
            addWords(all, ", ", each);
        }
        const std::string near = didYouMean(launch, known);
        fail(tree.at(name),
             "there is no launch '" + launch + '\'' + (near.empty() ? ", of " + all : near));
    }
    return launch;
}

Expression expression(const Json& tree, const char* name, const Launches& launches) {
    const Json& value = json_reader::member(tree, name);
    try {
        Expression read(json_reader::textOf(value, name));
        checkLaunches(value, read, launches);
        return read;
    } catch (const MalformedExpression& error) {
        fail(value, error.what());
    }
}

void checkTexts(const Json& tree, const Launches& launches) {
    if (tree.is_structured()) {
        for (const Json& each : tree) checkTexts(each, launches);
    }
    if (!tree.is_string()) return;
    try {
        for (const Placeholder& place : placeholdersOf(tree.get<std::string>())) {
            checkLaunches(tree, place.expression, launches);
        }
    } catch (const MalformedExpression& error) {
        fail(tree, error.what());
    }
}

void expectScenario(const Json& value, const std::string& id) {
    if (findScenario(id) != nullptr) return;
    std::string why;
    if (const Course* const course = openedCourse()) {
        if (const auto file = course->unread.find(id); file != course->unread.end()) {
            why = ": its file " + file->second + " cannot be read";
        }
    }
    fail(value, "there is no scenario '" + id + '\'' + (why.empty() ? scenariosMeant(id) : why));
}

Experiment experimentFrom(const Json& tree) {
    expectMembers(tree, "a launch", {"scenario"}, {"grid", "block", "set", "array_offset"});
    ExperimentRequest request{.scenario = json_reader::text(tree, "scenario")};
    expectScenario(tree.at("scenario"), request.scenario);
    if (tree.contains("grid")) request.grid = extents(tree, "grid");
    if (tree.contains("block")) request.block = extents(tree, "block");
    if (tree.contains("set")) {
        const Json& set = tree.at("set");
        if (!set.is_object() || set.size() > mostEntries) fail(set, "\"set\" is not a few numbers");
        for (const auto& [name, value] : set.items()) {
            request.set.set(name, json_reader::integer(value, name));
        }
    }
    if (tree.contains("array_offset")) {
        request.arrayOffset =
            static_cast<std::uint32_t>(json_reader::count(tree, "array_offset", mostArrayOffset));
    }
    try {
        Experiment experiment = complete(request);
        if (const auto violations = validateRun(experiment); !violations.empty()) {
            fail(tree, toString(violations));
        }
        return experiment;
    } catch (const InvalidRequest& error) {
        fail(tree, error.what());
    }
}

}  // namespace warplens::lesson_reader
