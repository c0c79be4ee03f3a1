#include "app/window/state/lesson_view.h"

#include "app/lessons/library.h"
#include "app/window/state/apply.h"
#include "app/window/state/editing.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/text/encoding.h"

namespace warplens::window {
namespace {

/// By the command that clicks make.
void setScene(AppState& state, const Scene& scene) {
    ViewChange view = scene.view;
    // What was selected or zoomed before would hide what the scene is about.
    if (!view.warp) view.warp = noWarp;
    if (!view.map && view.experiment && state.view.map == MapFollows::nothing) {
        view.map = MapFollows::block;
    }
    applyFreely(state, view);
    // Warps that were drawn apart before would have their empty lanes drawn, too.
    if (scene.apart || view.picture == PictureKind::block3d)
        applyFreely(state, SpreadWarps{scene.apart.value_or(false) ? 1.0F : 0.0F});
}

/// The launch with what the lesson showed last.
void showLaunch(AppState& state, const Lesson& lesson, const std::string& launch) {
    ViewChange view{.experiment = lesson.launches.at(launch)};
    for (const LessonStep& step : lesson.steps) {
        if (!step.scene.view.array) continue;
        view.warp = step.scene.view.warp;
        view.array = step.scene.view.array;
        view.step = step.scene.view.step;
    }
    setScene(state, {.view = view});
}

void show(AppState& state, const Lesson& lesson, const std::string& launch, PinSlot slot) {
    showLaunch(state, lesson, launch);
    if (shownResult(state)) applyFreely(state, Pin{slot});
}

/// Whether what is pinned is the comparison of the lesson that is open.
bool pinnedByItsLesson(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->compare) return false;
    const auto is = [&](const std::optional<Result>& pinned, const std::string& launch) {
        return !pinned || pinned->measurement->experiment == lesson->launches.at(launch);
    };
    return is(state.pinnedA, lesson->compare->a) && is(state.pinnedB, lesson->compare->b);
}

/// What a lesson pinned gives way to what was pinned before it.
void giveBackPins(AppState& state) {
    if (state.pinsBefore && pinnedByItsLesson(state))
        std::tie(state.pinnedA, state.pinnedB, state.pinnedProgram) = *state.pinsBefore;
}

/// The page's scene, on top of the launch that the pages before it chose.
void showPage(AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return;
    const std::uint32_t page = progressOf(state).page;
    state.lesson.motion = {.at = 0, .playing = state.motion && page > 0};
    if (isGoalPage(*lesson, page)) {
        applyFreely(state, Show{.experiment = lesson->launches.at(lesson->goal->launch)});
        return;
    }
    const bool answered = progressOf(state).answered != Answered::open;
    Scene scene = answered ? lesson->question.shown : lesson->opening;
    if (!scene.view.experiment) scene.view.experiment = lesson->here();
    if (!scene.view.picture) scene.view.picture = PictureKind::threads;
    // Behind the steps it is the answer's again.
    const std::size_t steps = page <= lesson->steps.size() ? page : 0;
    if (steps > 0) {
        std::optional<Experiment> launch = lesson->steps[steps - 1].scene.view.experiment;
        for (std::size_t i = steps; i-- > 0 && !launch;) {
            launch = lesson->steps[i].scene.view.experiment;
        }
        scene = lesson->steps[steps - 1].scene;
        scene.view.experiment = launch.value_or(lesson->here());
    }
    // No step of the lesson leaves it without a warp to speak of.
    setScene(state, scene);
}

void answer(AppState& state, Answered how) {
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    progress.answered = how;
    progress.known = progress.known || how == Answered::right;
    progress.furthest = std::max(progress.furthest, std::uint32_t{1});
    state.lesson.mistakePanels.reset();
    showPage(state);
    state.lesson.motion = {.at = 0, .playing = state.motion};
}

void judged(AppState& state, Verdict verdict, const Mistake* mistake) {
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    progress.judged = true;
    if (verdict == Verdict::right) {
        answer(state, Answered::right);
        return;
    }
    ++progress.tries;
    // The picture of the mistake before it goes.
    if (std::exchange(state.lesson.mistakePanels, std::nullopt)) showPage(state);
    if (mistake == nullptr || !mistake->scene) return;
    const Lesson& lesson = *findLesson(state.view.lesson);
    Scene scene = *mistake->scene;
    if (!scene.view.experiment) scene.view.experiment = lesson.here();
    setScene(state, scene);
    state.lesson.mistakePanels = scene.panels;
    if (std::ranges::all_of(picturesOf(state, lesson), &LearnPicture::covered)) {
        // It would tell the answer: the question's own stays.
        state.lesson.mistakePanels.reset();
        return showPage(state);
    }
    state.lesson.motion = {.at = 0, .playing = state.motion};
}

void endPresenting(AppState& state) {
    state.present.lesson = false;
    auto kept = std::exchange(state.lesson.kept, std::nullopt);
    if (!kept) return;
    const auto own = kept->find(state.view.lesson);
    const auto shown = state.lesson.progress.find(state.view.lesson);
    if (own != kept->end() && shown != state.lesson.progress.end()) {
        own->second.page = shown->second.page;
        own->second.furthest = std::max(own->second.furthest, shown->second.furthest);
    }
    state.lesson.progress = *std::move(kept);
}

}  // namespace

