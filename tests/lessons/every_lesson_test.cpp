// Every lesson that there must be, walked through as a person would, without a GPU.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "app/drawing/lesson_pictures.h"
#include "app/drawing/schedule_chart.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/canvas.h"
#include "app/figure/compose.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/library.h"
#include "app/recordings/library.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/timeline.h"
#include "core/access/line_cost.h"
#include "core/lesson/resolved_lesson.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using window::AppState;

/// Every one there is; they are files of assets/lessons.
std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const Lesson& lesson : builtInLessons().lessons) all.push_back(lesson.id);
    return all;
}

const RecordingLibrary& recordings() {
    static const RecordingLibrary library = builtInRecordings();
    return library;
}

AppState freshState() {
    const Experiment experiment = initialExperiment(allScenarios().front());
    return window::initialState({experiment, true},
                                std::make_shared<const RecordingLibrary>(recordings()), false);
}

class EveryLesson : public testing::TestWithParam<std::string> {
  protected:
    /// A scenario that was never recorded cannot be told of in full; where some launch of it was,
    /// all that a lesson speaks of must have been.
    static void skipUnlessRecorded() {
        for (const auto& [name, experiment] : lesson().launches) {
            const bool isRecorded =
                std::ranges::any_of(recordings().recordings, [&](const Recording& recording) {
                    return recording.measurement.experiment.scenario == experiment.scenario;
                });
            if (!isRecorded) {
                GTEST_SKIP() << experiment.scenario
                             << " has no recording: assets/recordings/record.sh makes one on a GPU";
            }
        }
    }
    [[nodiscard]] static const Lesson& lesson() { return lessonNamed(GetParam()); }
    [[nodiscard]] static ResolvedLesson resolved() {
        return tell(lesson(), evidenceFor(lesson(), {}, recordings()));
    }
};

TEST_P(EveryLesson, LiesInAFileOfItsName) {
    EXPECT_TRUE(isLesson(GetParam()));
    EXPECT_FALSE(isLesson(GetParam() + ".cu"));
}

TEST_P(EveryLesson, HasAllItsNumbers) {
    skipUnlessRecorded();
    if (IsSkipped()) return;
    EXPECT_EQ(resolved().missing, std::vector<std::string>{});
}

TEST_P(EveryLesson, AsksAQuestionWithExactlyOneRightAnswer) {
    const ResolvedLesson lesson = resolved();
    if (!lesson.answer) skipUnlessRecorded();
    if (IsSkipped()) return;
    const Question& question = lesson.lesson.question;
    ASSERT_TRUE(lesson.answer) << lesson.answerText;
    if (question.choices.empty()) {
        EXPECT_EQ(judge(lesson, lesson.answerText), Verdict::right) << lesson.answerText;
        EXPECT_EQ(judge(lesson, "987654.5"), Verdict::wrong);
        EXPECT_EQ(judge(lesson, "many"), Verdict::unreadable);
        const auto entered = [&](double value, char point) {
            std::string text = std::to_string(value);
            std::ranges::replace(text, '.', point);
            return judge(lesson, text);
        };
        EXPECT_EQ(entered(lesson.answer->value, ','), entered(lesson.answer->value, '.'));
        return;
    }
    ASSERT_TRUE(lesson.choice) << lesson.answerText;
    EXPECT_EQ(std::ranges::count_if(question.choices,
                                    [&](const Choice& choice) {
                                        return lesson.answer->value >= choice.from &&
                                               lesson.answer->value <= choice.to;
                                    }),
              1)
        << lesson.answerText;
}

TEST_P(EveryLesson, PassesTheCheckOfCourses) {
    skipUnlessRecorded();
    if (IsSkipped()) return;
    const std::string file = GetParam() + ".json";
    const LessonCheck check = checkLesson(
        {file, readFile(std::filesystem::path(LESSONS_FOLDER) / file)}, {}, recordings());
    std::string faults;
    for (const CourseFault& fault : check.faults) faults += toString(fault) + '\n';
    EXPECT_EQ(faults, "");
    EXPECT_EQ(check.steps, lesson().steps.size());
}

