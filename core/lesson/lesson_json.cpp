#include "core/lesson/lesson_json.h"

#include <algorithm>
#include <iterator>

#include "core/course/course.h"
#include "core/json/schema.h"
#include "core/lesson/document.h"
#include "core/lesson/glossary.h"
#include "core/lesson/lesson_text.h"
#include "core/lesson/question_json.h"
#include "core/lesson/scene_json.h"

namespace warplens {
namespace {

using namespace lesson_reader;

constexpr std::size_t longestTitle = 60;
constexpr std::size_t mostFigures = 10;
constexpr std::size_t mostRows = 10;
constexpr std::size_t mostColumns = 5;

std::string idOf(const Json& tree) {
    std::string id = words(tree, "id", 40);
    if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
        fail("\"id\" '" + id + "' holds more than small letters, digits and -");
    }
    return id;
}

std::string documentOf(const Json& tree) {
    std::string id = json_reader::text(tree, "document");
    if (findDocument(id) == nullptr) fail("there is no document '" + id + "'");
    return id;
}

LessonNumber figureFrom(const Json& tree) {
    expectMembers(tree, "a figure", {"name", "value", "decimals", "document"});
    LessonNumber figure{.name = words(tree, "name", 60), .value = expression(tree, "value")};
    if (tree.contains("decimals")) {
        figure.decimals = static_cast<int>(json_reader::count(tree, "decimals", 6));
    }
    if (tree.contains("document")) {
        const Json& document = tree.at("document");
        expectMembers(document, "a document's figure", {"document", "says", "why"});
        figure.document = DocumentFigure{documentOf(document), words(document, "says", 80),
                                         wordsOrNone(document, "why", longestParagraph)};
    }
    return figure;
}

LessonTable tableFrom(const Json& tree) {
    expectMembers(tree, "a table", {"title", "rows"});
    LessonTable table{words(tree, "title", longestTitle), {}};
    for (const Json& row : fewIn(tree, "rows", mostRows)) {
        std::vector<std::string> cells =
            wordsIn(Json{{"row", row}}, "row", mostColumns, longestLine);
        if (!table.rows.empty() && cells.size() != table.rows[0].size()) {
            fail("a row of '" + table.title + "' has " + std::to_string(cells.size()) +
                 " cells, the first has " + std::to_string(table.rows[0].size()));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void checkLaunchesOf(const Expression& expression, const Lesson& lesson) {
    for (const std::string& launch : expression.launches()) {
        if (launch != goalLaunch && !lesson.launches.contains(launch)) {
            fail("'" + expression.text() + "' speaks of a launch '" + launch +
                 "' that is not there");
        }
    }
}

/// Every quantity in every text can be asked for.
void checkTexts(const Lesson& lesson) {
    std::vector<std::string> texts = lesson.look;
    std::ranges::copy(lesson.conclude, std::back_inserter(texts));
    texts.push_back(lesson.question.ask);
    texts.push_back(lesson.question.because);
    std::ranges::copy(lesson.question.hints, std::back_inserter(texts));
    for (const Mistake& mistake : lesson.question.mistakes) {
        texts.push_back(mistake.say);
        if (mistake.guess) checkLaunchesOf(*mistake.guess, lesson);
    }
    for (const LessonStep& step : lesson.steps) {
        texts.push_back(step.say);
        texts.push_back(step.see);
    }
    for (const LessonNumber& figure : lesson.figures) {
        checkLaunchesOf(figure.value, lesson);
        if (figure.document) texts.push_back(figure.document->why);
    }
    for (const LessonTable& table : lesson.tables) {
        for (const auto& row : table.rows) std::ranges::copy(row, std::back_inserter(texts));
    }
    for (const std::string& text : texts) {
        for (const Placeholder& place : placeholdersOf(text)) {
            checkLaunchesOf(place.expression, lesson);
        }
    }
}

Lesson read(const Json& tree) {
    expectMembers(tree, "a lesson",
                  {"schema",  "id",    "group",  "place",    "title",    "from",    "launches",
                   "opening", "look",  "steps",  "question", "conclude", "figures", "compare",
                   "tables",  "words", "before", "after",    "covers",   "slider",  "goal"});
    if (const std::string schema = json_reader::text(tree, "schema");
        schema != schemaOf(Document::lessonFile)) {
        fail("'" + schema + "', this version reads " + schemaOf(Document::lessonFile));
    }
    Lesson lesson{.question = questionFrom(json_reader::member(tree, "question"))};
    lesson.id = idOf(tree);
    const std::string group = json_reader::text(tree, "group");
    if (group.size() != 1 || lessonGroups.find(group[0]) == std::string_view::npos) {
        fail("\"group\" is '" + group + "': one of A to F");
    }
    lesson.group = group[0];
    lesson.place = static_cast<int>(json_reader::count(tree, "place", 99));
    lesson.title = words(tree, "title", longestTitle);
    for (const Json& entry : fewIn(tree, "from", 4)) {
        expectMembers(entry, "an origin", {"document", "section"});
        lesson.from.push_back({documentOf(entry), words(entry, "section", 100)});
    }
    const Json& launches = json_reader::member(tree, "launches");
    if (!launches.is_object() || launches.size() > mostEntries || !launches.contains("here")) {
        fail("\"launches\" are 1 to 8, with one named here");
    }
    for (const auto& [name, launch] : launches.items()) {
        lesson.launches.emplace(name, experimentFrom(launch));
    }
    if (tree.contains("opening")) {
        lesson.opening = sceneFrom(tree.at("opening"), lesson, lesson.here());
    }
    lesson.look = wordsIn(tree, "look", mostEntries, longestParagraph);
    const Experiment* shown = &lesson.here();
    for (const Json& entry : fewIn(tree, "steps", mostEntries)) {
        expectMembers(entry, "a step", {"say", "see", "show"});
        const Scene scene = sceneFrom(json_reader::member(entry, "show"), lesson, *shown);
        if (scene.launch) shown = &lesson.launches.at(*scene.launch);
        lesson.steps.push_back(
            {words(entry, "say", longestLine), words(entry, "see", longestParagraph), scene});
    }
    lesson.conclude = wordsIn(tree, "conclude", mostEntries, longestParagraph);
    for (const Json& entry : fewIn(tree, "figures", mostFigures)) {
        lesson.figures.push_back(figureFrom(entry));
    }
    if (tree.contains("tables")) {
        for (const Json& entry : fewIn(tree, "tables", 2)) {
            lesson.tables.push_back(tableFrom(entry));
        }
    }
    if (tree.contains("compare")) {
        const Json& compare = tree.at("compare");
        expectMembers(compare, "the comparison", {"a", "b"});
        lesson.compare = {json_reader::text(compare, "a"), json_reader::text(compare, "b")};
        for (const std::string& name : {lesson.compare->a, lesson.compare->b}) {
            if (!lesson.launches.contains(name)) fail("there is no launch '" + name + "'");
        }
    }
    lesson.question.mistakes = mistakesFrom(tree.at("question"), lesson);
    lesson.before = panelsFrom(tree, "before");
    lesson.after = panelsFrom(tree, "after");
    if (tree.contains("words")) {
        lesson.words = wordsIn(tree, "words", mostEntries, 20);
        for (const std::string& word : lesson.words) {
            if (findTerm(word) == nullptr) fail("the glossary has no '" + word + "'");
        }
    }
    if (tree.contains("covers")) {
        for (const Json& entry : fewIn(tree, "covers", mostEntries)) {
            lesson.covers.push_back(coveredFrom(entry, lesson));
        }
    }
    if (tree.contains("slider")) lesson.slider = sliderFrom(tree.at("slider"), lesson.here());
    if (tree.contains("goal")) lesson.goal = goalFrom(tree.at("goal"), lesson);
    checkLaunchesOf(lesson.question.answer, lesson);
    checkTexts(lesson);
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

}  // namespace

Lesson lessonFromText(std::string_view name, std::string_view text, const std::string& course) {
    const auto because = [&](const std::exception& error) {
        return MalformedJson(std::string(name) + ": " + error.what());
    };
    try {
        if (text.size() > largestLesson) {
            fail(std::to_string(text.size()) + " bytes: at most " + std::to_string(largestLesson));
        }
        Json tree = json_reader::parseObject(text);
        if (course.empty()) return read(tree);
        nameScenarios(tree, course);
        Lesson lesson = read(tree);
        lesson.id = course + '/' + lesson.id;
        lesson.place += 100 * (lesson.group - 'A');
        lesson.group = courseGroup;
        return lesson;
    } catch (const MalformedJson& error) {
        throw because(error);
    } catch (const MalformedExpression& error) {
        throw because(error);
    } catch (const InvalidRequest& error) {
        throw because(error);
    }
}

}  // namespace warplens
