#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/declare.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "core/measurement/json_trees.h"
#include "core/measurement/value_text.h"
#include "core/text/delimited.h"

namespace warplens {
namespace {

using json_reader::Json;

struct ListOptions final {
    std::optional<std::string> recordings;
    bool json = false;
    TableOptions table;
};

/// How many sweeps of the scenario were measured.
std::size_t sweepCount(const Scenario& scenario, const RecordingLibrary& library) {
    return static_cast<std::size_t>(std::ranges::count_if(library.sweeps, [&](const auto& named) {
        const Sweep& sweep = named.sweep;
        return sweep.plan.base.scenario == scenario.id && sweep.firstMeasurement() != nullptr;
    }));
}

/// One row for each scenario.
TextRows rowsOf(const RecordingLibrary& library) {
    TextRows rows{{"scenario", "group", "title", "grid", "block", "sizes", "compared_with",
                   "recordings", "sweeps"}};
    for (const Scenario& scenario : allScenarios()) {
        const Experiment experiment = initialExperiment(scenario);
        const auto recordings = std::ranges::count_if(library.recordings, [&](const Recording& r) {
            return r.measurement.experiment.scenario == scenario.id;
        });
        rows.push_back({std::string(scenario.id), std::string(1, scenario.group),
                        std::string(scenario.title), toString(experiment.launch.grid),
                        toString(experiment.launch.block), sizesOf(experiment),
                        std::string(scenario.comparedWith), std::to_string(recordings),
                        std::to_string(sweepCount(scenario, library))});
    }
    return rows;
}

std::string toText(const RecordingLibrary& library) {
    std::string text;
    for (const Scenario& scenario : allScenarios()) {
        const Experiment experiment = initialExperiment(scenario);
        const std::string sizes = sizesOf(experiment);
        text += std::string(scenario.id) + "  -  " + std::string(scenario.title) + '\n';
        text += "    default   " + toLaunchSyntax(experiment.launch) +
                (sizes.empty() ? "" : "  " + sizes) + '\n';
        for (const Recording& recording : library.recordings) {
            const Measurement& measurement = recording.measurement;
            if (measurement.experiment.scenario != scenario.id) continue;
            text += "    recorded  " + toOptions(measurement.experiment) + "  (" +
                    takenOn(measurement) + ")\n";
        }
        for (const auto& [name, sweep] : library.sweeps) {
            const Measurement* const first = sweep.firstMeasurement();
            if (sweep.plan.base.scenario != scenario.id || first == nullptr) continue;
            text += "    swept     --over " + toString(sweep.plan.axis) + "  (" + takenOn(*first) +
                    ")\n";
        }
    }
    return text;
}

Json treeOf(const Scenario& scenario, const RecordingLibrary& library) {
    const Kernel& kernel = kernelOf(scenario.kernel);
    Json object{{"id", scenario.id},       {"group", std::string(1, scenario.group)},
                {"title", scenario.title}, {"look_for", scenario.lookFor},
                {"kernel", kernel.name},   {"compared_with", scenario.comparedWith}};
    const Json experiment = json_reader::treeOf(initialExperiment(scenario));
    object["launch"] = experiment["launch"];
    object["arguments"] = experiment["arguments"];
    object["sizes"] = Json::array();
    for (const KernelSize& parameter : kernel.sizes) {
        object["sizes"].push_back({{"name", parameter.name},
                                   {"initial", parameter.initial},
                                   {"minimum", parameter.minimum},
                                   {"maximum", parameter.maximum},
                                   {"meaning", parameter.meaning}});
    }
    object["recordings"] = Json::array();
    for (const Recording& recording : library.recordings) {
        const Measurement& measurement = recording.measurement;
        if (measurement.experiment.scenario != scenario.id) continue;
        Json entry = json_reader::treeOf(measurement.experiment);
        entry.erase("scenario");
        entry["device"] = measurement.device.name;
        entry["taken_at"] = measurement.takenAt;
        entry["file"] = recording.name;
        object["recordings"].push_back(std::move(entry));
    }
    object["sweeps"] = Json::array();
    for (const auto& [name, sweep] : library.sweeps) {
        const Measurement* const first = sweep.firstMeasurement();
        if (sweep.plan.base.scenario != scenario.id || first == nullptr) continue;
        Json entry = json_reader::treeOf(sweep.plan.base);
        entry.erase("scenario");
        entry["over"] = toString(sweep.plan.axis);
        entry["points"] = sweep.points.size();
        entry["measured"] = sweep.measuredCount();
        entry["device"] = first->device.name;
        entry["taken_at"] = first->takenAt;
        entry["file"] = name;
        object["sweeps"].push_back(std::move(entry));
    }
    return object;
}

std::string toJsonText(const RecordingLibrary& library) {
    Json object{{"scenarios", Json::array()}, {"problems", library.problems}};
    for (const Scenario& scenario : allScenarios()) {
        object["scenarios"].push_back(treeOf(scenario, library));
    }
    return objectText(object);
}

}  // namespace

Subcommand addListCommand(CLI::App& program) {
    const auto options = std::make_shared<ListOptions>();
    CLI::App* parser = program.add_subcommand("list", "scenarios, and the recordings of each");
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    return {parser, [options] {
                RecordingLibrary library = libraryFrom(options->recordings);
                addBuiltInSweeps(library);
                for (const std::string& problem : library.problems) complain(problem);
                if (options->json) {
                    printDocument(Document::list, toJsonText(library));
                } else if (options->table.asked()) {
                    printTable(rowsOf(library), options->table.csv);
                } else {
                    print(toText(library));
                }
                return ExitCode::done;
            }};
}

}  // namespace warplens
