#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/measurement/measurement.h"

namespace warplens {

/// What is known of one of a lesson's launches.
struct LaunchEvidence final {
    Experiment experiment;
    std::vector<Value> predicted;
    std::string predictedHow;  ///< empty where every block was traced
    std::optional<Measurement> measured{};
    bool recorded = false;  ///< the measurement comes from a recording
};
/// By the launch's name in the lesson.
using LessonEvidence = std::map<std::string, LaunchEvidence>;

/// A quantity as it was found.
struct FoundNumber final {
    double value = 0;
    Unit unit = Unit::one;
    /// Who says so: `predicted`, `timed`, `rule`, `device`, `compiler`; all, where several were
    /// joined.
    std::vector<std::string> sources{};
    std::string device{};  ///< of what was measured: `NVIDIA H200, 2026-11-21`
    bool recorded = false;
    friend bool operator==(const FoundNumber&, const FoundNumber&) = default;
};
using Evaluation = std::variant<FoundNumber, Unavailable>;

/// The expression's number. `source` stands in where it asks for any. Never throws for what the
/// evidence lacks: that is Unavailable with the reason.
[[nodiscard]] Evaluation evaluate(const Expression& expression, const LessonEvidence& evidence,
                                  std::optional<Source> source = {});

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
