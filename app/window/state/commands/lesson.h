#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/state/lesson_view.h"

/// Commands of lessons.
namespace warplens::window {

/// Opens the lesson of what is shown, or the list; from there back to exploring.
struct ToggleLessons final {
    bool keepsLaunch = false;  ///< exploring the lesson's launch
};
/// Opens a lesson at the page where one was; the list of them where it is not known or empty.
struct OpenLesson final {
    std::string id;
    bool ofLine = false;  ///< the chosen line of the open file is shown among its pictures
};
/// So many pages of the lesson on.
struct TurnPage final {
    int pages = 1;
};
/// What is typed at the lesson's question.
struct GuessAnswer final {
    std::string text;
};
/// Judges what is typed.
struct HandIn final {};
/// Judges one of the question's answers.
struct ChooseAnswer final {
    std::size_t choice = 0;
};
struct TakeHint final {};
/// Ends the question without a right answer.
struct RevealAnswer final {};
/// As if the lesson had never been opened.
struct RestartLesson final {
    std::string id;
};
/// Moves the size that the lesson lets one move.
struct SlideLesson final {
    std::int64_t value = 0;
};
/// The picture that moves, from 0 to 1; it stands there.
struct SetMotionAt final {
    double at = 0;
};
/// Lets it go on, from the beginning where it has ended; or stops it.
struct PlayMotion final {};
/// Whether pictures may move on their own.
struct AllowMotion final {
    bool allowed = true;
};
/// The lesson's two launches as A and B, measured where that is possible; or one of them alone.
struct CompareLaunches final {
    std::optional<PinSlot> only{};
    bool measures = false;  ///< both anew, though both are recorded
};
/// The course's lessons were read anew; what could not be stays as it was.
struct LessonsRead final {
    std::vector<std::string> problems;
};
struct LessonResolved final {
    std::shared_ptr<const ResolvedLesson> resolved;
    std::optional<LessonFailure> failure{};  ///< why there is none
};

}  // namespace warplens::window
