#pragma once

#include <string>
#include <vector>

#include "app/window/state/command.h"
#include "app/window/state/lesson_view.h"
#include "core/lesson/lesson_evidence.h"
#include "core/text/format.h"

/// The screen of a lesson as words and parts, before anybody draws it. Everything on that screen
/// comes from here: what a question covers is left out here, once, for every part of it.
namespace warplens::window {

enum class Mark : std::uint8_t { open, wrong, right };

/// One of several answers.
struct LearnChoice final {
    std::string say;
    Mark mark = Mark::open;
    friend bool operator==(const LearnChoice&, const LearnChoice&) = default;
};

struct LearnQuestion final {
    std::string ask;
    std::vector<LearnChoice> choices{};  ///< none: a number is entered
    std::string guess{};
    bool open = true;
    bool unreadable = false;     ///< the guess is no number
    std::string unanswerable{};  ///< why nothing can be right, in words; empty: one can be
    Mark verdict = Mark::open;
    std::string verdictWords{};  ///< `Not yet.`, `Right.`
    std::string feedback{};      ///< about this mistake, or why the answer is right
    std::string answer{};        ///< once it may be seen
    std::vector<std::string> hints{};
    bool moreHints = false;
    friend bool operator==(const LearnQuestion&, const LearnQuestion&) = default;
};

/// One of the pictures beside the words.
struct LearnPicture final {
    PictureKind panel{};
    bool covered = false;  ///< it is there once the question is answered
    bool bare = false;     ///< in the form that tells nothing of the panel's aspects
    bool own = false;      ///< of the line that the lesson was opened from
    friend bool operator==(const LearnPicture&, const LearnPicture&) = default;
};

struct LearnSlider final {
    std::string name;
    std::int64_t value = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t last = 0;  ///< that may be chosen now
    friend bool operator==(const LearnSlider&, const LearnSlider&) = default;
};

enum class PageKind : std::uint8_t { question, step, conclusion, goal, exercise };

/// How far one has come in a lesson of the list.
enum class Come : std::uint8_t { untouched, begun, seen, answered };
[[nodiscard]] Come comeOf(const LessonProgress* progress, const Lesson& lesson);
/// ` – page 2 of 8` behind the title of a lesson that is begun and has pages left; else empty.
[[nodiscard]] std::string pageReached(const LessonProgress* progress, const Lesson& lesson);

struct LearnPage final {
    std::string group;
    std::string title;
    std::vector<Come> lessons{};  ///< of the group, in order
    std::size_t place = 0;        ///< of this one among them
    PageKind kind = PageKind::question;
    std::uint32_t page = 0;
    std::uint32_t pages = 1;
    std::size_t steps = 0;
    std::vector<std::string> words{};  ///< paragraphs
    std::string told{};                ///< what the step does, above them
    std::vector<std::string> terms{};  ///< that are explained here
    LearnQuestion question;
    std::optional<LearnSlider> slider{};
    std::vector<LearnPicture> pictures{};
    std::string pictureTitle{};  ///< the launch, in words
    bool asksMemory = false;     ///< its scene names an array, or a step of the warp
    std::string elsewhere{};     ///< the launch, where it is not the one asked about
    bool moves = false;          ///< one of the pictures moves
    bool mayGoBack = false;
    bool mayGoOn = false;
    bool figures = false;  ///< the lesson's numbers and its tables
    bool compares = false;
    std::vector<GoalStanding> goal{};
    bool goalReached = false;
    bool exerciseDone = false;
    friend bool operator==(const LearnPage&, const LearnPage&) = default;
};

/// Of the opened lesson; the state has one. Cost: microseconds.
[[nodiscard]] LearnPage learnPage(const AppState& state);

/// The pictures of the page with what is covered of them.
[[nodiscard]] std::vector<LearnPicture> picturesOf(const AppState& state, const Lesson& lesson);

/// `32 x 8 threads in 4 x 16 blocks, stride 2`, but for what is covered.
[[nodiscard]] std::string launchInWords(const AppState& state);

/// How far somebody has come in one lesson.
struct LessonStanding final {
    std::string lesson;
    std::string title;
    std::string answered;     ///< as Answered names it; `not begun`
    std::uint32_t tries = 0;  ///< wrong answers, and the right one
    std::uint32_t hints = 0;
    bool goal = false;
    bool exercise = false;
    std::uint32_t page = 0;
    std::uint32_t pages = 0;
};

/// In all lessons, or those of the opened course alone, in the order of the list.
[[nodiscard]] std::vector<LessonStanding> standingsOf(const LessonsProgress& progress,
                                                      bool ofCourse);

/// The table that is handed in, its head first, `name` in each row.
[[nodiscard]] TextRows rowsOf(const std::string& name, const std::vector<LessonStanding>& lessons);

}  // namespace warplens::window