TEST_P(EveryLesson, OpensAndSetsEveryScene) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{GetParam()});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_EQ(state.view.experiment, lesson().opening.view.experiment.value_or(lesson().here()));
    EXPECT_EQ(state.view.warp, lesson().opening.view.warp.value_or(noWarp));
    const auto place = window::lessonPlace(state);
    ASSERT_TRUE(place);
    window::apply(state, window::tellNow(*place, {}));
    ASSERT_NE(window::shownResolved(state), nullptr);
    window::apply(state, window::RevealAnswer{});
    Experiment shown = lesson().here();
    for (std::size_t i = 0; i < lesson().steps.size(); ++i) {
        const Scene& scene = lesson().steps[i].scene;
        if (scene.view.experiment) shown = *scene.view.experiment;
        window::apply(state, window::TurnPage{1});
        EXPECT_EQ(state.view.experiment, shown) << lesson().steps[i].say;
        if (scene.view.warp) {
            EXPECT_EQ(state.view.warp, *scene.view.warp);
        }
        if (scene.view.array) {
            EXPECT_EQ(state.view.array, *scene.view.array);
        }
        EXPECT_TRUE(state.messages.empty());
    }
}

/// Of a step, what its picture names: wavefronts, lanes of an atomic at one address, or sectors.
std::uint64_t costOfStep(const WarpStep& step) {
    const LineCost cost = costOf(step);
    if (step.isShared()) return cost.wavefronts;
    return step.isAtomic() ? cost.sameAddress : cost.sectors;
}

/// The launches that an answer and its text speak of.
std::set<std::string> launchesSpokenOf(const Question& question) {
    std::set<std::string> names;
    const auto add = [&](const Expression& expression) {
        for (const std::string& launch : expression.launches()) names.insert(launch);
    };
    add(question.answer);
    for (const Placeholder& place : placeholdersOf(question.because)) add(place.expression);
    return names;
}

/// The array or branch that an answer is about; none where it is about the whole launch.
std::string subjectOfAnswer(const Question& question) {
    for (const Expression::Part& part : question.answer.parts()) {
        const auto* const quantity = std::get_if<LessonQuantity>(&part);
        if (quantity == nullptr) continue;
        const auto* const value = std::get_if<ValueQuantity>(&quantity->what);
        if (value != nullptr && value->subject != "kernel") return value->subject;
    }
    return {};
}

TEST_P(EveryLesson, ShowsWithTheAnswerTheLaunchAndTheRequestThatItsTextSpeaksOf) {
    skipUnlessRecorded();
    if (IsSkipped()) return;
    AppState state = freshState();
    window::apply(state, window::OpenLesson{GetParam()});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    window::apply(state, window::traceWarpNow(window::warpInFocus(state)));
    const Question& asked = lesson().question;
    const Experiment shown = state.view.experiment;
    EXPECT_TRUE(std::ranges::any_of(launchesSpokenOf(asked), [&](const std::string& name) {
        return lesson().launches.at(name) == shown;
    })) << toOptions(shown);

    const auto pictures = window::picturesOf(state, lesson());
    const auto shows = [&](PictureKind panel) {
        return std::ranges::find(pictures, panel, &window::LearnPicture::panel) != pictures.end();
    };
    const auto tells = [&](Aspect aspect) {
        return std::ranges::any_of(pictures, [&](const window::LearnPicture& picture) {
            const std::span<const Aspect> told = rowOf(picture.panel).tells;
            return std::ranges::find(told, aspect) != told.end();
        });
    };
    // Times, counters and what the compiler says are told in words.
    const Cover cover = coverOf(lesson());
    std::vector<Aspect> drawn;
    for (const Cover::Part& part : cover.parts()) {
        const bool inWords = part.aspect == Aspect::times || part.aspect == Aspect::counters ||
                             part.aspect == Aspect::compiled;
        if (part.experiment == shown && !inWords) drawn.push_back(part.aspect);
    }
    EXPECT_TRUE(drawn.empty() || std::ranges::any_of(drawn, tells)) << toString(drawn.front());
    if (shows(PictureKind::tiles)) {
        EXPECT_TRUE(drawing::tilePhasesOf(shown, {}));
    }
    if (shows(PictureKind::times)) {
        EXPECT_TRUE(window::shownResult(state)->measurement->schedule);
    }
    if (shows(PictureKind::table)) {
        EXPECT_FALSE(lesson().tables.empty());
    }
    if (!shows(PictureKind::request)) return;
    const WarpStep* const step = window::stepShown(state);
    ASSERT_NE(step, nullptr);
    const std::string subject = subjectOfAnswer(asked);
    const WarpTrace& trace = *window::shownTrace(state);
    if (!subject.empty()) {
        EXPECT_TRUE(drawing::titleOf(trace, *step).ends_with(' ' + subject));
    }
    if (step->kind == StepKind::branch) return;
    const ResolvedLesson told = resolved();
    const std::string text = ' ' + told.answerText + ' ' + told.lesson.question.because;
    const std::string cost = ' ' + std::to_string(costOfStep(*step));
    const std::size_t at = text.find(cost);
    EXPECT_TRUE(at != std::string::npos) << cost << " is not in:" << text;
}

