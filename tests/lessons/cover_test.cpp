// Nothing that answers a lesson's question is to be seen before the answer, in any lesson.
#include <algorithm>
#include <gtest/gtest.h>

#include "app/lessons/library.h"
#include "app/recordings/library.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/timeline.h"
#include "core/lesson/resolved_lesson.h"
#include "kernels/library/kernel_program.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

using namespace window;

const std::shared_ptr<const RecordingLibrary>& coverLibrary() {
    static const auto library = std::make_shared<const RecordingLibrary>(builtInRecordings());
    return library;
}

AppState opened(const Lesson& lesson) {
    const Experiment experiment = initialExperiment(allScenarios().front());
    AppState state = initialState({experiment, true}, coverLibrary(), true);
    window::apply(state, OpenLesson{lesson.id});
    window::apply(state, tellNow(*lessonPlace(state), {}));
    return state;
}

std::vector<std::string> textsBefore(const Lesson& lesson) {
    std::vector<std::string> texts = lesson.look;
    texts.push_back(lesson.title);
    for (const Choice& choice : lesson.question.choices) texts.push_back(choice.say);
    std::ranges::copy(lesson.question.hints, std::back_inserter(texts));
    for (const Mistake& mistake : lesson.question.mistakes) texts.push_back(mistake.say);
    return texts;
}

/// Digits that stand together, with what groups them taken out.
std::vector<std::string> numbersIn(const std::string& text) {
    std::vector<std::string> numbers;
    std::string number;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ' ';
        const bool inside = (c == ',' || c == '.') && !number.empty() && i + 1 < text.size() &&
                            isDigit(text[i + 1]);
        if (isDigit(c) || (inside && c == '.')) number += c;
        if (isDigit(c) || inside) continue;
        if (!number.empty()) numbers.push_back(std::exchange(number, {}));
    }
    return numbers;
}

/// Every page that a person can come to before the question is answered.
std::vector<AppState> reachable(const Lesson& lesson) {
    std::vector<AppState> states{opened(lesson)};
    const ResolvedLesson resolved = *shownResolved(states.front());
    for (std::size_t i = 0; i < lesson.question.hints.size(); ++i) {
        states.push_back(states.back());
        window::apply(states.back(), TakeHint{});
    }
    for (const ResolvedMistake& known : resolved.mistakes) {
        const Mistake& mistake = resolved.lesson.question.mistakes.at(known.mistake);
        AppState state = states.front();
        if (mistake.choice) window::apply(state, ChooseAnswer{*mistake.choice});
        if (known.guess) {
            window::apply(state, GuessAnswer{std::to_string(*known.guess)});
            window::apply(state, HandIn{});
        }
        states.push_back(std::move(state));
    }
    if (lesson.slider) {
        for (const std::int64_t value : {lesson.slider->from, lesson.slider->untilAnswer,
                                         lesson.slider->untilAnswer + 1, lesson.slider->to}) {
            AppState state = states.front();
            window::apply(state, SlideLesson{value});
            states.push_back(std::move(state));
        }
    }
    return states;
}

std::vector<Command> whatWouldLeadThere(const Lesson& lesson) {
    std::vector<Command> commands{ChooseScenario{"matadd-swapped"},
                                  SetBlock{{64, 1, 1}},
                                  EnterNumber{"block x", "64"},
                                  SetGridCovers{false},
                                  SwapBlockAxes{},
                                  Undo{},
                                  Redo{},
                                  ChooseBlock{{1, 0, 0}},
                                  Show{.picture = PictureKind::block3d},
                                  Show{.picture = PictureKind::slots},
                                  SetSmView{},
                                  Show{.below = LowerTab::source},
                                  ChooseArray{{}, 3},
                                  ChooseStep{2},
                                  MoveStep{1},
                                  TogglePlay{},
                                  Measure{},
                                  MeasureSweep{},
                                  Show{.tab = RightTab::sweep},
                                  Show{.over = "n=1..4"},
                                  Pin{PinSlot::a},
                                  CompareLaunches{},
                                  DrawFigure{},
                                  Show{.numbers = CellNumbers::element},
                                  TurnPage{1},
                                  TurnPage{9}};
    for (const auto& [name, experiment] : lesson.launches) {
        commands.emplace_back(Show{.experiment = experiment});
    }
    return commands;
}

class Covered : public testing::TestWithParam<std::size_t> {
  protected:
    [[nodiscard]] static const Lesson& lesson() { return builtInLessons().lessons.at(GetParam()); }
};