const ResolvedLesson* shownResolved(const AppState& state) {
    const ResolvedLesson* resolved = state.lesson.resolved.get();
    return resolved != nullptr && resolved->lesson.id == state.view.lesson ? resolved : nullptr;
}

std::string failureOfShown(const AppState& state) {
    const std::optional<LessonFailure>& failure = state.lesson.failure;
    return failure && failure->lesson == state.view.lesson ? failure->why : std::string();
}

const Lesson* shownLesson(const AppState& state) {
    if (const ResolvedLesson* resolved = shownResolved(state)) return &resolved->lesson;
    return findLesson(state.view.lesson);
}

const LessonProgress& progressOf(const AppState& state) {
    static const LessonProgress none;
    const auto found = state.lesson.progress.find(state.view.lesson);
    return found == state.lesson.progress.end() ? none : found->second;
}

std::uint32_t concludingPage(const Lesson& lesson) {
    return static_cast<std::uint32_t>(lesson.steps.size()) + 1;
}

std::uint32_t pageCount(const Lesson& lesson) {
    return concludingPage(lesson) + 1 + (lesson.goal ? 1 : 0) + (lesson.exercise.empty() ? 0 : 1);
}

std::uint32_t pagesShown(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return 0;
    return state.present.lesson ? concludingPage(*lesson) + 1 : pageCount(*lesson);
}

bool isGoalPage(const Lesson& lesson, std::uint32_t page) {
    return lesson.goal && page == concludingPage(lesson) + 1;
}

bool tellsLesson(const AppState& state) {
    return state.view.mode == Mode::learn || state.present.lesson;
}

bool questionIsOpen(const AppState& state) {
    return tellsLesson(state) && findLesson(state.view.lesson) != nullptr &&
           progressOf(state).answered == Answered::open;
}

bool asksUnanswered(const AppState& state) {
    return state.view.mode == Mode::learn && questionIsOpen(state) && !state.program.asking &&
           !state.figure.open && progressOf(state).guess.empty();
}

const Cover& coverNow(const AppState& state) {
    static const Cover nothing;
    if (!questionIsOpen(state)) return nothing;
    const Lesson& lesson = *findLesson(state.view.lesson);
    // Once for as long as it is shown and stays as it is: a course's may be saved meanwhile.
    static std::optional<Lesson> last;
    static Cover cover;
    if (lesson != last) {
        last = lesson;
        cover = coverOf(lesson);
    }
    return cover;
}

std::string lessonAbout(const Experiment& experiment, const std::string& last) {
    const auto speaksOf = [&](const Lesson& lesson) {
        return std::ranges::any_of(lesson.launches, [&](const auto& launch) {
            return launch.second.scenario == experiment.scenario;
        });
    };
    const Lesson* const begun = findLesson(last);
    if (begun != nullptr && speaksOf(*begun)) return last;
    if (findLesson(experiment.scenario) != nullptr) return experiment.scenario;
    const auto found = std::ranges::find_if(builtInLessons().lessons, speaksOf);
    return found == builtInLessons().lessons.end() ? last : found->id;
}

void toggleLessons(AppState& state) {
    if (state.view.mode == Mode::learn) {
        leaveLessons(state);
        return;
    }
    const auto& file = state.program.now;
    // No lesson is about a file of one's own: they are listed.
    openLesson(state, file && file->exercise ? file->exercise->lesson
                      : showsProgram(state)
                          ? std::string()
                          : lessonAbout(state.view.experiment, state.view.lesson));
}

