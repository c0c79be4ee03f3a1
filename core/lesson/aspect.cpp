#include "core/lesson/aspect.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/lesson/lesson.h"
#include "core/lesson/resolved_lesson.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, aspectCount> aspectNames{
    "warps",  "elements", "coverage", "requests", "branches", "counters",
    "totals", "times",    "slots",    "waves",    "compiled"};

/// Facts that tell something; the others are the launch's own sizes.
constexpr std::array<std::pair<std::string_view, Aspect>, 13> tellingFacts{{
    {"warps_per_block", Aspect::warps},
    {"idle_lanes", Aspect::warps},
    {"last_warp_lanes", Aspect::warps},
    {"thread", Aspect::warps},
    {"writes", Aspect::elements},
    {"grid", Aspect::coverage},
    {"elements", Aspect::coverage},
    {"spare_threads", Aspect::coverage},
    {"blocks_that_lie", Aspect::coverage},
    {"sm", Aspect::slots},
    {"lane_loads", Aspect::totals},
    {"compiled", Aspect::compiled},
    {"working_set", Aspect::totals},
}};

Aspect aspectOfMetric(const ValueQuantity& value) {
    // What the compiled code does at a branch is another matter than what the source says.
    const bool bySource = !value.source || *value.source == Source::predicted;
    switch (metricInfo(value.metric).group) {
        case MetricGroup::divergence:
            return bySource ? Aspect::branches : Aspect::counters;
        case MetricGroup::bandwidth:
        case MetricGroup::time:
            return Aspect::times;
        case MetricGroup::occupancy:
            return Aspect::slots;
        case MetricGroup::check:
            return Aspect::warps;
        case MetricGroup::coalescing:
        case MetricGroup::sharedMemory:
        case MetricGroup::atomics:
            break;
    }
    return Aspect::requests;
}

std::vector<LessonQuantity> quantitiesOf(const Expression& expression) {
    std::vector<LessonQuantity> found;
    for (const Expression::Part& part : expression.parts()) {
        if (const auto* quantity = std::get_if<LessonQuantity>(&part)) found.push_back(*quantity);
    }
    return found;
}

}  // namespace

std::string_view toString(Aspect aspect) {
    return aspectNames.at(static_cast<std::size_t>(aspect));
}

std::optional<Aspect> aspectFromString(std::string_view word) {
    const auto found = std::ranges::find(aspectNames, word);
    if (found == aspectNames.end()) return std::nullopt;
    return static_cast<Aspect>(found - aspectNames.begin());
}

std::optional<Aspect> aspectOf(const LessonQuantity& quantity) {
    if (const auto* value = std::get_if<ValueQuantity>(&quantity.what)) {
        return aspectOfMetric(*value);
    }
    const std::string& name = std::get<FactQuantity>(quantity.what).name;
    const auto found =
        std::ranges::find(tellingFacts, name, [](const auto& fact) { return fact.first; });
    if (found == tellingFacts.end()) return std::nullopt;
    return found->second;
}

void Cover::add(Aspect aspect, const Experiment& experiment) {
    if (!hides(aspect, experiment)) parts_.push_back({aspect, experiment});
}

bool Cover::hides(Aspect aspect, const Experiment& experiment) const {
    return std::ranges::find(parts_, Part{aspect, experiment}) != parts_.end();
}

bool Cover::hidesAny(std::span<const Aspect> aspects, const Experiment& experiment) const {
    return std::ranges::any_of(aspects, [&](Aspect aspect) { return hides(aspect, experiment); });
}

Cover coverOf(const Lesson& lesson) {
    std::vector<LessonQuantity> resolved;
    for (const Placeholder& place : placeholdersOf(lesson.question.ask)) {
        std::ranges::copy(quantitiesOf(place.expression), std::back_inserter(resolved));
    }
    Cover cover;
    for (const LessonQuantity& quantity : quantitiesOf(lesson.question.answer)) {
        const auto aspect = aspectOf(quantity);
        if (!aspect || std::ranges::find(resolved, quantity) != resolved.end()) continue;
        cover.add(*aspect, lesson.launches.at(quantity.launch));
    }
    for (const CoveredPart& part : lesson.covers) {
        cover.add(part.aspect, lesson.launches.at(part.launch));
    }
    return cover;
}

}  // namespace warplens