TEST_P(Covered, IsWhatTheAnswerFollowsFrom) {
    const Cover cover = coverOf(lesson());
    EXPECT_FALSE(cover.parts().empty()) << lesson().id;
    AppState state = opened(lesson());
    EXPECT_EQ(coverNow(state).parts(), cover.parts());
    window::apply(state, RevealAnswer{});
    EXPECT_TRUE(coverNow(state).parts().empty());
}

TEST_P(Covered, IsInNoPictureThatCanBeReachedBeforeTheAnswer) {
    for (const AppState& state : reachable(lesson())) {
        ASSERT_TRUE(questionIsOpen(state)) << lesson().id;
        const LearnPage page = learnPage(state);
        EXPECT_FALSE(page.pictures.empty());
        for (const LearnPicture& picture : page.pictures) {
            if (picture.covered || picture.bare) continue;
            for (const Aspect aspect : std::span<const Aspect>(rowOf(picture.panel).tells)) {
                EXPECT_FALSE(coverOf(lesson()).hides(aspect, state.view.experiment))
                    << lesson().id << ": " << toString(picture.panel) << " shows "
                    << toString(aspect);
            }
        }
        EXPECT_TRUE(page.question.answer.empty());
        EXPECT_FALSE(page.mayGoOn);
        EXPECT_FALSE(page.figures || page.compares);
        EXPECT_TRUE(page.goal.empty());
        EXPECT_EQ(page.kind, PageKind::question);
        for (const LearnChoice& choice : page.question.choices) {
            EXPECT_NE(choice.mark, Mark::right);
        }
    }
}

TEST_P(Covered, IsNotInTheWords) {
    const Cover cover = coverOf(lesson());
    std::vector<LessonQuantity> given;
    const auto quantitiesOf = [](const Expression& expression) {
        std::vector<LessonQuantity> found;
        for (const Expression::Part& part : expression.parts()) {
            if (const auto* one = std::get_if<LessonQuantity>(&part)) found.push_back(*one);
        }
        return found;
    };
    for (const Placeholder& place : placeholdersOf(lesson().question.ask)) {
        std::ranges::copy(quantitiesOf(place.expression), std::back_inserter(given));
    }
    for (const std::string& text : textsBefore(lesson())) {
        for (const Placeholder& place : placeholdersOf(text)) {
            for (const LessonQuantity& quantity : quantitiesOf(place.expression)) {
                const auto aspect = aspectOf(quantity);
                if (!aspect || std::ranges::find(given, quantity) != given.end()) continue;
                EXPECT_FALSE(cover.hides(*aspect, lesson().launches.at(quantity.launch)))
                    << lesson().id << ": " << text;
            }
        }
    }
}

/// Typed out in the words, too, the answer does not stand there.
TEST_P(Covered, IsNotSpelledOut) {
    if (!lesson().question.choices.empty()) return;
    const AppState state = opened(lesson());
    const ResolvedLesson& resolved = *shownResolved(state);
    const std::vector<std::string> answer = numbersIn(resolved.answerText);
    ASSERT_EQ(answer.size(), 1u) << resolved.answerText;
    const std::vector<std::string> given = numbersIn(resolved.lesson.question.ask);
    if (std::ranges::find(given, answer[0]) != given.end()) return;
    std::vector<std::string> texts = resolved.lesson.question.hints;
    for (const Mistake& mistake : resolved.lesson.question.mistakes) texts.push_back(mistake.say);
    for (const std::string& text : texts) {
        const std::vector<std::string> numbers = numbersIn(text);
        // 32 is the width of a warp, and the bytes of a sector, wherever it stands.
        if (answer[0] == "32") continue;
        EXPECT_EQ(std::ranges::find(numbers, answer[0]), numbers.end())
            << lesson().id << ": " << text;
    }
}

