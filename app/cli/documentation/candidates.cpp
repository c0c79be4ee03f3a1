#include <algorithm>

#include "app/cli/declare.h"
#include "app/cli/documentation/completions.h"
#include "app/lessons/library.h"
#include "core/occupancy/sm_limits.h"
#include "core/scenario/scenario.h"
#include "core/sweep/quantity.h"

namespace warplens {
namespace {

void addNew(std::vector<std::string>& words, std::string word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

std::vector<std::string> lessonIds() {
    std::vector<std::string> ids;
    for (const Lesson& lesson : builtInLessons().lessons) ids.push_back(lesson.id);
    return ids;
}

std::vector<std::string> scenarioIds() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) addNew(ids, std::string(scenario.id));
    for (std::string& id : lessonIds()) addNew(ids, std::move(id));
    return ids;
}

/// `n=`, `stride=`.
std::vector<std::string> settings() {
    std::vector<std::string> names;
    for (const Scenario& scenario : allScenarios()) {
        for (const KernelSize& parameter : kernelOf(scenario.kernel).sizes) {
            addNew(names, std::string(parameter.name) + '=');
        }
    }
    return names;
}

}  // namespace

std::vector<std::string> candidatesFor(const OptionRow& option) {
    if (option.takes == value::scenario) return scenarioIds();
    if (option.takes == value::lesson) return lessonIds();
    if (option.takes == value::setting) return settings();
    if (option.takes == value::axis) {
        std::vector<std::string> axes = settings();
        for (const char* axis : {"block=", "block.x=", "grid=", "array-offset="}) {
            axes.emplace_back(axis);
        }
        return axes;
    }
    std::vector<std::string> words = option.choices();
    if (option.takes == value::quantity) {
        for (const Quantity& quantity : allQuantities()) words.emplace_back(quantity.id);
    }
    if (option.takes == value::capability) {
        for (const SmLimits& limits : allSmLimits()) words.push_back(toString(limits.capability));
    }
    return words;
}

}  // namespace warplens
