#include "core/scenario/scenario.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "core/course/course.h"
#include "core/json/archive.h"
#include "core/launch/mapping.h"
#include "core/text/names.h"

namespace warplens {

namespace {

std::vector<Scenario> gatherScenarios() {
    std::vector<Scenario> scenarios;
    for (const Kernel& kernel : allKernels()) {
        for (Scenario scenario : kernel.scenarios) {
            scenario.kernel = static_cast<KernelIndex>(&kernel - allKernels().data());
            scenarios.push_back(std::move(scenario));
        }
    }
    const auto isOfCourse = [](const Scenario& scenario) {
        return !kernelOf(scenario.kernel).course.empty();
    };
    std::ranges::sort(scenarios, {}, [&](const Scenario& scenario) {
        return std::tuple(isOfCourse(scenario), scenario.group, scenario.order);
    });
    for (Scenario& scenario : scenarios) {
        if (isOfCourse(scenario)) scenario.group = courseGroup;
    }
    return scenarios;
}

Arguments argumentsOf(const Scenario& scenario) {
    Arguments arguments = initialArguments(kernelOf(scenario.kernel));
    for (const auto& [name, value] : scenario.set) arguments.set(name, value);
    return arguments;
}

}  // namespace

void describe(Archive& v, Experiment& experiment) {
    v("scenario", experiment.scenario, "Id of the scenario, as `warplens list` names it.",
      {.notEmpty = true});
    if (v.reads() && findScenario(experiment.scenario) == nullptr) {
        Archive::refuse("unknown scenario '" + experiment.scenario + "'");
    }
    describeLaunch(v, experiment);
}

void describeLaunch(Archive& v, Experiment& experiment) {
    v("launch", experiment.launch, "The execution configuration.");
    std::vector<Arguments::Entry> arguments = experiment.arguments.entries();
    v("arguments", arguments, "The kernel's sizes by name, as `--set` sets them.");
    v.optional("array_offset", experiment.arrayOffset,
               "Elements by which each array starts after a multiple of 256 bytes; left out where "
               "it is 0.",
               {.most = mostArrayOffset});
    if (!v.reads()) return;
    // In the kernel's order, whatever the file's: equal experiments are found by comparing them.
    const std::vector<KernelSize>& sizes = kernelOf(experiment).sizes;
    std::ranges::stable_sort(arguments, {}, [&](const Arguments::Entry& argument) {
        return std::ranges::find(sizes, argument.first, &KernelSize::name) - sizes.begin();
    });
    experiment.arguments = {};
    for (const auto& [name, value] : arguments) experiment.arguments.set(name, value);
}

std::span<const Scenario> allScenarios() {
    static const std::vector<Scenario> scenarios = gatherScenarios();
    return scenarios;
}

const Scenario* findScenario(std::string_view id) {
    const auto found = std::ranges::find(allScenarios(), id, &Scenario::id);
    return found == allScenarios().end() ? nullptr : &*found;
}

std::string scenariosMeant(std::string_view id) {
    std::vector<std::string_view> known, titles;
    const bool isOfCourse = id.find('/') == id.npos;  // and is called without its name
    for (const Scenario& scenario : allScenarios()) {
        std::string_view name = scenario.id;
        if (isOfCourse) name.remove_prefix(name.find('/') + 1);
        known.push_back(name);
        titles.push_back(scenario.title);
    }
    const std::string near = didYouMean(id, known);
    return near.empty() ? didYouMean(id, known, titles) : near;
}

const Scenario& scenarioNamed(std::string_view id) {
    if (const Scenario* scenario = findScenario(id)) return *scenario;
    throw InvalidRequest({{"scenario", "'" + std::string(id) + "'",
                           "one of those that `warplens list` shows" + scenariosMeant(id)}});
}

const Kernel& kernelOf(const Experiment& experiment) {
    return kernelOf(scenarioNamed(experiment.scenario).kernel);
}

Experiment initialExperiment(const Scenario& scenario) {
    Experiment experiment{scenario.id,
                          {.grid = scenario.grid.value_or(Extents{}), .block = scenario.block},
                          argumentsOf(scenario)};
    experiment.launch.grid = coveringGrid(experiment);
    experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
    return experiment;
}

std::string sizesOf(const Experiment& experiment) {
    std::string text = toString(experiment.arguments);
    if (experiment.arrayOffset != 0) {
        text +=
            (text.empty() ? "" : "  ") + ("array offset " + std::to_string(experiment.arrayOffset));
    }
    return text;
}

std::uint32_t dynamicSharedBytes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    return static_cast<std::uint32_t>(
        kernel.dynamicSharedBytes(experiment.arguments, experiment.launch));
}

Extents coveringGrid(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    if (kernel.work.empty()) return experiment.launch.grid;
    return coveringGrid(kernel.work(experiment.arguments), experiment.launch.block);
}

std::vector<LimitViolation> validate(const Experiment& experiment, const LaunchLimits& limits) {
    const Kernel& kernel = kernelOf(experiment);
    std::vector<LimitViolation> violations = validate(experiment.launch, limits);
    std::ranges::move(validate(kernel, experiment.arguments), std::back_inserter(violations));
    if (experiment.arrayOffset > mostArrayOffset) {
        violations.push_back({"array offset", std::to_string(experiment.arrayOffset),
                              "at most " + std::to_string(mostArrayOffset) + " elements"});
    }
    return violations;
}

std::vector<LimitViolation> validateRun(const Experiment& experiment, const LaunchLimits& limits) {
    std::vector<LimitViolation> violations = validate(experiment, limits);
    if (!violations.empty()) return violations;
    const Kernel& kernel = kernelOf(experiment);
    return validateRun(kernel, experiment.arguments, experiment.launch);
}

Experiment complete(const ExperimentRequest& request) {
    const Scenario& scenario = scenarioNamed(request.scenario);
    Experiment experiment{request.scenario,
                          {.grid = request.grid.value_or(scenario.grid.value_or(Extents{})),
                           .block = request.block.value_or(scenario.block)},
                          argumentsOf(scenario),
                          request.arrayOffset};
    for (const auto& [name, value] : request.set.entries()) experiment.arguments.set(name, value);
    // An open grid follows from the block and the sizes, so these must hold before it is computed.
    std::vector<LimitViolation> violations = validate(experiment);
    if (violations.empty()) experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
    if (violations.empty() && !request.grid) {
        experiment.launch.grid = coveringGrid(experiment);
        violations = validate(experiment);
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiment;
}

std::string toOptions(const Experiment& experiment) {
    std::string text = "--grid " + toString(experiment.launch.grid) + " --block " +
                       toString(experiment.launch.block);
    for (const auto& [name, value] : experiment.arguments.entries()) {
        text += " --set " + name + '=' + std::to_string(value);
    }
    if (experiment.arrayOffset != 0) {
        text += " --array-offset " + std::to_string(experiment.arrayOffset);
    }
    return text;
}

}  // namespace warplens