TEST_P(Covered, DoesNotChangeTheScreenWhateverItIs) {
    const AppState truth = opened(lesson());
    LessonEvidence evidence = evidenceFor(lesson(), {}, *coverLibrary());
    const Cover cover = coverOf(lesson());
    bool changed = false;
    std::vector<LessonQuantity> given;  // which the question tells
    for (const Placeholder& place : placeholdersOf(lesson().question.ask)) {
        for (const Expression::Part& part : place.expression.parts()) {
            const auto* quantity = std::get_if<LessonQuantity>(&part);
            const auto* value =
                quantity == nullptr ? nullptr : std::get_if<ValueQuantity>(&quantity->what);
            if (value != nullptr) given.push_back(*quantity);
        }
    }
    double factor = 2;  // another for each launch: quotients of equal numbers change as well
    for (auto& [name, launch] : evidence) {
        factor += 1;
        const auto falsify = [&](std::vector<Value>& values) {
            for (Value& value : values) {
                LessonQuantity quantity{
                    ValueQuantity{value.source, value.metric, value.variant, value.subject}};
                const auto aspect = aspectOf(quantity);
                if (!aspect || !cover.hides(*aspect, launch.experiment)) continue;
                quantity.launch = name;
                if (std::ranges::find(given, quantity) != given.end()) {
                    continue;
                }
                if (auto* number = std::get_if<double>(&value.content)) {
                    *number = factor * (*number + 2);
                    changed = true;
                }
            }
        };
        falsify(launch.predicted);
        if (launch.measured) falsify(launch.measured->values);
    }
    AppState falsified = truth;
    window::apply(falsified,
                  LessonResolved{std::make_shared<const ResolvedLesson>(tell(lesson(), evidence))});
    const auto isMeasured = [](const Expression& expression) {
        return std::ranges::any_of(expression.parts(), [](const Expression::Part& part) {
            const auto* quantity = std::get_if<LessonQuantity>(&part);
            return quantity != nullptr && std::holds_alternative<ValueQuantity>(quantity->what);
        });
    };
    if (isMeasured(lesson().question.answer)) {
        EXPECT_TRUE(changed) << lesson().id;
        EXPECT_NE(shownResolved(truth)->answer, shownResolved(falsified)->answer);
    }
    AppState a = truth;
    AppState b = falsified;
    for (std::size_t i = 0; i <= lesson().question.hints.size(); ++i) {
        EXPECT_EQ(learnPage(a), learnPage(b)) << lesson().id;
        window::apply(a, TakeHint{});
        window::apply(b, TakeHint{});
    }
    for (std::size_t i = 0; i < lesson().question.mistakes.size(); ++i) {
        EXPECT_EQ(shownResolved(a)->lesson.question.mistakes[i].say,
                  shownResolved(b)->lesson.question.mistakes[i].say);
    }
}

TEST_P(Covered, IsLockedForEveryControlThatWouldLeadThere) {
    const AppState before = opened(lesson());
    for (const Command& command : whatWouldLeadThere(lesson())) {
        AppState state = before;
        window::apply(state, command);
        EXPECT_EQ(state.view.experiment, before.view.experiment) << lesson().id;
        EXPECT_EQ(state.edit, before.edit);
        EXPECT_EQ(state.view, before.view);
        EXPECT_EQ(state.lesson, before.lesson);
        EXPECT_FALSE(state.pinnedA || state.pinnedB);
        EXPECT_EQ(running(state), nullptr);
        EXPECT_TRUE(state.figures.empty());
        EXPECT_EQ(learnPage(state), learnPage(before)) << lesson().id;
    }
    // Out of the lesson one is back where one was, not at what it asks about.
    AppState state = before;
    window::apply(state, ToggleLessons{});
    EXPECT_EQ(state.view.mode, Mode::explore);
    EXPECT_EQ(state.view.experiment, initialExperiment(allScenarios().front()));
}

TEST_P(Covered, MistakesAreForeseenAndToldWhatTheyConfuse) {
    const AppState before = opened(lesson());
    const ResolvedLesson& resolved = *shownResolved(before);
    const Question& question = resolved.lesson.question;
    EXPECT_GE(question.hints.size(), 2u);
    if (question.choices.empty()) {
        EXPECT_GE(question.mistakes.size(), 3u) << lesson().id;
    } else {
        EXPECT_EQ(question.mistakes.size(), question.choices.size() - 1) << lesson().id;
    }
    for (const ResolvedMistake& known : resolved.mistakes) {
        const Mistake& mistake = question.mistakes.at(known.mistake);
        AppState state = before;
        if (mistake.choice) {
            window::apply(state, ChooseAnswer{*mistake.choice});
        } else {
            ASSERT_TRUE(known.guess) << lesson().id << ": " << mistake.say;
            window::apply(state, GuessAnswer{std::to_string(*known.guess)});
            window::apply(state, HandIn{});
            window::apply(state, HandIn{});  // a key held down is no second try
        }
        EXPECT_TRUE(questionIsOpen(state)) << lesson().id << ": " << mistake.say;
        const LearnPage page = learnPage(state);
        EXPECT_EQ(page.question.verdict, Mark::wrong);
        EXPECT_EQ(page.question.feedback, mistake.say) << lesson().id;
        EXPECT_EQ(progressOf(state).tries, 1u);
        ASSERT_FALSE(page.pictures.empty());
        EXPECT_FALSE(std::ranges::all_of(page.pictures, &LearnPicture::covered))
            << lesson().id << ": " << mistake.say;
    }
}