void haveLessonReady(AppState& state, const std::string& id) {
    state.view.lesson = isLesson(id) ? id : std::string();
    state.lesson.mistakePanels.reset();
    state.lesson.motion = {};
}

void openLesson(AppState& state, const std::string& id) {
    giveBackPins(state);
    const bool wasList = state.view.mode == Mode::learn && state.view.lesson.empty();
    std::string left = wasList ? state.lesson.listedFrom : state.view.lesson;
    if (!tellsLesson(state)) {
        state.lesson.before = state.view;
        state.pinsBefore = {state.pinnedA, state.pinnedB, state.pinnedProgram};
        left.clear();
    }
    state.welcome = false;
    haveLessonReady(state, id);
    state.lesson.listedFrom = state.view.lesson.empty() ? std::move(left) : std::string();
    state.view.mode = Mode::learn;
    endPresenting(state);
    state.playback.playing = false;
    if (state.view.lesson.empty()) return;
    // What was said of a wrong answer goes with its picture.
    if (questionIsOpen(state) && progressOf(state).judged) {
        LessonProgress& progress = state.lesson.progress[id];
        progress.judged = false;
        progress.guess.clear();
        progress.choice.reset();
    }
    showPage(state);
}

void openLessonAt(AppState& state, const std::string& id, std::uint32_t page) {
    openLesson(state, id);
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return;
    if (questionIsOpen(state)) answer(state, Answered::shown);
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    progress.page = std::min(page, pageCount(*lesson) - 1);
    progress.furthest =
        std::max(progress.furthest, std::min(progress.page + 1, pageCount(*lesson) - 1));
    showPage(state);
}

std::optional<Index3> threadAsked(const AppState& state) {
    const Lesson* const lesson = shownLesson(state);
    if (lesson == nullptr || state.view.mode != Mode::learn || questionIsOpen(state) ||
        state.view.experiment != lesson->here()) {
        return std::nullopt;
    }
    for (const Expression::Part& part : lesson->question.answer.parts()) {
        const auto* const quantity = std::get_if<LessonQuantity>(&part);
        const auto* const fact =
            quantity == nullptr ? nullptr : std::get_if<FactQuantity>(&quantity->what);
        if (fact == nullptr || fact->name != "thread") continue;
        const auto axis = [&](std::size_t i) {
            return static_cast<std::uint32_t>(std::stoul(fact->operands.at(i)));
        };
        return Index3{axis(0), axis(1), axis(2)};
    }
    return std::nullopt;
}

std::optional<OwnStep> ownStepShown(const AppState& state) {
    const Timeline timeline(state);
    if (!showsProgram(state) || timeline.size() == 0) return std::nullopt;
    return OwnStep{"Line " + std::to_string(state.program.line) + " of " +
                       std::filesystem::path(state.program.path).filename().string(),
                   state.warpTrace, timeline.stepAt(timeline.position())};
}

void leaveLessons(AppState& state, bool keepsLaunch) {
    state.lesson.own.reset();
    giveBackPins(state);
    state.pinsBefore.reset();
    // The covered launch is not what one finds oneself at.
    const bool keeps = keepsLaunch && !questionIsOpen(state);
    const std::optional<View> before = std::exchange(state.lesson.before, std::nullopt);
    state.view.mode = Mode::explore;
    endPresenting(state);
    state.lesson.mistakePanels.reset();
    state.lesson.motion.playing = false;
    if (keeps || !before) return;
    ViewChange back = launchOf(*before);
    back.picture = before->picture;
    back.map = before->map;
    back.numbers = before->numbers;
    back.capability = before->capability;
    back.below = before->below;
    applyFreely(state, back);
}

void turnPage(AppState& state, int pages) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !tellsLesson(state)) return;
    if (questionIsOpen(state)) {
        if (state.present.lesson)
            report(state, MessageKind::note, "That is the first page of the lesson.");
        return;
    }
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    const std::int64_t wanted = std::int64_t{progress.page} + pages;
    const std::int64_t last =
        std::min(progress.furthest, std::max(progress.page + 1, pagesShown(state)) - 1);
    const auto page = static_cast<std::uint32_t>(std::clamp(wanted, std::int64_t{0}, last));
    if (page == progress.page) {
        // A vote goes on behind a slip of the thumb.
        if (pages < 0) return askAnew(state);
        if (state.present.lesson)
            report(state, MessageKind::note,
                   page + 1 < pageCount(*lesson)
                       ? "The lesson's other pages are done at a keyboard; Esc ends presenting."
                       : "That is the last page of the lesson.");
        return;
    }
    progress.page = page;
    // A page that has been seen unlocks the next.
    if (page == progress.furthest && page + 1 < pageCount(*lesson)) ++progress.furthest;
    state.lesson.mistakePanels.reset();
    showPage(state);
}

