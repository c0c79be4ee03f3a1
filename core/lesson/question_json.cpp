#include "core/lesson/question_json.h"

#include "core/lesson/scene_json.h"
#include "core/view/view_parts.h"

namespace warplens::lesson_reader {
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

std::vector<Mistake> mistakesFrom(const Json& tree, const Lesson& lesson) {
    std::vector<Mistake> mistakes;
    for (const Json& entry : fewIn(tree, "mistakes", mostEntries)) {
        expectMembers(entry, "a mistake", {"say", "show"}, {"guess", "choice"});
        Mistake mistake;
        if (entry.contains("guess") == entry.contains("choice")) {
            fail(entry, "a mistake has either a \"guess\" or a \"choice\"");
        }
        if (entry.contains("guess")) mistake.guess = expression(entry, "guess", lesson.launches);
        if (entry.contains("choice")) {
            const std::size_t count = lesson.question.choices.size();
            if (count == 0)
                fail(entry.at("choice"), "a mistake names a choice where there are none");
            mistake.choice = json_reader::count(entry, "choice", count - 1);
        }
        mistake.say = words(entry, "say", longestParagraph);
        mistake.scene = sceneFrom(entry.at("show"), lesson.launches, lesson.here());
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
        fail(tree.at("argument"), "the slider's kernel has no '" + slider.argument + "'");
    }
    if (slider.from > slider.untilAnswer || slider.untilAnswer > slider.to) {
        fail(tree.at("until_answer"), "the slider's \"until_answer\" lies outside of it");
    }
    for (const std::int64_t end : {slider.from, slider.to}) {
        Experiment moved = here;
        moved.arguments.set(slider.argument, end);
        if (const auto violations = validateRun(moved); !violations.empty()) {
            fail(tree, toString(violations));
        }
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
        if (!scenario && what != "block" && !start.arguments.contains(what)) {
            fail(entry, "the goal changes '" + what + "', which its launch has not");
        }
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