/// The words of a picture that counts something, as the screen draws it; empty of others.
std::string wordsOf(const AppState& state, PictureKind panel) {
    const drawing::DrawArea area{.box = {0, 0, 1200, 800},
                                 .colors = {},
                                 .textWidth = figure::figureTextWidth(),
                                 .textSize = 14};
    const Experiment& shown = state.view.experiment;
    drawing::Items items;
    if (panel == PictureKind::tiles) {
        items = drawing::prepareTilePhases(*drawing::tilePhasesOf(shown, {}), area);
    }
    if (panel == PictureKind::times) {
        const auto result = window::shownResult(state);
        items = drawing::prepareSmChart(*result->measurement->schedule, area, {}).items;
    }
    if (panel == PictureKind::requests || panel == PictureKind::barrier) {
        std::vector<WarpTrace> warps;
        for (std::uint32_t w = 0; w < warpCountPerBlock(shown.launch.block); ++w) {
            warps.push_back(traceWarp({shown, {}, {w}}));
        }
        items = panel == PictureKind::barrier
                    ? drawing::prepareBarrier(warps, area)
                    : drawing::prepareBlockRequests(warps, *state.view.array, area);
    }
    std::string words;
    for (const drawing::Item& item : items) {
        if (const auto* text = std::get_if<drawing::Text>(&item)) words += ' ' + text->words + '\n';
    }
    return words;
}

TEST_P(EveryLesson, HasItsAnswerInThePictureThatCountsIt) {
    skipUnlessRecorded();
    if (IsSkipped()) return;
    const ResolvedLesson told = resolved();
    if (told.choice) return;  // told in words
    AppState state = freshState();
    window::apply(state, window::OpenLesson{GetParam()});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    for (const window::LearnPicture& picture : window::picturesOf(state, lesson())) {
        const std::string words = ' ' + wordsOf(state, picture.panel);
        if (words.size() < 2) continue;
        EXPECT_NE(words.find(' ' + told.answerText + ' '), std::string::npos)
            << told.answerText << " is not in:" << words;
    }
}

TEST_P(EveryLesson, GoesBackToItsQuestionAfterTheMistakeThatHadAPicture) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{GetParam()});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    const ResolvedLesson& resolved = *window::shownResolved(state);
    const Experiment asked = state.view.experiment;
    const auto pictures = window::picturesOf(state, lesson());
    for (const ResolvedMistake& known : resolved.mistakes) {
        if (!known.guess || !resolved.answer) continue;
        window::apply(state, window::GuessAnswer{std::to_string(*known.guess)});
        window::apply(state, window::HandIn{});
        ASSERT_TRUE(window::questionIsOpen(state)) << *known.guess;
        window::apply(state, window::GuessAnswer{"987654.5"});
        window::apply(state, window::HandIn{});
        EXPECT_EQ(state.view.experiment, asked) << *known.guess;
        EXPECT_EQ(window::picturesOf(state, lesson()), pictures) << *known.guess;
    }
}

/// Another kernel's picture is no help, and hides the code that is to be read, unless it shows
/// where the wrong number is right.
TEST_P(EveryLesson, ShowsAnotherKernelsPictureOnlyToANumberThatIsRightThere) {
    const ResolvedLesson told = resolved();
    const Question& question = told.lesson.question;
    const LessonEvidence evidence = evidenceFor(lesson(), {}, recordings());
    const bool isOfCode =
        std::ranges::find(lesson().before, PictureKind::source) != lesson().before.end();
    for (const ResolvedMistake& known : told.mistakes) {
        const Mistake& mistake = question.mistakes.at(known.mistake);
        if (!known.guess || !mistake.scene || !mistake.scene->view.experiment) continue;
        const Experiment& shown = *mistake.scene->view.experiment;
        if (shown.scenario == lesson().here().scenario) continue;
        EXPECT_FALSE(isOfCode) << *known.guess;
        const auto launch = std::ranges::find_if(
            evidence, [&](const auto& each) { return each.second.experiment == shown; });
        ASSERT_NE(launch, evidence.end());
        LessonEvidence there = evidence;
        there.at("here") = launch->second;
        const Evaluation answer = evaluate(question.answer, there);
        const auto* const right = std::get_if<FoundNumber>(&answer);
        ASSERT_NE(right, nullptr) << std::get<Unavailable>(answer).reason;
        EXPECT_NEAR(right->value, *known.guess, question.tolerance * right->value);
    }
}

