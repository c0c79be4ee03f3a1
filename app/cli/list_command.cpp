#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/subcommand.h"
#include "app/figure/compose.h"
#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct ListOptions final {
    std::optional<std::string> recordings;
    bool json = false;
    TableOptions table;
};

struct ListedRecording final {
    Experiment experiment;
    std::string device;
    std::string takenAt;
    std::string file;
};

void describeFile(Archive& v, ListedRecording& listed) {
    v("device", listed.device, "The GPU it was measured on.");
    v("taken_at", listed.takenAt, "When, in UTC: 2026-11-21T09:30:00Z.", timeStampText);
    v("file", listed.file, "Name of its file.");
}

struct ListedSweep final {
    ListedRecording first;
    std::string over;
    std::uint64_t points = 0;
    std::uint64_t measured = 0;
};

struct ListedScenario final {
    Scenario scenario;
    std::string kernel;
    Experiment initial;
    std::vector<KernelSize> sizes;
    std::vector<ListedRecording> recordings;
    std::vector<ListedSweep> sweeps;
};

void describe(Archive& v, ListedScenario& listed) {
    Scenario& scenario = listed.scenario;
    std::string group(1, scenario.group);
    v("id", scenario.id, "Its id: what other commands take.");
    v("group", group, "The letter of the group it stands in.", {.notEmpty = true});
    v("title", scenario.title, "Its name.");
    v("look_for", scenario.lookFor, "What to look for.");
    v("kernel", listed.kernel, "Name of its kernel.");
    v("compared_with", scenario.comparedWith,
      "Id of the scenario to hold beside it; may be empty.");
    v("launch", listed.initial.launch, "The execution configuration it starts with.");
    std::vector<Arguments::Entry> arguments = listed.initial.arguments.entries();
    v("arguments", arguments, "The kernel's sizes by name, as `--set` sets them.");
    v.each("sizes", listed.sizes, "What `--set` sets.", [&](KernelSize& size) {
        v("name", size.name, "Its name.");
        v("initial", size.initial, "What it starts with.");
        v("minimum", size.minimum, "The least it can be.");
        v("maximum", size.maximum, "The most it can be.");
        v("meaning", size.meaning, "What it is.");
    });
    v.each("recordings", listed.recordings, "Measurements of it that are at hand.",
           [&](ListedRecording& recording) {
               describeLaunch(v, recording.experiment);
               describeFile(v, recording);
           });
    v.each("sweeps", listed.sweeps, "Sweeps of it that are at hand.", [&](ListedSweep& sweep) {
        describeLaunch(v, sweep.first.experiment);
        v("over", sweep.over, "What is varied, as `--over` takes it.");
        v("points", sweep.points, "How many points it has.");
        v("measured", sweep.measured, "How many of them were measured.");
        describeFile(v, sweep.first);
    });
}

struct ScenarioList final {
    std::vector<ListedScenario> scenarios;
    std::vector<std::string> problems;
};

void describe(Archive& v, ScenarioList& list) {
    describeVersion(v);
    v("scenarios", list.scenarios, "In the order in which they are listed.");
    v("problems", list.problems, "Files of recordings that cannot be used, and why.");
}

ListedScenario listed(const Scenario& scenario, const RecordingLibrary& library) {
    const Kernel& kernel = kernelOf(scenario.kernel);
    ListedScenario made{.scenario = scenario,
                        .kernel = std::string(kernel.name),
                        .initial = initialExperiment(scenario),
                        .sizes = kernel.sizes,
                        .recordings = {},
                        .sweeps = {}};
    for (const Recording& recording : library.recordings) {
        const Measurement& measurement = recording.measurement;
        if (measurement.experiment.scenario != scenario.id) continue;
        made.recordings.push_back(
            {measurement.experiment, measurement.device.name, measurement.takenAt, recording.name});
    }
    for (const auto& [name, sweep] : library.sweeps) {
        const Measurement* const first = sweep.firstMeasurement();
        if (sweep.plan.base.scenario != scenario.id || first == nullptr) continue;
        made.sweeps.push_back({{sweep.plan.base, first->device.name, first->takenAt, name},
                               toString(sweep.plan.axis),
                               sweep.points.size(),
                               sweep.measuredCount()});
    }
    return made;
}

ScenarioList listOf(const RecordingLibrary& library) {
    ScenarioList list{{}, library.problems};
    for (const Scenario& scenario : allScenarios()) {
        list.scenarios.push_back(listed(scenario, library));
    }
    return list;
}

/// One row for each scenario.
TextRows rowsOf(const ScenarioList& list) {
    TextRows rows{{"scenario", "group", "title", "grid", "block", "sizes", "compared_with",
                   "recordings", "sweeps"}};
    for (const ListedScenario& each : list.scenarios) {
        const Scenario& scenario = each.scenario;
        const Launch& launch = each.initial.launch;
        rows.push_back({std::string(scenario.id), std::string(1, scenario.group),
                        std::string(scenario.title), toString(launch.grid), toString(launch.block),
                        sizesOf(each.initial), std::string(scenario.comparedWith),
                        std::to_string(each.recordings.size()),
                        std::to_string(each.sweeps.size())});
    }
    return rows;
}

