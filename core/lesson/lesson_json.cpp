#include "core/lesson/lesson_json.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/course/course.h"
#include "core/json/schema.h"
#include "core/lesson/document.h"
#include "core/lesson/glossary.h"
#include "core/lesson/goal.h"
#include "core/lesson/lesson_text.h"
#include "core/measurement/json_reader.h"
#include "core/occupancy/sm_limits.h"

namespace warplens {
namespace {

using json_reader::Json;

constexpr std::size_t longestTitle = 60;
constexpr std::size_t longestLine = 170;
constexpr std::size_t longestParagraph = 620;
constexpr std::size_t mostEntries = 8;
constexpr std::size_t mostFigures = 10;
constexpr std::size_t mostRows = 10;
constexpr std::size_t mostColumns = 5;
constexpr std::size_t mostHints = 4;
constexpr std::size_t longestHint = 240;

[[noreturn]] void fail(const std::string& what) {
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

/// A member that is a list, not an empty one.
const Json& fewIn(const Json& tree, const char* name, std::size_t most) {
    const Json& found = json_reader::list(tree, name);
    if (found.empty() || found.size() > most) {
        fail('"' + std::string(name) + "\" has " + std::to_string(found.size()) +
             " entries: 1 to " + std::to_string(most));
    }
    return found;
}

std::vector<std::string> paragraphs(const Json& tree, const char* name) {
    std::vector<std::string> result;
    for (const Json& entry : fewIn(tree, name, mostEntries)) {
        result.push_back(words(Json{{name, entry}}, name, longestParagraph));
    }
    return result;
}

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

double realNumber(const Json& tree, const char* name) {
    const double value = json_reader::number(tree, name);
    if (!(value > -1e15 && value < 1e15)) fail('"' + std::string(name) + "\" is out of range");
    return value;
}

Expression expression(const Json& tree, const char* name) {
    return Expression(json_reader::text(tree, name));
}

Extents extents(const Json& tree, const char* name) {
    const auto parsed = parseExtents(name, json_reader::text(tree, name));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) fail(toString(*violation));
    return std::get<Extents>(parsed);
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

void checkArray(const std::string& name, const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const bool known =
        name == "all" ||
        std::ranges::find(kernel.arrays, name, &KernelArray::name) != kernel.arrays.end() ||
        std::ranges::find(kernel.shared, name, &KernelShared::name) != kernel.shared.end();
    if (!known) fail("\"array\" is '" + name + "', which " + std::string(kernel.name) + " has not");
}

Index3 blockIndex(const Json& tree, const Experiment& experiment) {
    const Json& list = tree.at("block");
    if (!list.is_array() || list.size() != 3) fail("\"block\" is not [x, y, z]");
    const Extents grid = experiment.launch.grid;
    const std::array<std::uint32_t, 3> ends{grid.x, grid.y, grid.z};
    std::array<std::uint32_t, 3> index{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        index.at(axis) = static_cast<std::uint32_t>(
            json_reader::count(Json{{"block", list[axis]}}, "block", ends.at(axis) - 1));
    }
    return {index[0], index[1], index[2]};
}

std::vector<LessonPanel> panelsFrom(const Json& tree, const char* name) {
    std::vector<LessonPanel> panels;
    for (const Json& entry : fewIn(tree, name, 3)) {
        const std::string word = json_reader::text(Json{{name, entry}}, name);
        const std::optional<LessonPanel> panel = lessonPanelFromString(word);
        if (!panel) fail("there is no panel '" + word + "'");
        panels.push_back(*panel);
    }
    return panels;
}

/// `before` is the launch that is shown when the scene is set.
Scene sceneFrom(const Json& tree, const Lesson& lesson, const Experiment& before) {
    expectMembers(tree, "a scene",
                  {"launch", "block", "warp", "array", "step", "view", "map", "numbers", "below",
                   "cc", "apart", "panels"});
    Scene scene;
    if (tree.contains("panels")) scene.panels = panelsFrom(tree, "panels");
    const Experiment* experiment = &before;
    if (tree.contains("launch")) {
        scene.launch = json_reader::text(tree, "launch");
        const auto found = lesson.launches.find(*scene.launch);
        if (found == lesson.launches.end()) fail("there is no launch '" + *scene.launch + "'");
        experiment = &found->second;
    }
    if (tree.contains("block")) scene.block = blockIndex(tree, *experiment);
    if (tree.contains("warp")) {
        const std::uint32_t warps = warpCountPerBlock(experiment->launch.block);
        scene.warp =
            WarpRank{static_cast<std::uint32_t>(json_reader::count(tree, "warp", warps - 1))};
    }
    if (tree.contains("array")) {
        scene.array = json_reader::text(tree, "array");
        checkArray(*scene.array, *experiment);
    }
    if (tree.contains("step")) scene.step = json_reader::count(tree, "step", 1 << 16);
    if (scene.step == std::uint64_t{0}) fail("\"step\" counts from 1");
    if (tree.contains("view"))
        scene.view = oneOf<SceneView>(tree, "view", {"2d", "3d", "sm", "time"});
    if (tree.contains("map")) scene.map = oneOf<SceneExtent>(tree, "map", {"block", "grid"});
    if (tree.contains("numbers")) {
        scene.numbers =
            oneOf<SceneNumbers>(tree, "numbers", {"warp", "coordinates", "rank", "element"});
    }
    if (tree.contains("below")) {
        scene.below = oneOf<SceneBelow>(tree, "below", {"memory", "source"});
    }
    if (tree.contains("cc")) {
        scene.capability = smLimitsNamed(json_reader::text(tree, "cc")).capability;
    }
    if (tree.contains("apart")) scene.apart = json_reader::flag(tree, "apart");
    return scene;
}

Question questionFrom(const Json& tree) {
    expectMembers(
        tree, "the question",
        {"ask", "answer", "choices", "tolerance", "decimals", "because", "mistakes", "hints"});
    Question question{.ask = words(tree, "ask", longestParagraph),
                      .answer = expression(tree, "answer"),
                      .because = words(tree, "because", longestParagraph)};
    if (tree.contains("decimals")) {
        question.decimals = static_cast<int>(json_reader::count(tree, "decimals", 6));
    }
    for (const Json& entry : fewIn(tree, "hints", mostHints)) {
        question.hints.push_back(words(Json{{"hint", entry}}, "hint", longestHint));
    }
    if (!tree.contains("choices")) {
        question.tolerance = realNumber(tree, "tolerance");
        if (question.tolerance < 0 || question.tolerance > 1) fail("\"tolerance\" is 0 to 1");
        return question;
    }
    for (const Json& entry : fewIn(tree, "choices", mostEntries)) {
        expectMembers(entry, "a choice", {"say", "from", "to"});
        const Choice choice{words(entry, "say", longestLine), realNumber(entry, "from"),
                            realNumber(entry, "to")};
        if (choice.from > choice.to) fail("the choice '" + choice.say + "' holds no number");
        question.choices.push_back(choice);
    }
    return question;
}

/// The launches are known by now.
std::vector<Mistake> mistakesFrom(const Json& tree, const Lesson& lesson) {
    std::vector<Mistake> mistakes;
    for (const Json& entry : fewIn(tree, "mistakes", mostEntries)) {
        expectMembers(entry, "a mistake", {"guess", "choice", "say", "show"});
        Mistake mistake;
        if (entry.contains("guess") == entry.contains("choice")) {
            fail("a mistake has either a \"guess\" or a \"choice\"");
        }
        if (entry.contains("guess")) mistake.guess = expression(entry, "guess");
        if (entry.contains("choice")) {
            const std::size_t count = lesson.question.choices.size();
            if (count == 0) fail("a mistake names a choice where there are none");
            mistake.choice = json_reader::count(entry, "choice", count - 1);
        }
        mistake.say = words(entry, "say", longestParagraph);
        mistake.scene = sceneFrom(json_reader::member(entry, "show"), lesson, lesson.here());
        mistakes.push_back(std::move(mistake));
    }
    return mistakes;
}

LessonSlider sliderFrom(const Json& tree, const Experiment& here) {
    expectMembers(tree, "the slider", {"argument", "from", "to", "until_answer"});
    LessonSlider slider{
        json_reader::text(tree, "argument"),
        json_reader::integer(json_reader::member(tree, "from"), "from"),
        json_reader::integer(json_reader::member(tree, "to"), "to"),
        json_reader::integer(json_reader::member(tree, "until_answer"), "until_answer")};
    if (!here.arguments.contains(slider.argument)) {
        fail("the slider's kernel has no '" + slider.argument + "'");
    }
    if (slider.from > slider.untilAnswer || slider.untilAnswer > slider.to) {
        fail("the slider's \"until_answer\" lies outside of it");
    }
    for (const std::int64_t end : {slider.from, slider.to}) {
        Experiment moved = here;
        moved.arguments.set(slider.argument, end);
        if (const auto violations = validateRun(moved); !violations.empty()) {
            throw InvalidRequest(violations);
        }
    }
    return slider;
}

CoveredPart coveredFrom(const Json& tree, const Lesson& lesson) {
    expectMembers(tree, "a covered part", {"aspect", "launch"});
    const std::string word = json_reader::text(tree, "aspect");
    const std::optional<Aspect> aspect = aspectFromString(word);
    if (!aspect) fail("there is no aspect '" + word + "'");
    CoveredPart part{*aspect};
    if (tree.contains("launch")) part.launch = json_reader::text(tree, "launch");
    if (!lesson.launches.contains(part.launch)) fail("there is no launch '" + part.launch + "'");
    return part;
}

GoalCheck checkFrom(const Json& tree) {
    expectMembers(tree, "a goal's condition", {"say", "left", "is", "right"});
    return {words(tree, "say", longestLine), expression(tree, "left"),
            oneOf<GoalSign>(tree, "is", {"at most", "equal", "at least"}),
            expression(tree, "right")};
}

LessonGoal goalFrom(const Json& tree, const Lesson& lesson) {
    expectMembers(tree, "the goal", {"say", "launch", "change", "checks", "solutions"});
    LessonGoal goal{
        .say = words(tree, "say", longestParagraph), .change = {}, .checks = {}, .solutions = {}};
    if (tree.contains("launch")) goal.launch = json_reader::text(tree, "launch");
    if (!lesson.launches.contains(goal.launch)) fail("there is no launch '" + goal.launch + "'");
    const Experiment& start = lesson.launches.at(goal.launch);
    for (const Json& entry : fewIn(tree, "change", mostEntries)) {
        const std::string what = words(Json{{"change", entry}}, "change", 60);
        const bool scenario = what.starts_with("scenario ");
        if (scenario) (void)scenarioNamed(what.substr(9));
        if (!scenario && what != "block" && !start.arguments.contains(what)) {
            fail("the goal changes '" + what + "', which its launch has not");
        }
        goal.change.push_back(what);
    }
    for (const Json& entry : fewIn(tree, "checks", mostEntries)) {
        goal.checks.push_back(checkFrom(entry));
    }
    for (const Json& entry : fewIn(tree, "solutions", mostEntries)) {
        goal.solutions.push_back(experimentFrom(entry));
    }
    if (goal.solutions.size() < 2) fail("a goal has at least two solutions");
    return goal;
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
        std::vector<std::string> cells;
        const Json named{{"row", row}};
        for (const Json& cell : fewIn(named, "row", mostColumns)) {
            cells.push_back(words(Json{{"cell", cell}}, "cell", longestLine));
        }
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
    lesson.look = paragraphs(tree, "look");
    const Experiment* shown = &lesson.here();
    for (const Json& entry : fewIn(tree, "steps", mostEntries)) {
        expectMembers(entry, "a step", {"say", "see", "show"});
        const Scene scene = sceneFrom(json_reader::member(entry, "show"), lesson, *shown);
        if (scene.launch) shown = &lesson.launches.at(*scene.launch);
        lesson.steps.push_back(
            {words(entry, "say", longestLine), words(entry, "see", longestParagraph), scene});
    }
    lesson.conclude = paragraphs(tree, "conclude");
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
        for (const Json& entry : fewIn(tree, "words", mostEntries)) {
            lesson.words.push_back(words(Json{{"word", entry}}, "word", 20));
            if (findTerm(lesson.words.back()) == nullptr) {
                fail("the glossary has no '" + lesson.words.back() + "'");
            }
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

}  // namespace

namespace {

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