void typeGuess(AppState& state, const std::string& text) {
    if (!questionIsOpen(state)) return;
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    progress.guess = asUtf8(text, longestGuess);
    progress.judged = false;
}

void handIn(AppState& state) {
    const ResolvedLesson* const resolved = shownResolved(state);
    if (!questionIsOpen(state) || resolved == nullptr) return;
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    if (progress.judged) return;  // the same once more, as a key that is held down says it
    const Verdict verdict = judge(*resolved, progress.guess);
    if (verdict == Verdict::unreadable) return;
    judged(state, verdict, mistakeOf(*resolved, progress.guess));
}

void chooseAnswer(AppState& state, std::size_t choice) {
    const ResolvedLesson* const resolved = shownResolved(state);
    if (!questionIsOpen(state) || resolved == nullptr) return;
    if (choice >= resolved->lesson.question.choices.size()) return;
    state.lesson.progress[state.view.lesson].choice = choice;
    judged(state, judge(*resolved, choice), mistakeOf(*resolved, choice));
}

void takeHint(AppState& state) {
    if (!questionIsOpen(state)) return;
    LessonProgress& progress = state.lesson.progress[state.view.lesson];
    const Lesson& lesson = *findLesson(state.view.lesson);
    if (progress.hints < lesson.question.hints.size()) ++progress.hints;
}

void revealAnswer(AppState& state) {
    if (!questionIsOpen(state) || shownResolved(state) == nullptr) return;
    answer(state, Answered::shown);
}

void restartLesson(AppState& state, const std::string& id) {
    if (const auto found = state.lesson.progress.find(id); found != state.lesson.progress.end()) {
        found->second = {.goal = found->second.goal, .known = found->second.known};
    }
    if (id == state.view.lesson && state.view.mode == Mode::learn) openLesson(state, id);
}

void askAnew(AppState& state) {
    if (!state.present.lesson || questionIsOpen(state)) return;
    if (!state.lesson.kept) state.lesson.kept = state.lesson.progress;
    state.lesson.progress.erase(state.view.lesson);
    state.lesson.mistakePanels.reset();
    showPage(state);
}

void slideLesson(AppState& state, std::int64_t value) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->slider || state.view.mode != Mode::learn) return;
    const LessonSlider& slider = *lesson->slider;
    if (!state.view.experiment.arguments.contains(slider.argument)) return;
    Experiment moved = state.view.experiment;
    moved.arguments.set(
        slider.argument,
        std::clamp(value, slider.from, questionIsOpen(state) ? slider.untilAnswer : slider.to));
    if (!validateRun(moved).empty()) return;
    state.lesson.mistakePanels.reset();
    applyFreely(state, Show{.experiment = moved});
}

std::vector<GoalStanding> goalStanding(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->goal) return {};
    LessonEvidence evidence;
    for (const auto& [name, experiment] : lesson->launches) {
        LaunchEvidence launch{.experiment = experiment, .predicted = {}, .predictedHow = {}};
        if (const Recording* recording = findRecording(state.library->recordings, experiment)) {
            launch.predicted = recording->measurement.values;
        }
        evidence.emplace(name, std::move(launch));
    }
    LaunchEvidence now{.experiment = state.view.experiment, .predicted = {}, .predictedHow = {}};
    if (const LaunchReport* prediction = shownPrediction(state)) {
        now.predicted = prediction->values;
    }
    evidence.insert_or_assign(goalLaunch, std::move(now));
    return standingOf(*lesson->goal, evidence);
}

void followGoal(AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (state.view.mode != Mode::learn || lesson == nullptr || !lesson->goal) return;
    const auto found = state.lesson.progress.find(state.view.lesson);
    if (found == state.lesson.progress.end() || found->second.goal) return;
    if (!isGoalPage(*lesson, found->second.page)) return;
    found->second.goal = isReached(goalStanding(state));
}