TEST_P(Covered, IsSeenStepByStepAfterTheAnswer) {
    AppState state = opened(lesson());
    const ResolvedLesson& resolved = *shownResolved(state);
    if (resolved.choice) {
        window::apply(state, ChooseAnswer{*resolved.choice});
    } else {
        window::apply(state, GuessAnswer{resolved.answerText});
        window::apply(state, HandIn{});
    }
    ASSERT_EQ(progressOf(state).answered, Answered::right) << lesson().id << resolved.answerText;
    for (std::uint32_t page = 1; page < pageCount(lesson()); ++page) {
        EXPECT_EQ(progressOf(state).furthest, page) << "the steps unlock one after the other";
        window::apply(state, TurnPage{1});
        const LearnPage shown = learnPage(state);
        EXPECT_EQ(shown.page, page);
        EXPECT_EQ(shown.question.verdict, Mark::right);
        EXPECT_FALSE(shown.words.empty());
        EXPECT_FALSE(shown.pictures.empty()) << lesson().id << " page " << page;
        EXPECT_TRUE(std::ranges::none_of(shown.pictures, &LearnPicture::covered));
        EXPECT_EQ(shown.kind, page <= lesson().steps.size()      ? PageKind::step
                              : page == concludingPage(lesson()) ? PageKind::conclusion
                              : isGoalPage(lesson(), page)       ? PageKind::goal
                                                                 : PageKind::exercise);
    }
    EXPECT_EQ(comeOf(&progressOf(state), lesson()), Come::answered);
}

/// Where the lesson's page marks a step.
std::optional<WarpStep> markedStep(AppState& state) {
    state.warpTrace = std::make_shared<const WarpTrace>(traceWarp(warpInFocus(state)));
    const Timeline timeline(state);
    if (timeline.size() == 0) return std::nullopt;
    return state.warpTrace->steps.at(timeline.stepAt(timeline.position()));
}

TEST_P(Covered, MarksTheLineOfTheCodeThatItSpeaksOf) {
    AppState state = opened(lesson());
    for (std::uint32_t page = 0; page <= pageCount(lesson()); ++page) {
        if (const std::optional<WarpStep> step = markedStep(state)) {
            const Kernel& kernel = kernelOf(state.view.experiment);
            const std::string line(sourceLine(kernel, step->line));
            const std::string where = lesson().id + " page " + std::to_string(page) + ": " + line;
            if (step->kind == StepKind::branch) {
                EXPECT_TRUE(line.starts_with("if (") || line.starts_with("for (") ||
                            line.starts_with("while ("))
                    << where;
                const bool isGuard = kernel.branches.at(step->subject).name == "inside";
                EXPECT_TRUE(!isGuard || kernel.branches.size() == 1) << where;
            } else if (step->isGlobal() && step->line != 0) {
                EXPECT_NE(line.find(kernel.arrays.at(step->subject).name), std::string::npos)
                    << where;
            }
        }
        if (page == 0)
            window::apply(state, RevealAnswer{});
        else
            window::apply(state, TurnPage{1});
    }
}

TEST_P(Covered, EndsWithThePictureOfItsAnswer) {
    AppState state = opened(lesson());
    window::apply(state, RevealAnswer{});
    const std::vector<LearnPicture> answer = picturesOf(state, lesson());
    const View shown = state.view;
    openLessonAt(state, lesson().id, 99);
    ASSERT_EQ(progressOf(state).page, pageCount(lesson()) - 1);
    if (isGoalPage(lesson(), progressOf(state).page)) return;
    EXPECT_EQ(picturesOf(state, lesson()), answer);
    EXPECT_EQ(state.view.experiment, shown.experiment);
    EXPECT_EQ(state.view.step, shown.step);
}

TEST(AskedThread, IsMarkedOnceItsAnswerIsGiven) {
    AppState state = opened(*findLesson("warp-grouping-128"));
    EXPECT_EQ(threadAsked(state), std::nullopt);
    window::apply(state, RevealAnswer{});
    EXPECT_EQ(threadAsked(state), (Index3{100, 0, 0}));
    openLessonAt(state, "warp-grouping-128", 2);
    EXPECT_EQ(threadAsked(state), std::nullopt) << "of another block";
}

