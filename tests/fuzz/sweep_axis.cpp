#include <algorithm>
#include <array>

#include "core/sweep/axis.h"
#include "core/sweep/sweep.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

void plan(const char* scenario, const Axis& axis) {
    try {
        const SweepPlan plan = planOf(initialExperiment(scenarioNamed(scenario)), true, axis);
        const std::vector<Experiment> experiments = experimentsOf(plan);
        fuzz::promise(!experiments.empty(), "a plan has points");
        for (const Experiment& experiment : experiments) {
            fuzz::promise(validateRun(experiment).empty(), "every point can be run");
        }
    } catch (const InvalidRequest& refusal) {
        fuzz::promise(!refusal.violations().empty(), "a refusal says why");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = parseAxis("over", fuzz::textOf(data, size));
    if (const auto* violation = std::get_if<LimitViolation>(&parsed)) {
        fuzz::promise(!violation->limit.empty(), "a refusal says what is allowed");
        return 0;
    }
    const Axis& axis = std::get<Axis>(parsed);
    const auto again = parseAxis("over", toString(axis));
    fuzz::promise(std::holds_alternative<Axis>(again) && std::get<Axis>(again) == axis,
                  "an axis reads back as it is written");
    if (const auto* argument = std::get_if<ArgumentAxis>(&axis)) {
        const std::vector<std::int64_t>& values = argument->values;
        fuzz::promise(!values.empty() && values.size() <= mostSweepPoints, "points are bounded");
        fuzz::promise(std::ranges::adjacent_find(values, std::greater_equal()) == values.end(),
                      "values rise");
    }
    // One of them for each input: planning a thousand points takes milliseconds.
    constexpr std::array scenarios{"access-stride", "matadd-coalesced", "matmul-tiled",
                                   "warp-grouping"};
    plan(scenarios.at(size % scenarios.size()), axis);
    return 0;
}