TEST(LessonQuestion, ThatNobodyCanAnswerSaysSo) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{"matadd-swapped"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    EXPECT_EQ(window::learnPage(state).question.unanswerable, "");
    ResolvedLesson resolved = *window::shownResolved(state);
    resolved.answer.reset();
    resolved.answerText = "not measured";
    window::apply(state, window::LessonResolved{std::make_shared<const ResolvedLesson>(resolved)});
    EXPECT_EQ(window::learnPage(state).question.unanswerable,
              "Nobody can be right here: the question has no answer: not measured.");
    window::apply(state, window::RevealAnswer{});
    EXPECT_FALSE(window::questionIsOpen(state)) << "one gets on";
}

TEST(LessonMistake, WhosePictureWouldTellTheAnswerLeavesTheQuestionsOwn) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{"matadd-swapped"});
    Lesson lesson = lessonNamed("matadd-swapped");
    lesson.question.mistakes.front().scene = {.view = {.experiment = lesson.here()},
                                              .panels = {PictureKind::request}};
    const auto resolved =
        std::make_shared<const ResolvedLesson>(tell(lesson, evidenceFor(lesson, {}, recordings())));
    window::apply(state, window::LessonResolved{resolved});
    const auto pictures = window::picturesOf(state, lesson);
    window::apply(state,
                  window::GuessAnswer{std::to_string(resolved->mistakes.front().guess.value())});
    window::apply(state, window::HandIn{});
    EXPECT_EQ(window::progressOf(state).tries, 1u);
    EXPECT_EQ(window::picturesOf(state, lesson), pictures);
}

