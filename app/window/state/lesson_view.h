#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/lesson/lesson_evidence.h"
#include "core/lesson/resolved_lesson.h"
#include "core/scenario/scenario.h"
#include "core/text/names.h"

/// Lessons: which one is opened, how far a person has come in each, and what is covered until its
/// question is answered.
namespace warplens::window {

struct AppState;
struct Result;
}  // namespace warplens::window
namespace warplens {
struct WarpTrace;
}  // namespace warplens
namespace warplens::window {
enum class PinSlot : std::uint8_t;

inline constexpr std::size_t longestGuess = 24;

/// How a question came to its end.
enum class Answered : std::uint8_t {
    open,
    right,  ///< by a right answer
    shown,  ///< by `let me see`
};
constexpr std::array<std::string_view, 3> namesOf(Answered /*how*/) {
    return {"open", "right", "shown"};
}

/// How far a person has come in one lesson. Page 0 asks the question, then there is one for each
/// step, one for what follows, one for the goal and one for the exercise, where there are such.
struct LessonProgress final {
    std::uint32_t page = 0;
    std::uint32_t furthest = 0;  ///< the last page that is unlocked
    std::string guess{};         ///< at the question, as typed
    std::optional<std::size_t> choice{};
    bool judged = false;      ///< the guess or the choice was handed in
    std::uint32_t tries = 0;  ///< wrong ones
    std::uint32_t hints = 0;  ///< taken
    Answered answered = Answered::open;
    bool goal = false;      ///< was reached
    bool exercise = false;  ///< was put right
    bool known = false;     ///< was answered right once, also where it is asked again
    friend bool operator==(const LessonProgress&, const LessonProgress&) = default;
};
using LessonsProgress = std::map<std::string, LessonProgress, std::less<>>;

/// The picture that moves: by hand, or on its own.
struct LessonMotion final {
    double at = 0;  ///< 0 to 1
    bool playing = false;
    friend bool operator==(const LessonMotion&, const LessonMotion&) = default;
};
/// How long a picture takes from its beginning to its end, seconds.
inline constexpr double motionSeconds = 6;

/// Why a lesson cannot be told.
struct LessonFailure final {
    std::string lesson;  ///< its id
    std::string why;
    friend bool operator==(const LessonFailure&, const LessonFailure&) = default;
};

/// What the line did that a lesson was opened from.
struct OwnStep final {
    std::string where;  ///< `Line 11 of brightness.cu`
    std::shared_ptr<const WarpTrace> trace{};
    std::size_t step = 0;  ///< of the trace
    friend bool operator==(const OwnStep&, const OwnStep&) = default;
};

struct LessonView final {
    LessonsProgress progress{};
    /// The person's own, while a presented lesson is asked anew.
    std::optional<LessonsProgress> kept{};
    /// Where a mistake's picture stands in for the question's: its panels, or none for the page's
    /// own.
    std::optional<std::vector<PictureKind>> mistakePanels{};
    LessonMotion motion{};
    /// What was shown before, to go back to.
    std::optional<View> before{};
    std::string listedFrom{};  ///< the lesson that the list was opened from, to go back to
    std::optional<OwnStep> own{};
    /// Which of the two launches is being measured for the comparison.
    std::optional<PinSlot> comparing{};
    std::shared_ptr<const ResolvedLesson> resolved{};  ///< the latest; null before the first
    std::optional<LessonFailure> failure{};            ///< the latest
    friend bool operator==(const LessonView&, const LessonView&) = default;
};

/// The opened lesson as it is told, its texts without numbers until these are there; null where
/// none is opened.
[[nodiscard]] const Lesson* shownLesson(const AppState& state);
/// With its numbers; null until these are there.
[[nodiscard]] const ResolvedLesson* shownResolved(const AppState& state);
/// Why they will not be; empty where nothing is known against it.
[[nodiscard]] std::string failureOfShown(const AppState& state);
/// In the opened lesson; that of a lesson never opened where there is none.
[[nodiscard]] const LessonProgress& progressOf(const AppState& state);

[[nodiscard]] std::uint32_t pageCount(const Lesson& lesson);
/// The page behind the steps.
[[nodiscard]] std::uint32_t concludingPage(const Lesson& lesson);
/// How many of the opened lesson's pages follow one another: those behind the conclusion, which are
/// done at a keyboard, not while it is presented.
[[nodiscard]] std::uint32_t pagesShown(const AppState& state);
/// Whether it is the page of the lesson's goal.
[[nodiscard]] bool isGoalPage(const Lesson& lesson, std::uint32_t page);

/// Whether a lesson is read, the list of them is, or one is presented.
[[nodiscard]] bool tellsLesson(const AppState& state);
/// Whether a lesson is open whose question is not answered yet.
[[nodiscard]] bool questionIsOpen(const AppState& state);
/// Whether it waits for a number, and nothing is typed: no letter is of an answer.
[[nodiscard]] bool asksUnanswered(const AppState& state);
/// What may not be seen now, wherever it would be shown: nothing unless a question is open.
[[nodiscard]] const Cover& coverNow(const AppState& state);

struct CompareLaunches;
struct OpenLesson;
struct TurnPage;
struct SlideLesson;

/// The lesson of a launch: the last one if it speaks of the scenario, the scenario's own, or the
/// first that speaks of it; the last where none does.
[[nodiscard]] std::string lessonAbout(const Experiment& experiment, const std::string& last);
/// Opens the lesson of the scenario that is shown, or the list; or goes back to exploring.
void toggleLessons(AppState& state);
/// The step of the open file that is shown; nothing where none is.
[[nodiscard]] std::optional<OwnStep> ownStepShown(const AppState& state);
/// Sets the lesson's own scene, at the page where one was. An unknown id opens the list.
void openLesson(AppState& state, const std::string& id);
/// Its question answered, at a page from 0; the last one where there are fewer.
void openLessonAt(AppState& state, const std::string& id, std::uint32_t page);
/// The thread of the shown launch that the answer speaks of; nothing before it is given.
[[nodiscard]] std::optional<Index3> threadAsked(const AppState& state);
/// Opens nothing, but has the lessons begin there.
void haveLessonReady(AppState& state, const std::string& id);
/// Back to what was shown before the lesson, or with its launch where its question is answered.
void leaveLessons(AppState& state, bool keepsLaunch = false);
/// So many pages on; never past what is unlocked. What is presented goes from its first page back
/// to the question.
void turnPage(AppState& state, int pages);
void typeGuess(AppState& state, const std::string& text);
/// Judges what is typed.
void handIn(AppState& state);
/// Judges one of the choices.
void chooseAnswer(AppState& state, std::size_t choice);
void takeHint(AppState& state);
void revealAnswer(AppState& state);
void restartLesson(AppState& state, const std::string& id);
/// The presented lesson's question is there again, unanswered: the person's own progress stays as
/// it is.
void askAnew(AppState& state);
void slideLesson(AppState& state, std::int64_t value);
/// Whether both of the lesson's two launches were recorded.
[[nodiscard]] bool pairIsRecorded(const AppState& state);
/// Both of them on the lesson's conclusion where that speaks of the other one; nothing where they
/// are not recorded.
[[nodiscard]] std::optional<std::pair<Result, Result>> concludedPair(const AppState& state);
/// The launches of the two on the lesson's conclusion where they are not recorded.
[[nodiscard]] std::optional<std::pair<Experiment, Experiment>> predictedPair(const AppState& state);
/// Whether there is something to hold the lesson's two launches against each other by: both were
/// measured, or can be.
[[nodiscard]] bool canCompare(const AppState& state);
/// Shows and pins the lesson's two launches, and measures them where they are not recorded or it is
/// wanted; or shows one alone.
void compareLaunches(AppState& state, const CompareLaunches& how);
/// What is pinned of the lesson's two launches; nothing unless both are.
[[nodiscard]] std::optional<std::pair<Result, Result>> comparedByLesson(const AppState& state);
/// Goes on with a comparison whose measurement has come to an end.
void followComparison(AppState& state);
/// How the goal stands for the launch that is shown; empty where the lesson has none. What is not
/// predicted yet is not known.
[[nodiscard]] std::vector<GoalStanding> goalStanding(const AppState& state);
/// Notes a goal that is reached.
void followGoal(AppState& state);
/// Notes an exercise that the open file puts right.
void followExercise(AppState& state);
/// Lets the picture that moves go on.
void passMotion(AppState& state, double seconds);
/// Seconds until the picture changes; nothing while it stands still.
[[nodiscard]] std::optional<double> secondsToNextMotion(const AppState& state);

}  // namespace warplens::window
