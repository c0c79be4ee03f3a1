#include "core/lesson/lesson_reader.h"

#include <array>

#include "core/course/course.h"
#include "core/lesson/resolved_lesson.h"
#include "core/occupancy/sm_limits.h"
#include "core/text/format.h"
#include "core/text/names.h"
#include "core/view/view_parts.h"

namespace warplens::lesson_reader {
namespace {

Extents extents(const Json& tree, const char* name) {
    const auto parsed = parseExtents(name, json_reader::text(tree, name));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) {
        fail(tree.at(name), toString(*violation));
    }
    return std::get<Extents>(parsed);
}

/// `there is no launch 'hier'; did you mean 'here'?`; empty where it is there.
std::string whyNoLaunch(const std::string& launch, const Launches& launches) {
    if (launches.contains(launch)) return {};
    std::vector<std::string_view> known;
    std::string all;
    for (const auto& [each, experiment] : launches) {
        known.push_back(each);
        addWords(all, ", ", each);
    }
    const std::string near = didYouMean(launch, known);
    return "there is no launch '" + launch + '\'' + (near.empty() ? ", of " + all : near);
}

void checkLaunches(const Json& value, const Expression& expression, const Launches& launches) {
    for (const std::string& launch : expression.launches()) {
        const std::string why = launch == goalLaunch ? "" : whyNoLaunch(launch, launches);
        if (!why.empty()) fail(value, "'" + expression.text() + "': " + why);
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
    std::vector<std::string_view> known(needed);
    known.insert(known.end(), optional.begin(), optional.end());
    for (const auto& [name, value] : tree.items()) {
        if (std::ranges::find(known, name) == known.end())
            wrong.emplace_back(where + " knows no \"" + name + '"' + didYouMean(name, known),
                               value);
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
    if (const std::string why = whyNoLaunch(launch, launches); !why.empty())
        fail(tree.at(name), why);
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

namespace {

/// The array's place among the kernel's arrays, its shared arrays behind them; none for `all`.
std::optional<std::size_t> arrayPlace(const Json& value, const std::string& name,
                                      const Experiment& experiment) {
    if (name == "all") return std::nullopt;
    const Kernel& kernel = kernelOf(experiment);
    const auto array = std::ranges::find(kernel.arrays, name, &KernelArray::name);
    if (array != kernel.arrays.end()) {
        return static_cast<std::size_t>(array - kernel.arrays.begin());
    }
    const auto shared = std::ranges::find(kernel.shared, name, &KernelShared::name);
    if (shared == kernel.shared.end()) {
        fail(value, "\"array\" is '" + name + "', which " + std::string(kernel.name) + " has not");
    }
    return kernel.arrays.size() + static_cast<std::size_t>(shared - kernel.shared.begin());
}

/// One of the words that the window offers.
template <NamedEnum Enum>
void readWord(const Json& tree, const char* name, std::optional<Enum>& chosen) {
    if (!tree.contains(name)) return;
    const std::vector<std::string_view> words = offeredWords<Enum>();
    chosen = fromWord<Enum>(words.at(oneOf<std::size_t>(tree, name, words)));
}

Index3 blockIndex(const Json& tree, const Experiment& experiment) {
    const Json& list = tree.at("block");
    if (!list.is_array() || list.size() != 3) fail(list, "\"block\" is not [x, y, z]");
    const Extents grid = experiment.launch.grid;
    const std::array<std::uint32_t, 3> ends{grid.x, grid.y, grid.z};
    std::array<std::uint32_t, 3> index{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        index.at(axis) = static_cast<std::uint32_t>(
            json_reader::countIn(list[axis], "block", ends.at(axis) - 1));
    }
    return {index[0], index[1], index[2]};
}

}  // namespace

std::vector<PictureKind> panelsFrom(const Json& tree, const char* name) {
    std::vector<PictureKind> panels;
    for (const Json& entry : fewIn(tree, name, 3)) {
        const std::string word = wordsOf(entry, name, longestLine);
        const auto row = std::ranges::find(pictures, word, &PictureRow::panel);
        if (row == pictures.end() || word.empty()) {
            std::vector<std::string_view> known;
            for (const PictureRow& each : pictures) {
                if (!each.panel.empty()) known.push_back(each.panel);
            }
            const std::string meant = didYouMean(word, known);
            fail(entry, "there is no panel '" + word + '\'' +
                            (meant.empty() ? ": one of " + joined(known, " ") : meant));
        }
        panels.push_back(row->picture);
    }
    return panels;
}

Scene sceneFrom(const Json& tree, const Launches& launches, const Experiment& before) {
    expectMembers(tree, "a scene", {},
                  {"launch", "block", "warp", "array", "step", "view", "map", "numbers", "below",
                   "cc", "apart", "panels"});
    Scene scene;
    ViewChange& view = scene.view;
    if (tree.contains("panels")) scene.panels = panelsFrom(tree, "panels");
    if (tree.contains("launch"))
        view.experiment = launches.at(launchName(tree, "launch", launches));
    if (tree.contains("array")) view.step = noStep;
    if (tree.contains("step")) {
        const std::uint64_t step = json_reader::count(tree, "step", 1 << 16);
        if (step == 0) fail(tree.at("step"), "\"step\" counts from 1");
        view.step = step - 1;
    }
    readWord(tree, "view", view.picture);
    readWord(tree, "map", view.map);
    readWord(tree, "numbers", view.numbers);
    readWord(tree, "below", view.below);
    if (tree.contains("cc")) {
        try {
            view.capability = smLimitsNamed(json_reader::text(tree, "cc")).capability;
        } catch (const InvalidRequest& error) {
            fail(tree.at("cc"), error.what());
        }
    }
    if (tree.contains("apart")) scene.apart = json_reader::flag(tree, "apart");
    const Experiment& experiment = view.experiment ? *view.experiment : before;
    ofLaunch(experiment, [&] {
        if (tree.contains("block")) view.block = blockIndex(tree, experiment);
        if (tree.contains("warp")) {
            const std::uint32_t warps = warpCountPerBlock(experiment.launch.block);
            view.warp =
                WarpRank{static_cast<std::uint32_t>(json_reader::count(tree, "warp", warps - 1))};
        }
        if (tree.contains("array"))
            view.array = arrayPlace(tree.at("array"), json_reader::text(tree, "array"), experiment);
    });
    return scene;
}

namespace {

constexpr std::size_t longestHint = 240;

GoalCheck checkFrom(const Json& tree, const Launches& launches) {
    expectMembers(tree, "a goal's condition", {"say", "left", "is", "right"});
    return {words(tree, "say", longestLine), expression(tree, "left", launches),
            oneOf<GoalSign>(tree, "is", {"at most", "equal", "at least"}),
            expression(tree, "right", launches)};
}

}  // namespace

Question questionFrom(const Json& tree, const Launches& launches) {
    expectMembers(tree, "the question", {"ask", "answer", "because", "mistakes", "hints"},
                  {"choices", "tolerance", "decimals", "show"});
    Question question{.ask = words(tree, "ask", longestParagraph),
                      .answer = expression(tree, "answer", launches),
                      .because = words(tree, "because", longestParagraph)};
    if (tree.contains("decimals")) {
        question.decimals = static_cast<int>(json_reader::count(tree, "decimals", 6));
    }
    question.hints = wordsIn(tree, "hints", 4, longestHint);
    if (!tree.contains("choices")) {
        question.tolerance = realNumber(tree, "tolerance");
        if (question.tolerance < 0 || question.tolerance > 1)
            fail(tree.at("tolerance"), "\"tolerance\" is 0 to 1");
        return question;
    }
    for (const Json& entry : fewIn(tree, "choices", mostEntries)) {
        expectMembers(entry, "a choice", {"say", "from", "to"});
        const Choice choice{words(entry, "say", longestLine), realNumber(entry, "from"),
                            realNumber(entry, "to")};
        if (choice.from > choice.to) fail(entry, "the choice '" + choice.say + "' holds no number");
        question.choices.push_back(choice);
    }
    return question;
}

Scene shownWithAnswer(const Json& question, const Lesson& lesson) {
    Scene shown = lesson.opening;
    const Cover cover = coverOf(lesson);
    shown.view.experiment =
        cover.parts().empty() ? lesson.here() : cover.parts().front().experiment;
    if (!question.contains("show")) return shown;
    const Scene own = sceneFrom(question.at("show"), lesson.launches, *shown.view.experiment);
    take(shown.view, own.view);
    shown.panels = own.panels;
    return shown;
}

Mistake mistakeFrom(const Json& entry, const Lesson& lesson) {
    expectMembers(entry, "a mistake", {"say"}, {"guess", "choice", "show"});
    Mistake mistake;
    if (entry.contains("guess") == entry.contains("choice")) {
        fail(entry, "a mistake has either a \"guess\" or a \"choice\"");
    }
    if (entry.contains("guess")) mistake.guess = expression(entry, "guess", lesson.launches);
    if (entry.contains("choice")) {
        const std::size_t count = lesson.question.choices.size();
        if (count == 0) fail(entry.at("choice"), "a mistake names a choice where there are none");
        const Json& choice = entry.at("choice");
        if (!choice.is_number_unsigned() || choice.get<std::uint64_t>() >= count)
            fail(choice, "\"choice\" is the place of one of \"choices\", from 0: 0 to " +
                             std::to_string(count - 1));
        mistake.choice = choice.get<std::size_t>();
    }
    mistake.say = words(entry, "say", longestParagraph);
    if (entry.contains("show"))
        mistake.scene = sceneFrom(entry.at("show"), lesson.launches, lesson.here());
    return mistake;
}

LessonSlider sliderFrom(const Json& tree, const Experiment& here) {
    expectMembers(tree, "the slider", {"argument", "from", "to", "until_answer"});
    LessonSlider slider{
        json_reader::text(tree, "argument"),
        json_reader::integer(json_reader::member(tree, "from"), "from"),
        json_reader::integer(json_reader::member(tree, "to"), "to"),
        json_reader::integer(json_reader::member(tree, "until_answer"), "until_answer")};
    ofLaunch(here, [&] {
        if (!here.arguments.contains(slider.argument))
            fail(tree.at("argument"), "the slider's kernel has no '" + slider.argument + "'");
    });
    if (slider.from > slider.untilAnswer || slider.untilAnswer > slider.to) {
        fail(tree.at("until_answer"), "the slider's \"until_answer\" lies outside of it");
    }
    for (const std::int64_t end : {slider.from, slider.to}) {
        Experiment moved = here;
        moved.arguments.set(slider.argument, end);
        ofLaunch(here, [&] {
            if (const auto violations = validateRun(moved); !violations.empty())
                fail(tree, toString(violations));
        });
    }
    return slider;
}

CoveredPart coveredFrom(const Json& tree, const Lesson& lesson) {
    expectMembers(tree, "a covered part", {"aspect"}, {"launch"});
    const std::string word = json_reader::text(tree, "aspect");
    const std::optional<Aspect> aspect = aspectFromString(word);
    if (!aspect) fail(tree.at("aspect"), "there is no aspect '" + word + "'");
    CoveredPart part{*aspect};
    if (tree.contains("launch")) part.launch = launchName(tree, "launch", lesson.launches);
    return part;
}

LessonGoal goalFrom(const Json& tree, const Lesson& lesson) {
    expectMembers(tree, "the goal", {"say", "change", "checks", "solutions"}, {"launch"});
    LessonGoal goal{
        .say = words(tree, "say", longestParagraph), .change = {}, .checks = {}, .solutions = {}};
    if (tree.contains("launch")) goal.launch = launchName(tree, "launch", lesson.launches);
    const Experiment& start = lesson.launches.at(goal.launch);
    goal.change = wordsIn(tree, "change", mostEntries, 60);
    for (const Json& entry : tree.at("change")) {
        const auto what = entry.get<std::string>();
        const bool scenario = what.starts_with("scenario ");
        if (scenario) expectScenario(entry, what.substr(9));
        ofLaunch(start, [&] {
            if (!scenario && what != "block" && !start.arguments.contains(what))
                fail(entry, "the goal changes '" + what + "', which its launch has not");
        });
    }
    for (const Json& entry : fewIn(tree, "checks", mostEntries)) {
        goal.checks.push_back(checkFrom(entry, lesson.launches));
    }
    for (const Json& entry : fewIn(tree, "solutions", mostEntries)) {
        goal.solutions.push_back(experimentFrom(entry));
    }
    if (goal.solutions.size() < 2) fail(tree.at("solutions"), "a goal has at least two solutions");
    return goal;
}

}  // namespace warplens::lesson_reader
