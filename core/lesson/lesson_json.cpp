#include "core/lesson/lesson_json.h"

#include <algorithm>
#include <set>

#include "core/course/course.h"
#include "core/json/schema.h"
#include "core/lesson/lesson_reader.h"
#include "core/text/encoding.h"
#include "core/text/names.h"

namespace warplens {
namespace {

using namespace lesson_reader;
using json_reader::member;

constexpr std::size_t longestTitle = 60;
constexpr std::size_t mostFigures = 10;
constexpr std::size_t mostRows = 10;
constexpr std::size_t mostColumns = 5;

std::string idOf(const Json& tree) {
    std::string id = words(tree, "id", 40);
    if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
        fail(tree.at("id"), "\"id\" '" + id + "' holds more than small letters, digits and -");
    }
    return id;
}

std::string documentOf(const Json& tree) {
    std::string id = json_reader::text(tree, "document");
    if (findDocument(id) == nullptr) fail(tree.at("document"), "there is no document '" + id + "'");
    return id;
}

LessonNumber figureFrom(const Json& tree, const Launches& launches) {
    expectMembers(tree, "a figure", {"name", "value"}, {"decimals", "document"});
    LessonNumber figure{.name = words(tree, "name", 60),
                        .value = expression(tree, "value", launches)};
    if (tree.contains("decimals")) {
        figure.decimals = static_cast<int>(json_reader::count(tree, "decimals", 6));
    }
    if (tree.contains("document")) {
        const Json& document = tree.at("document");
        expectMembers(document, "a document's figure", {"document", "says"}, {"why"});
        figure.document = DocumentFigure{documentOf(document), words(document, "says", 80),
                                         wordsOrNone(document, "why", longestParagraph)};
    }
    return figure;
}

LessonTable tableFrom(const Json& tree) {
    expectMembers(tree, "a table", {"title", "rows"});
    LessonTable table{words(tree, "title", longestTitle), {}};
    for (const Json& row : fewIn(tree, "rows", mostRows)) {
        if (!row.is_array() || row.empty() || row.size() > mostColumns) {
            fail(row, "a row of '" + table.title + "' is not a list of 1 to " +
                          std::to_string(mostColumns) + " cells");
        }
        std::vector<std::string> cells;
        for (const Json& cell : row) cells.push_back(wordsOf(cell, "row", longestLine));
        if (!table.rows.empty() && cells.size() != table.rows[0].size()) {
            fail(row, "a row of '" + table.title + "' has " + std::to_string(cells.size()) +
                          " cells, the first has " + std::to_string(table.rows[0].size()));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// What is wrong with a part of a lesson does not keep the others from being read.
class LessonParts final {
  public:
    template <class Read>
    void part(const Read& read) {
        try {
            read();
        } catch (const MalformedOfLaunch&) {
            return;  // of the launch that is told
        } catch (const MalformedValue& error) {
            faults_.push_back(error);
        }
    }
    void add(const MalformedValue& fault) { faults_.push_back(fault); }
    [[nodiscard]] const std::vector<MalformedValue>& faults() const { return faults_; }

  private:
    std::vector<MalformedValue> faults_;
};

/// Every text, and every expression. A text that is wrong is not there for what comes later.
void checkEach(Json& tree, const Launches& launches, LessonParts& parts) {
    for (const auto& [name, value] : tree.items()) {
        if (value.is_structured()) checkEach(value, launches, parts);
        if (!value.is_string()) continue;
        const std::size_t before = parts.faults().size();
        parts.part([&, &text = value] { checkTexts(text, launches); });
        if (parts.faults().size() != before) value = "-";
        for (const char* const formula : {"answer", "guess", "value"}) {
            if (tree.is_object() && name == formula)
                parts.part([&] { (void)expression(tree, formula, launches); });
        }
    }
}

/// Those that can be read.
Launches launchesFrom(const Json& tree, LessonParts& parts) {
    if (!tree.is_object() || tree.size() > mostEntries || !tree.contains("here")) {
        fail(tree, "\"launches\" are 1 to 8, with one named here");
    }
    Launches launches;
    for (const auto& entry : tree.items()) {
        parts.part([&] { launches.emplace(entry.key(), experimentFrom(entry.value())); });
    }
    return launches;
}

Question noQuestion() {
    return {.ask = {}, .answer = Expression("0")};
}

/// Throws MalformedValue where no part of it can be read.
Lesson read(Json& tree, LessonParts& parts) {
    for (const MalformedValue& wrong : wrongMembers(
             tree, "a lesson",
             {"schema", "id", "group", "place", "title", "launches", "look", "steps", "question",
              "conclude", "figures", "before", "after"},
             {"from", "opening", "compare", "tables", "words", "covers", "slider", "goal"})) {
        parts.add(wrong);
    }
    if (const std::string schema = json_reader::text(tree, "schema");
        schema != schemaOf(Document::lessonFile)) {
        fail(tree.at("schema"),
             "'" + schema + "', this version reads " + schemaOf(Document::lessonFile));
    }
    const auto has = [&](const char* member) { return tree.contains(member); };
    Lesson lesson{.question = noQuestion()};
    parts.part([&] { lesson.id = idOf(tree); });
    parts.part([&] {
        const std::string group = json_reader::text(tree, "group");
        if (group.size() != 1 || lessonGroups.find(group[0]) == std::string_view::npos) {
            fail(tree.at("group"), "\"group\" is '" + group + "': one of A to F");
        }
        lesson.group = group[0];
    });
    parts.part([&] { lesson.place = static_cast<int>(json_reader::count(tree, "place", 99)); });
    parts.part([&] { lesson.title = words(tree, "title", longestTitle); });
    parts.part([&] { lesson.launches = launchesFrom(member(tree, "launches"), parts); });
    // Where one cannot be read that is said once, and not wherever it is named.
    if (!tree.contains("launches") || !tree.at("launches").is_object()) return lesson;
    const auto here = lesson.launches.find("here");
    Experiment other =
        here != lesson.launches.end() ? here->second : complete({.scenario = "warp-grouping"});
    other.launch.grid = {0, 0, 0};
    lesson.launches.emplace("here", other);
    for (const auto& entry : tree.at("launches").items())
        lesson.launches.emplace(entry.key(), other);
    const Launches& launches = lesson.launches;
    checkEach(tree, launches, parts);
    bool isAsked = false;
    parts.part([&] {
        lesson.question = questionFrom(member(tree, "question"), launches);
        isAsked = true;
    });
    const auto each = [&](const char* member, std::size_t most, const auto& readEntry) {
        parts.part([&] {
            for (const Json& entry : fewIn(tree, member, most)) {
                parts.part([&] { readEntry(entry); });
            }
        });
    };
    if (has("from")) {
        each("from", 4, [&](const Json& entry) {
            expectMembers(entry, "an origin", {"document", "section"});
            lesson.from.push_back({documentOf(entry), words(entry, "section", 100)});
        });
    }
    parts.part([&] {
        if (has("opening")) lesson.opening = sceneFrom(tree.at("opening"), launches, lesson.here());
    });
    parts.part([&] { lesson.look = wordsIn(tree, "look", mostEntries, longestParagraph); });
    Experiment shown = lesson.here();
    each("steps", mostEntries, [&](const Json& entry) {
        expectMembers(entry, "a step", {"say", "see", "show"});
        const Scene scene = sceneFrom(entry.at("show"), launches, shown);
        if (scene.view.experiment) shown = *scene.view.experiment;
        lesson.steps.push_back(
            {words(entry, "say", longestLine), words(entry, "see", longestParagraph), scene});
    });
    parts.part([&] { lesson.conclude = wordsIn(tree, "conclude", mostEntries, longestParagraph); });
    each("figures", mostFigures,
         [&](const Json& entry) { lesson.figures.push_back(figureFrom(entry, launches)); });
    if (has("tables")) {
        each("tables", 2, [&](const Json& entry) { lesson.tables.push_back(tableFrom(entry)); });
    }
    parts.part([&] {
        if (!has("compare")) return;
        const Json& compare = tree.at("compare");
        expectMembers(compare, "the comparison", {"a", "b"});
        lesson.compare = {launchName(compare, "a", launches), launchName(compare, "b", launches)};
    });
    parts.part([&] { lesson.before = panelsFrom(tree, "before"); });
    parts.part([&] { lesson.after = panelsFrom(tree, "after"); });
    parts.part([&] {
        if (has("words")) lesson.words = wordsIn(tree, "words", mostEntries, 20);
        for (std::size_t i = 0; i < lesson.words.size(); ++i) {
            if (findTerm(lesson.words[i]) != nullptr) continue;
            std::vector<std::string_view> known;
            for (const Term& term : glossary()) known.push_back(term.word);
            fail(tree.at("words").at(i), "the glossary has no '" + lesson.words[i] + '\'' +
                                             didYouMean(lesson.words[i], known));
        }
    });
    parts.part([&] {
        if (has("slider")) lesson.slider = sliderFrom(tree.at("slider"), lesson.here());
    });
    // What follows from the question.
    if (isAsked) {
        parts.part([&] {
            const Json& mistakes = fewIn(tree.at("question"), "mistakes", mostEntries);
            for (const Json& entry : mistakes) {
                parts.part([&] { lesson.question.mistakes.push_back(mistakeFrom(entry, lesson)); });
            }
        });
        if (has("covers")) {
            each("covers", mostEntries,
                 [&](const Json& entry) { lesson.covers.push_back(coveredFrom(entry, lesson)); });
        }
        parts.part([&] { lesson.question.shown = shownWithAnswer(tree.at("question"), lesson); });
        parts.part([&] {
            if (has("goal")) lesson.goal = goalFrom(tree.at("goal"), lesson);
        });
    }
    return lesson;
}

/// Scenarios of the course get its name, wherever one is named.
void nameScenarios(Json& tree, const std::string& course) {
    const auto name = [&](Json& id) {
        if (!id.is_string()) return;
        const std::string full = course + '/' + id.get<std::string>();
        if (findScenario(full) != nullptr) id = full;
    };
    const auto nameAll = [&](Json& launches) {
        for (auto& launch : launches) {
            if (launch.is_object() && launch.contains("scenario")) name(launch["scenario"]);
        }
    };
    if (tree.contains("launches")) nameAll(tree["launches"]);
    if (!tree.contains("goal") || !tree["goal"].is_object()) return;
    Json& goal = tree["goal"];
    if (goal.contains("solutions")) nameAll(goal["solutions"]);
    if (!goal.contains("change") || !goal["change"].is_array()) return;
    for (Json& what : goal["change"]) {
        constexpr std::string_view word = "scenario ";
        if (!what.is_string() || !what.get<std::string>().starts_with(word)) continue;
        Json id = what.get<std::string>().substr(word.size());
        name(id);
        what = std::string(word) + id.get<std::string>();
    }
}

/// Where a text stops being JSON, and what was expected there.
struct BrokenJson final {
    std::uint32_t line = 1;  ///< from 1
    std::string words;
};

/// None where it is JSON. `otherwise` stands where the parser does not say what it expected.
std::optional<BrokenJson> brokenJson(std::string_view text, const std::string& otherwise) {
    try {
        [[maybe_unused]] const Json tree = Json::parse(text);
        return std::nullopt;
    } catch (const Json::parse_error& error) {
        // `... - unexpected string literal; expected '}'`; the position is behind what was read.
        const std::string_view what = error.what();
        const std::size_t end = std::min<std::size_t>(error.byte, text.size());
        const std::size_t column = end - (text.substr(0, end).rfind('\n') + 1);
        BrokenJson broken{lineAt(text, error.byte), "not JSON at column " + std::to_string(column)};
        constexpr std::string_view unexpected = " - unexpected ";
        const std::size_t begin = what.find(unexpected);
        if (begin == what.npos) return BrokenJson{broken.line, otherwise};
        const std::string_view found = what.substr(begin + unexpected.size());
        broken.words += ": " + std::string(found.substr(0, found.find(';')));
        constexpr std::string_view wanted = "expected ";
        if (const std::size_t at = found.rfind("; expected "); at != found.npos) {
            const std::string_view expected = found.substr(at + 2 + wanted.size());
            const bool closes = expected == "'}'" || expected == "']'";
            broken.words += ", where " + std::string(closes ? "a ',' or " : "") +
                            std::string(expected) + " should be";
        }
        return broken;
    }
}

/// How many values stand before `wanted` in the text; false where it is none of the tree's.
bool countTo(const Json& tree, const Json* wanted, std::size_t& before) {
    if (&tree == wanted) return true;
    ++before;
    return tree.is_structured() && std::ranges::any_of(tree, [&](const Json& each) {
               return countTo(each, wanted, before);
           });
}

/// The line of a member that its object has twice; 0 where there is none.
std::uint32_t lineOfRepeated(const std::vector<JsonPlace>& places) {
    std::set<std::string_view> seen;
    const auto again = std::ranges::find_if(
        places, [&](const JsonPlace& place) { return !seen.insert(place.pointer).second; });
    return again == places.end() ? 0 : again->line;
}

}  // namespace

bool isStandIn(const Experiment& launch) {
    return launch.launch.grid.x == 0;
}

Lesson lessonFromText(std::string_view name, std::string_view text, const std::string& course) {
    const auto refusal = [&](std::uint32_t line, const std::string& words) {
        return MalformedLesson(std::string(name), line, words);
    };
    if (text.size() > largestLesson) {
        throw refusal(
            1, std::to_string(text.size()) + " bytes: at most " + std::to_string(largestLesson));
    }
    Json tree;
    try {
        tree = parseObject(text);
    } catch (const MalformedJson& error) {
        const auto broken = brokenJson(text, error.what()).value_or(BrokenJson{1, error.what()});
        throw refusal(broken.line, broken.words);
    }
    const std::vector<JsonPlace> places = placesIn(text);
    if (const std::uint32_t line = lineOfRepeated(places)) {
        throw refusal(line, "a member that is there already");
    }
    if (!course.empty()) nameScenarios(tree, course);
    const auto lineOfValue = [&](const MalformedValue& error) {
        std::size_t before = 0;
        return countTo(tree, error.value, before) ? places.at(before).line : 1;
    };
    LessonParts parts;
    Lesson lesson{.question = noQuestion()};
    parts.part([&] { lesson = read(tree, parts); });
    const std::vector<MalformedValue>& faults = parts.faults();
    if (!course.empty()) {
        lesson.id = course + '/' + lesson.id;
        lesson.place += 100 * (lesson.group - 'A');
        lesson.group = courseGroup;
    }
    if (!faults.empty()) {
        MalformedLesson all = refusal(lineOfValue(faults.front()), faults.front().what());
        all.id = lesson.id;
        all.place = lesson.place;
        if (!lesson.launches.empty()) all.partly = lesson;
        for (std::size_t i = 1; i < faults.size(); ++i) {
            const std::pair other(lineOfValue(faults[i]), std::string(faults[i].what()));
            // An expression that is wrong is met again where it would be read, as is a member that
            // is missing.
            const bool isMissing =
                faults[i].value == &tree && other.second.starts_with("no member ");
            const bool again = isMissing || other == std::pair(all.line, all.words) ||
                               std::ranges::find(all.others, other) != all.others.end();
            if (!again) all.others.push_back(other);
        }
        throw all;
    }
    return lesson;
}

}  // namespace warplens
