#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/lesson/told_lesson.h"

/// The lesson beside the threads.
namespace warplens::window {

struct AppState;
enum class PinSlot : std::uint8_t;

inline constexpr std::size_t longestGuess = 24;

struct LessonView final {
    bool open = false;      ///< the drawer
    std::string id{};       ///< the lesson that is opened; empty: the list of them
    std::uint32_t taken{};  ///< bit i: step i was clicked
    std::string guess{};    ///< at the question, as typed
    std::optional<std::size_t> choice{};
    bool revealed = false;  ///< the answer, the numbers and the conclusion
    /// Which of the two launches is being measured for the comparison.
    std::optional<PinSlot> comparing{};
    std::shared_ptr<const ToldLesson> told{};  ///< the latest; null before the first
    friend bool operator==(const LessonView&, const LessonView&) = default;
};

/// The opened lesson as it is told, its texts without numbers until these are there; null where
/// none is opened.
[[nodiscard]] const Lesson* shownLesson(const AppState& state);
/// With its numbers; null until these are there.
[[nodiscard]] const ToldLesson* shownTold(const AppState& state);

/// Opens the drawer at the lesson of the scenario that is shown, or at the list; or closes it.
void toggleLessons(AppState& state);
/// Sets the lesson's own scene. An unknown id opens the list.
void openLesson(AppState& state, const std::string& id);
/// Opens nothing, but has the drawer begin there.
void haveLessonReady(AppState& state, const std::string& id);
void takeStep(AppState& state, std::size_t step);
/// Shows, pins and, where that is possible, measures the lesson's two launches.
void compareLaunches(AppState& state);
/// Goes on with a comparison whose measurement has come to an end.
void followComparison(AppState& state);

}  // namespace warplens::window