std::string toText(const ScenarioList& list) {
    std::string text;
    const auto takenOn = [](const ListedRecording& one) {
        return "  (" + one.device + ", " + dayOf(one.takenAt) + ")\n";
    };
    for (const ListedScenario& each : list.scenarios) {
        const std::string sizes = sizesOf(each.initial);
        text += std::string(each.scenario.id) + "  -  " + std::string(each.scenario.title) + '\n';
        text += "    default   " + toLaunchSyntax(each.initial.launch) +
                (sizes.empty() ? "" : "  " + sizes) + '\n';
        for (const ListedRecording& recording : each.recordings)
            text += "    recorded  " + toOptions(recording.experiment) + takenOn(recording);
        for (const ListedSweep& sweep : each.sweeps)
            text += "    swept     --over " + sweep.over + takenOn(sweep.first);
    }
    return text;
}

struct DescribeOptions final {
    ExperimentOptions experiment;
    std::optional<std::string> recordings;
    std::string view = "scenario";
    std::optional<std::uint32_t> warp;
    std::optional<std::uint64_t> step;
    bool json = false;
};

struct DescriptionReport final {
    Experiment experiment;
    PictureKind view{};
    figure::Description told;
};

void describe(Archive& v, DescriptionReport& report) {
    describeVersion(v);
    describe(v, report.experiment);
    v("view", report.view, "What of the launch is described.");
    v.each("parts", report.told.parts, "One after the other, as they are read out.",
           [&](figure::Description::Part& part) {
               v("heading", part.heading,
                 "What the sentences are about; empty for those that open the description.");
               v("lines", part.lines, "The sentences.");
           });
}

ExitCode run(const DescribeOptions& options) {
    std::vector<LimitViolation> violations;
    const std::string& name = options.experiment.scenario;
    if (isProgramPath(name)) {
        throw InvalidRequest(
            {{"SCENARIO", "'" + name + "'",
              "must be a scenario; `warplens annotate " + name + "` tells of a .cu file"}});
    }
    Experiment experiment;
    collect(violations, [&] { experiment = experimentFrom(options.experiment); });
    PictureKind view{};
    collect(violations, [&] { view = figure::pictureFrom(options.view); });
    if (violations.empty()) requireWarp(options.warp, experiment.launch.block, violations);
    if (violations.empty()) figure::requireProblem(view, &kernelOf(experiment), violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    const RecordingLibrary library = libraryFrom(options.recordings);
    figure::Subject subject =
        figure::subjectOf(experiment, figure::recordingOf(library, experiment));
    subject.view.picture = view;
    if (options.warp) subject.view.warp = WarpRank{*options.warp};
    if (options.step) subject.view.step = *options.step - 1;
    const figure::Description told = figure::describe(subject);
    if (options.json) {
        printDocument(Document::description, DescriptionReport{experiment, view, told});
    } else {
        print(figure::toText(told));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addListCommand(CLI::App& program) {
    const auto options = std::make_shared<ListOptions>();
    CLI::App* parser = program.add_subcommand("list", "scenarios, and the recordings of each");
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    const auto list = [options] {
        RecordingLibrary library = libraryFrom(options->recordings);
        addBuiltInSweeps(library);
        for (const std::string& problem : library.problems) complain(problem);
        const ScenarioList all = listOf(library);
        printResult(
            options->json, options->table, Document::list, [&]() -> const auto& { return all; },
            [&] { return rowsOf(all); }, [&] { return toText(all); });
        return ExitCode::done;
    };
    return {.parser = parser, .run = list, .schemas = {{Document::list, schemaFor<ScenarioList>}}};
}

Subcommand addDescribeCommand(CLI::App& program) {
    const auto options = std::make_shared<DescribeOptions>();
    CLI::App* parser = program.add_subcommand(
        "describe", "what the pictures of a launch show, as text for a screen reader");
    addExperimentOptions(*parser, options->experiment)->required();
    addArrayOffsetOption(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    addText(*parser, "--view", options->view, figure::pictureWords(),
            "which picture of it; scenario: all of them");
    addNumber(*parser, "--warp", options->warp, {.least = 0, .most = 31},
              "the warp whose steps are told");
    addNumber(*parser, "--step", options->step, {.least = 1, .most = 65536},
              "this step of it alone, from 1");
    addJsonFlag(*parser, options->json);
    return {.parser = parser,
            .run = [options] { return run(*options); },
            .schemas = {{Document::description, schemaFor<DescriptionReport>}}};
}

}  // namespace warplens