INSTANTIATE_TEST_SUITE_P(Of, Covered,
                         testing::Range<std::size_t>(0, builtInLessons().lessons.size()),
                         [](const auto& tested) {
                             std::string name = builtInLessons().lessons[tested.param].id;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(LessonGoal, IsReachedInMoreThanOneWayAndNotAtItsStart) {
    std::size_t goals = 0;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (!lesson.goal) continue;
        ++goals;
        const auto evidenceOf = [](const Experiment& experiment) {
            return LaunchEvidence{.experiment = experiment,
                                  .predicted = predict(experiment).values,
                                  .predictedHow = {}};
        };
        LessonEvidence evidence;
        evidence.emplace("here", evidenceOf(lesson.launches.at(lesson.goal->launch)));
        const auto reached = [&](const Experiment& experiment) {
            evidence.insert_or_assign(goalLaunch, evidenceOf(experiment));
            return isReached(standingOf(*lesson.goal, evidence));
        };
        EXPECT_FALSE(reached(lesson.launches.at(lesson.goal->launch))) << lesson.id;
        for (const Experiment& solution : lesson.goal->solutions) {
            EXPECT_TRUE(reached(solution)) << lesson.id << " " << toString(solution.launch.block);
        }
    }
    EXPECT_GE(goals, 3u);
}

TEST(LessonGoal, IsNotedWhenThePredictionOfTheLaunchSaysSo) {
    const Lesson& lesson = lessonNamed("matadd-swapped");
    AppState state = opened(lesson);
    window::apply(state, RevealAnswer{});
    while (learnPage(state).kind != PageKind::goal) window::apply(state, TurnPage{1});
    EXPECT_FALSE(learnPage(state).goalReached);
    window::apply(state, SetBlock{{4, 64, 1}});
    EXPECT_FALSE(learnPage(state).goal.at(0).known) << "it is not predicted yet";
    window::apply(state, PredictionReady{predict(state.view.experiment)});
    EXPECT_TRUE(learnPage(state).goalReached);
    EXPECT_TRUE(progressOf(state).goal);
}

TEST(LessonSlider, StopsWhereTheAnswerWouldBeginUntilItIsGiven) {
    AppState state = opened(lessonNamed("access-stride"));
    window::apply(state, SlideLesson{32});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 2);
    window::apply(state, RevealAnswer{});
    window::apply(state, SlideLesson{32});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 32);
    window::apply(state, SlideLesson{1000});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 32);
}

TEST(LessonProgress, IsKeptWhenOneLeavesAndForgottenWhenOneStartsAgain) {
    AppState state = opened(lessonNamed("access-aligned"));
    window::apply(state, GuessAnswer{"32"});
    window::apply(state, HandIn{});
    window::apply(state, OpenLesson{"access-offset"});
    EXPECT_EQ(progressOf(state).tries, 0u);
    window::apply(state, OpenLesson{"access-aligned"});
    EXPECT_EQ(progressOf(state).tries, 1u);
    EXPECT_EQ(progressOf(state).guess, "") << "a wrong one goes with what was said of it";
    window::apply(state, GuessAnswer{"3"});
    window::apply(state, OpenLesson{"access-offset"});
    window::apply(state, OpenLesson{"access-aligned"});
    EXPECT_EQ(progressOf(state).guess, "3") << "not yet handed in";
    window::apply(state, RestartLesson{"access-aligned"});
    EXPECT_EQ(progressOf(state).tries, 0u);
    EXPECT_TRUE(questionIsOpen(state));
}

TEST(LessonMotion, GoesOnByItselfByHandAndNotAtAll) {
    AppState state = opened(lessonNamed("warp-grouping"));
    window::apply(state, RevealAnswer{});
    EXPECT_TRUE(state.lesson.motion.playing);
    window::apply(state, Tick{motionSeconds / 2});
    EXPECT_NEAR(state.lesson.motion.at, 0.5, 1e-9);
    window::apply(state, SetMotionAt{0.25});
    window::apply(state, Tick{1});
    EXPECT_NEAR(state.lesson.motion.at, 0.25, 1e-9) << "a hand stops it";
    window::apply(state, PlayMotion{});
    window::apply(state, Tick{motionSeconds});
    EXPECT_EQ(state.lesson.motion.at, 1);
    EXPECT_FALSE(state.lesson.motion.playing);
    window::apply(state, AllowMotion{false});
    window::apply(state, TurnPage{1});
    EXPECT_FALSE(state.lesson.motion.playing);
}

}  // namespace
}  // namespace warplens