TEST(LessonComparison, OfLaunchesThatNobodyMeasuredShowsEachWithWhatTheLessonShowedLast) {
    const Experiment experiment = initialExperiment(allScenarios().front());
    AppState state =
        window::initialState({experiment, true}, std::make_shared<const RecordingLibrary>(), false);
    window::apply(state, window::OpenLesson{"matadd-swapped"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    EXPECT_FALSE(window::canCompare(state));
    const Experiment shown = state.view.experiment;
    window::apply(state, window::CompareLaunches{});
    EXPECT_EQ(state.view.experiment, shown)
        << "there is nothing to hold them against each other by";
    const Lesson& lesson = lessonNamed("matadd-swapped");
    const auto last = std::ranges::find_if(
        lesson.steps.rbegin(), lesson.steps.rend(),
        [](const LessonStep& step) { return step.scene.view.array.has_value(); });
    ASSERT_NE(last, lesson.steps.rend());
    for (const auto& [slot, launch] : {std::pair(window::PinSlot::a, lesson.compare->a),
                                       std::pair(window::PinSlot::b, lesson.compare->b)}) {
        window::apply(state, window::CompareLaunches{slot});
        EXPECT_EQ(state.view.experiment, lesson.launches.at(launch));
        EXPECT_EQ(state.view.warp, last->scene.view.warp.value_or(noWarp));
        EXPECT_EQ(state.view.array, *last->scene.view.array);
    }
    EXPECT_FALSE(window::comparedByLesson(state));
}

TEST_P(EveryLesson, HoldsTheWarpsThatItsStepsNameAndNoneBeforehand) {
    constexpr std::string_view hold = "Hold warp ";
    for (std::size_t i = 0; i < lesson().steps.size(); ++i) {
        const LessonStep& step = lesson().steps[i];
        if (step.say.starts_with(hold)) {
            const auto warp = static_cast<std::uint32_t>(std::stoul(step.say.substr(hold.size())));
            EXPECT_EQ(step.scene.view.warp, std::optional(WarpRank{warp})) << step.say;
        }
        if (i == 0 && step.say.starts_with("Hold")) {
            EXPECT_NE(lesson().opening.view.warp, step.scene.view.warp)
                << "a click on it changes nothing";
        }
    }
}

TEST_P(EveryLesson, HoldsAgainstEachOtherWhatWasRecorded) {
    skipUnlessRecorded();
    if (IsSkipped()) return;
    AppState state = freshState();
    window::apply(state, window::OpenLesson{GetParam()});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    window::apply(state, window::CompareLaunches{});
    const std::optional<LessonPair>& pair = lesson().compare;
    ASSERT_EQ(state.pinnedA.has_value(), pair.has_value());
    ASSERT_EQ(state.pinnedB.has_value(), pair.has_value());
    if (!pair) return;
    EXPECT_EQ(state.pinnedA->measurement->experiment, lesson().launches.at(pair->a));
    EXPECT_EQ(state.pinnedB->measurement->experiment, lesson().launches.at(pair->b));
    EXPECT_TRUE(window::comparedByLesson(state)) << "told below the two";
}

/// One of them is less where it took less time, or the two took as long.
TEST_P(EveryLesson, HoldsAgainstEachOtherOnASlideWithWhatMakesTheDifference) {
    const std::optional<LessonPair>& pair = lesson().compare;
    if (!pair) return;
    skipUnlessRecorded();
    if (IsSkipped()) return;
    const auto subjectOf = [](const std::string& launch) {
        const Experiment& experiment = lesson().launches.at(launch);
        return figure::subjectOf(experiment, figure::recordingOf(recordings(), experiment));
    };
    const figure::Subject a = subjectOf(pair->a);
    const figure::Subject b = subjectOf(pair->b);
    const auto timeOf = [](const figure::Subject& subject) {
        return *subject.evidence.find(Metric::time, Source::timed, Variant::none, "kernel")
                    ->number();
    };
    const figure::Picture picture = figure::composePair(a, b, {});
    std::string words;
    for (const drawing::Item& item : picture.items) {
        const auto* text = std::get_if<drawing::Text>(&item);
        if (text == nullptr) continue;
        words += text->words + '\n';
        // 1/45 of the slide's height, which a last row can read.
        EXPECT_GE(text->size * figure::Typeface::of(text->face).em(), 720.0F / 45) << text->words;
    }
    EXPECT_EQ(words.find(", though "), std::string::npos) << words;
    const double ratio = timeOf(b) / timeOf(a);
    const bool isOfShortPaths = pair->a.ends_with("odd") || GetParam() == "branch-odd-even";
    EXPECT_EQ(words.find("Equally fast: the compiler left no branch") != std::string::npos,
              isOfShortPaths)
        << words;
    if (ratio > 1 / 1.05 && ratio < 1.05) return;
    EXPECT_NE(words.find(ratio > 1 ? " times as slow   ·   " : " times as fast   ·   "),
              std::string::npos)
        << words;
    EXPECT_EQ(words.find("the code differs"), std::string::npos) << words;
    EXPECT_EQ(words.find("the same code"), std::string::npos) << words;
}

/// Of launches that differ in their code alone: 16 point on a slide.
TEST(LessonSlides, OfCodeCanBeReadFromTheLastRow) {
    for (const char* id : {"row-sum-unrolled", "memory-spaces", "shared-dynamic"}) {
        const Lesson& lesson = lessonNamed(id);
        const auto subjectOf = [&](const std::string& launch) {
            const Experiment& experiment = lesson.launches.at(launch);
            return figure::subjectOf(experiment, figure::recordingOf(recordings(), experiment));
        };
        const figure::Picture picture =
            figure::composePair(subjectOf(lesson.compare->a), subjectOf(lesson.compare->b), {});
        std::size_t code = 0;
        for (const drawing::Item& item : picture.items) {
            const auto* text = std::get_if<drawing::Text>(&item);
            if (text == nullptr || text->face != drawing::Face::numbers) continue;
            if (text->words.starts_with("<<<")) continue;
            EXPECT_GE(text->size, figure::size::code) << id << ": " << text->words;
            ++code;
        }
        EXPECT_GT(code, 20u) << id;
    }
}

TEST_P(EveryLesson, HasAFigureForASlide) {
    const Experiment& here = lesson().here();
    const figure::Subject subject =
        figure::subjectOf(here, figure::recordingOf(recordings(), here));
    const figure::Picture picture = figure::compose(subject, {});
    EXPECT_GT(figure::render(picture, figure::Format::svg).size(), 5000u);
}

/// What two sources say of one figure.
const FoundNumber* saidBy(const ResolvedNumber& figure, const std::string& source) {
    for (const ResolvedNumber::Line& line : figure.lines) {
        if (std::ranges::count(line.number.sources, source) != 0) return &line.number;
    }
    return nullptr;
}

/// Requests and sectors are the same thing predicted, compiled and counted; branches are not.
bool isOfRequests(const LessonNumber& figure) {
    const std::string& value = figure.value.text();
    return value.starts_with("any ") && (value.find("sectors") != std::string::npos ||
                                         value.find("requests") != std::string::npos ||
                                         value.find("coalescing") != std::string::npos);
}

/// How many of the lesson's figures both sources tell; each is compared.
int agreementsOf(const ResolvedLesson& resolved, const std::string& source) {
    int compared = 0;
    for (std::size_t i = 0; i < resolved.figures.size(); ++i) {
        if (!isOfRequests(resolved.lesson.figures.at(i))) continue;
        const FoundNumber* const predicted = saidBy(resolved.figures[i], "predicted");
        const FoundNumber* const other = saidBy(resolved.figures[i], source);
        if (predicted == nullptr || other == nullptr) continue;
        ++compared;
        EXPECT_NEAR(other->value, predicted->value, 1e-9 * predicted->value)
            << resolved.lesson.id << ": " << resolved.figures[i].name << ", " << source;
    }
    return compared;
}

TEST_P(EveryLesson, PredictsTheRequestsAndSectorsOfCompiledCodeAndTheGpu) {
    const ResolvedLesson lesson = resolved();
    (void)agreementsOf(lesson, "counted");
    (void)agreementsOf(lesson, "compiled");
}

TEST(LessonNumbers, OfRequestsAndSectorsWereMostlyCounted) {
    int compared = 0;
    for (const Lesson& lesson : builtInLessons().lessons) {
        compared += agreementsOf(tell(lesson, evidenceFor(lesson, {}, recordings())), "counted");
    }
    EXPECT_GE(compared, 15);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryLesson, testing::ValuesIn(ids()), [](const auto& tested) {
    std::string name = tested.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(LessonLibrary, GivesEachLessonAPlaceOfItsOwn) {
    std::set<std::pair<char, int>> places;
    for (const Lesson& lesson : builtInLessons().lessons) {
        EXPECT_TRUE(places.emplace(lesson.group, lesson.place).second) << lesson.id;
    }
}

TEST(LessonLibrary, HoldsEveryRowAndNothingThatCannotBeRead) {
    EXPECT_EQ(builtInLessons().problems, std::vector<std::string>{});
    EXPECT_GE(builtInLessons().lessons.size(), 33u);
    const Lesson* previous = nullptr;
    for (const Lesson& lesson : builtInLessons().lessons) {
        EXPECT_EQ(lessonBeside(lesson.id, -1), previous);
        previous = &lesson;
    }
}

TEST(ScenarioSentences, HoldNoNumberButAWarpsWidthSoThatTheyAreTrueOfAnyLaunch) {
    for (const Scenario& scenario : allScenarios()) {
        const std::string_view sentence = scenario.lookFor;
        for (std::size_t at = 0;
             (at = sentence.find_first_of("0123456789", at)) != sentence.npos;) {
            const std::size_t end =
                std::min(sentence.find_first_not_of("0123456789", at), sentence.size());
            EXPECT_EQ(sentence.substr(at, end - at), "32") << scenario.id << ": " << sentence;
            at = end;
        }
    }
}

TEST(LessonComparison, MeasuresOneLaunchAfterTheOtherAndPinsBoth) {
    AppState state = freshState();
    state.canMeasure = true;
    window::apply(state, window::ChooseScenario{"shared-banks"});
    window::apply(state, window::Pin{window::PinSlot::a});
    const std::optional<window::Result> own = state.pinnedA;
    ASSERT_TRUE(own);
    window::apply(state, window::OpenLesson{"matadd-swapped"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    const Lesson& lesson = lessonNamed("matadd-swapped");
    window::apply(state, window::CompareLaunches{.measures = true});
    for (const std::string& name : {lesson.compare->a, lesson.compare->b}) {
        const window::Running* run = window::running(state);
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->experiment, lesson.launches.at(name));
        Measurement fresh = findRecording(recordings().recordings, run->experiment)->measurement;
        fresh.takenAt = "2030-01-01T00:00:00Z";
        window::apply(state, window::WorkerSaid{run->number, fresh});
    }
    EXPECT_EQ(window::running(state), nullptr);
    ASSERT_TRUE(state.pinnedA && state.pinnedB);
    EXPECT_FALSE(state.pinnedA->recorded);
    EXPECT_EQ(state.pinnedA->measurement->experiment, lesson.launches.at("along"));
    EXPECT_EQ(state.pinnedB->measurement->experiment, lesson.launches.at("here"));
    // The lesson speaks of what was measured here from then on.
    EXPECT_EQ(window::lessonPlace(state)->fresh.size(), 2u);
    // What it pinned goes with it.
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.pinnedA, own);
    EXPECT_FALSE(state.pinnedB);
}

TEST(LessonComparison, EndsWithACancelledMeasurement) {
    AppState state = freshState();
    state.canMeasure = true;
    window::apply(state, window::OpenLesson{"matadd-swapped"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    window::apply(state, window::CompareLaunches{.measures = true});
    const std::uint64_t number = window::running(state)->number;
    window::apply(state, window::WorkerSaid{number, Failure{FailureKind::cancelled, "cancelled"}});
    EXPECT_EQ(window::running(state), nullptr);
    EXPECT_FALSE(state.lesson.comparing);
}

TEST(LessonDrawer, OpensAtTheLessonOfTheScenarioThatIsShown) {
    AppState state = freshState();
    window::apply(state, window::ChooseScenario{"shared-banks"});
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.lesson, "shared-banks");
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.mode, Mode::explore);
    window::apply(state, window::ChooseScenario{"shared-dynamic"});
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.lesson, "shared-dynamic");
    window::apply(state, window::TakeHint{});
    window::apply(state, window::ToggleLessons{});
    window::apply(state, window::ChooseScenario{"shared-banks"});
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.lesson, "shared-banks") << "of what is shown, whatever was begun";
    window::apply(state, window::ToggleLessons{});
    window::apply(state, window::ChooseScenario{"shared-banks-padded"});
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.lesson, "shared-banks") << "the one that speaks of it";
    window::apply(state, window::ToggleLessons{});
    // The lesson of the one speaks of the other, too.
    for (const char* const id : {"matadd-swapped", "matadd-coalesced", "matadd-swapped"}) {
        window::apply(state, window::ChooseScenario{id});
        window::apply(state, window::ToggleLessons{});
        EXPECT_EQ(state.view.lesson, id);
        window::apply(state, window::ToggleLessons{});
    }
    window::apply(state, window::Undo{});
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.lesson, "matadd-coalesced");
    window::apply(state, window::ToggleLessons{});
    window::apply(state, window::OpenLesson{"no-such-lesson"});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_TRUE(state.view.lesson.empty());
}

