#include "core/lesson/goal.h"

#include <algorithm>
#include <cmath>

#include "core/lesson/lesson_text.h"

namespace warplens {
namespace {

bool compares(double left, GoalSign sign, double right) {
    constexpr double slack = 1e-9;
    switch (sign) {
        case GoalSign::atMost:
            return left <= right + slack;
        case GoalSign::atLeast:
            return left >= right - slack;
        case GoalSign::equal:
            break;
    }
    return left >= right - slack && left <= right + slack;
}

}  // namespace

std::vector<GoalStanding> standingOf(const LessonGoal& goal, const LessonEvidence& evidence) {
    std::vector<GoalStanding> standing;
    for (const GoalCheck& check : goal.checks) {
        GoalStanding one{.say = check.say, .now = {}};
        const Evaluation left = evaluate(check.left, evidence);
        const Evaluation right = evaluate(check.right, evidence);
        const auto* a = std::get_if<FoundNumber>(&left);
        const auto* b = std::get_if<FoundNumber>(&right);
        if (a != nullptr && b != nullptr) {
            one.known = true;
            one.holds = compares(a->value, check.sign, b->value);
            const bool whole = a->unit == Unit::one && a->value == std::floor(a->value);
            one.now = formatFound(*a, whole ? 0 : -1);
        } else {
            one.now = std::get<Unavailable>(a == nullptr ? left : right).reason;
        }
        standing.push_back(std::move(one));
    }
    return standing;
}

bool isReached(const std::vector<GoalStanding>& standing) {
    return !standing.empty() &&
           std::ranges::all_of(standing, [](const GoalStanding& one) { return one.holds; });
}

}  // namespace warplens