void followExercise(AppState& state) {
    const auto& now = state.program.now;
    if (!now || !now->exercise || !now->exercise->left.empty()) return;
    const Lesson* const lesson = findLesson(now->exercise->lesson);
    if (lesson == nullptr) return;
    LessonProgress& progress = state.lesson.progress[lesson->id];
    if (!std::exchange(progress.exercise, true)) {
        report(state, MessageKind::note, "The exercise of \"" + lesson->title + "\" is done.");
    }
}

void passMotion(AppState& state, double seconds) {
    LessonMotion& motion = state.lesson.motion;
    if (!motion.playing || !(seconds > 0)) return;
    motion.at += seconds / motionSeconds;
    if (motion.at < 1) return;
    motion = {.at = 1, .playing = false};
}

std::optional<double> secondsToNextMotion(const AppState& state) {
    if (state.view.mode != Mode::learn || !state.lesson.motion.playing) return std::nullopt;
    return 1.0 / 60;
}

bool pairIsRecorded(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->compare) return false;
    const auto isRecorded = [&](const std::string& launch) {
        return findRecording(state.library->recordings, lesson->launches.at(launch)) != nullptr;
    };
    return isRecorded(lesson->compare->a) && isRecorded(lesson->compare->b);
}

std::optional<std::pair<Result, Result>> concludedPair(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);  // its numbers by name
    if (lesson == nullptr || !pairIsRecorded(state)) return std::nullopt;
    const LessonPair& pair = *lesson->compare;
    const auto isNamed = [&](const std::string& words) {
        return words.find('@' + pair.a) != words.npos || words.find('@' + pair.b) != words.npos;
    };
    if (progressOf(state).page != concludingPage(*lesson) ||
        std::ranges::none_of(lesson->conclude, isNamed))
        return std::nullopt;
    return std::pair{*resultOf(state, lesson->launches.at(pair.a)),
                     *resultOf(state, lesson->launches.at(pair.b))};
}

std::optional<std::pair<Experiment, Experiment>> predictedPair(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->compare || pairIsRecorded(state) ||
        progressOf(state).page != concludingPage(*lesson))
        return std::nullopt;
    return std::pair{lesson->launches.at(lesson->compare->a),
                     lesson->launches.at(lesson->compare->b)};
}

bool canCompare(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->compare) return false;
    return state.canMeasure || pairIsRecorded(state);
}

std::optional<std::pair<Result, Result>> comparedByLesson(const AppState& state) {
    if (!state.pinnedA || !state.pinnedB || !pinnedByItsLesson(state)) return std::nullopt;
    return std::pair{*state.pinnedA, *state.pinnedB};
}

void compareLaunches(AppState& state, const CompareLaunches& how) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr || !lesson->compare || questionIsOpen(state)) return;
    if (how.only) {
        return showLaunch(state, *lesson,
                          *how.only == PinSlot::a ? lesson->compare->a : lesson->compare->b);
    }
    if (running(state) != nullptr || !canCompare(state)) return;
    show(state, *lesson, lesson->compare->a, PinSlot::a);
    if (mayMeasure(state) && (how.measures || !pairIsRecorded(state))) {
        state.lesson.comparing = PinSlot::a;
        applyFreely(state, Measure{});
        return;
    }
    show(state, *lesson, lesson->compare->b, PinSlot::b);
}

void followComparison(AppState& state) {
    if (!state.lesson.comparing || running(state) != nullptr) return;
    const PinSlot done = *std::exchange(state.lesson.comparing, std::nullopt);
    const Lesson* const lesson = findLesson(state.view.lesson);
    const bool failed = std::holds_alternative<Failed>(state.measuring);
    if (lesson == nullptr || !lesson->compare || failed) return;
    const LessonPair& compare = *lesson->compare;
    const std::string& launch = done == PinSlot::a ? compare.a : compare.b;
    // Whoever chose another launch meanwhile has other plans, or cancelled.
    const auto measured = std::ranges::find_if(state.results, [&](const Result& result) {
        return result.measurement->experiment == lesson->launches.at(launch);
    });
    if (measured == state.results.end()) return;
    (done == PinSlot::a ? state.pinnedA : state.pinnedB) = *measured;
    if (done == PinSlot::b) return;
    show(state, *lesson, compare.b, PinSlot::b);
    if (!mayMeasure(state)) return;
    state.lesson.comparing = PinSlot::b;
    applyFreely(state, Measure{});
}

}  // namespace warplens::window