TEST(LessonDrawer, GivesBackTheLaunchThatWasExplored) {
    AppState state = freshState();
    window::apply(state, window::ChooseScenario{"matadd-coalesced"});
    window::apply(state, window::SetBlock{{8, 32, 1}});
    const Experiment explored = state.view.experiment;
    window::apply(state, window::ToggleLessons{});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    EXPECT_NE(state.view.experiment, explored);
    window::apply(state, window::ToggleLessons{});
    EXPECT_EQ(state.view.experiment, explored);
    window::apply(state, window::ToggleLessons{});
    const Experiment ofLesson = state.view.experiment;
    window::apply(state, window::ToggleLessons{.keepsLaunch = true});
    EXPECT_EQ(state.view.mode, Mode::explore);
    EXPECT_EQ(state.view.experiment, ofLesson);
}

TEST(LessonDrawer, SaysWhereAMistakesPictureIsOfAnotherLaunch) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{"picture-76x62"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    EXPECT_TRUE(window::learnPage(state).elsewhere.empty());
    window::apply(state, window::GuessAnswer{"5120"});
    window::apply(state, window::HandIn{});
    EXPECT_EQ(window::learnPage(state).elsewhere, "3 x 8 blocks of 32 x 8, width=76 height=62");
    window::apply(state, window::OpenLesson{"column-major"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    const Experiment asked = state.view.experiment;
    window::apply(state, window::GuessAnswer{"4"});
    window::apply(state, window::HandIn{});
    EXPECT_EQ(
        window::learnPage(state).elsewhere,
        scenarioNamed("row-major").title + ": 128 x 512 blocks of 32 x 8, width=4096 height=4096");
    window::apply(state, window::OpenLesson{"column-major"});
    EXPECT_EQ(state.view.experiment, asked) << "the way back";
    EXPECT_EQ(window::learnPage(state).elsewhere, "");
    window::apply(state, window::OpenLesson{"reduce-shuffle"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    const auto pictures = window::learnPage(state).pictures;
    window::apply(state, window::GuessAnswer{"16"});
    window::apply(state, window::HandIn{});
    EXPECT_EQ(window::learnPage(state).pictures, pictures) << "its code stays in sight";
}

TEST(LessonDrawer, SaysInTheListHowFarOneHasReadWhatIsAnswered) {
    AppState state = freshState();
    const Lesson& lesson = lessonNamed("warp-grouping");
    EXPECT_EQ(window::pageReached(nullptr, lesson), "");
    window::apply(state, window::OpenLesson{lesson.id});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::GuessAnswer{"32"});
    window::apply(state, window::HandIn{});
    const std::uint32_t pages = window::pageCount(lesson);
    EXPECT_EQ(window::pageReached(&window::progressOf(state), lesson),
              " – page 1 of " + std::to_string(pages));
    window::apply(state, window::TurnPage{1});
    EXPECT_EQ(window::pageReached(&window::progressOf(state), lesson),
              " – page 2 of " + std::to_string(pages));
    for (std::uint32_t i = 2; i < pages; ++i) window::apply(state, window::TurnPage{1});
    EXPECT_EQ(window::pageReached(&window::progressOf(state), lesson), "");
}

TEST(LessonDrawer, GoesBackFromTheListToTheLessonThatItWasOpenedFrom) {
    AppState state = freshState();
    window::apply(state, window::OpenLesson{"column-major"});
    window::apply(state, window::OpenLesson{});
    window::apply(state, window::OpenLesson{});
    window::apply(state, window::StepBack{});
    EXPECT_EQ(state.view.lesson, "column-major");
    window::apply(state, window::StepBack{});
    EXPECT_EQ(state.view.mode, Mode::explore);
    window::apply(state, window::OpenLesson{});
    window::apply(state, window::StepBack{});
    EXPECT_EQ(state.view.mode, Mode::explore);
}

TEST(LessonScenes, DrawWarpsTogetherWhereTheyDoNotSayApart) {
    AppState state = freshState();
    window::apply(state, window::SpreadWarps{1});
    window::apply(state, window::OpenLesson{"warp-grouping-2x2x2"});
    window::apply(state, window::tellNow(*window::lessonPlace(state), {}));
    window::apply(state, window::RevealAnswer{});
    for (int page = 0; page < 2; ++page) window::apply(state, window::TurnPage{1});
    EXPECT_EQ(state.view.picture, PictureKind::block3d);
    EXPECT_EQ(state.block3d.apart, 0);
}

TEST(LessonQuestion, TakesItsOwnWordBehindTheNumber) {
    const Lesson& lesson = lessonNamed("access-offset");
    const ResolvedLesson resolved = tell(lesson, evidenceFor(lesson, {}, recordings()));
    for (const char* guess : {"5", "5 sectors", " 5 sector ", "5.0 sectors"})
        EXPECT_EQ(judge(resolved, guess), Verdict::right) << guess;
    EXPECT_EQ(judge(resolved, "4 sectors"), Verdict::wrong);
    for (const char* guess : {"two", "5 KiB", "sectors", "5 sectors 5", "5 or 6"})
        EXPECT_EQ(judge(resolved, guess), Verdict::unreadable) << guess;
}

TEST(LessonTexts, CiteNothingThatTheReaderDoesNotHave) {
    for (const Lesson& lesson : builtInLessons().lessons) {
        EXPECT_TRUE(lesson.from.empty()) << lesson.id;
        for (const LessonNumber& figure : lesson.figures) EXPECT_FALSE(figure.document);
        std::string all = lesson.title + lesson.question.ask + lesson.question.because;
        for (const std::string& text : lesson.look) all += text;
        for (const std::string& text : lesson.conclude) all += text;
        for (const Mistake& mistake : lesson.question.mistakes) all += mistake.say;
        for (const char* cited : {"slide", "Hari", "Freshman", "Part B", "article", "document"}) {
            EXPECT_EQ(all.find(cited), std::string::npos) << lesson.id << ": " << cited;
        }
    }
}

}  // namespace
}  // namespace warplens
