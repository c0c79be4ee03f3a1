#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson_evidence.h"

namespace warplens {

/// How one condition of a goal stands.
struct GoalStanding final {
    std::string say;
    std::string now;  ///< the number as it is: `16`; or why there is none
    bool known = false;
    bool holds = false;
    friend bool operator==(const GoalStanding&, const GoalStanding&) = default;
};

/// What the goal's expressions call the person's own launch.
inline constexpr const char* goalLaunch = "now";

/// `evidence` has the lesson's launches and, as `goalLaunch`, the one that is tried.
[[nodiscard]] std::vector<GoalStanding> standingOf(const LessonGoal& goal,
                                                   const LessonEvidence& evidence);
[[nodiscard]] bool isReached(const std::vector<GoalStanding>& standing);

}  // namespace warplens
