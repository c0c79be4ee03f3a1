#include "core/program/program_json.h"
#include "core/program/program_trace.h"
#include "core/text/format.h"

namespace warplens {

namespace program_json {

using namespace json_reader;

Json launchTree(const ProgramLaunch& launch) {
    Json object{{"index", launch.index}, {"kernel", launch.kernel}, {"instance", launch.instance}};
    addPlace(object, launch.place);
    object["launch"] = treeOf(launch.launch);
    object["overridden"] = launch.overridden;
    object["traced"] = launch.traced;
    object["exact"] = launch.exact;
    object["blocks_traced"] = launch.blocksTraced;
    object["blocks"] = launch.blocks;
    if (!launch.bounds.empty()) {
        Json bounds = Json::array();
        for (const SampleBound& bound : launch.bounds) {
            bounds.push_back({{"metric", metricInfo(bound.metric).id}, {"percent", bound.percent}});
        }
        object["bounds"] = std::move(bounds);
    }
    object["lane_accesses"] = launch.laneAccesses;
    object["seconds"] = launch.seconds;
    object["values"] = treeOf(launch.values);
    Json lines = Json::array();
    for (const ProgramLine& line : launch.lines) lines.push_back(lineTree(line));
    object["lines"] = std::move(lines);
    return object;
}

ProgramLaunch programLaunchOf(const Json& object) {
    ProgramLaunch launch;
    launch.index = count<std::uint32_t>(object, "index");
    launch.kernel = text(object, "kernel");
    launch.instance = text(object, "instance");
    launch.place = placeOf(object);
    launch.launch = launchOf(member(object, "launch"));
    launch.overridden = flag(object, "overridden");
    launch.traced = flag(object, "traced");
    launch.exact = flag(object, "exact");
    launch.blocksTraced = count(object, "blocks_traced");
    launch.blocks = count(object, "blocks");
    if (object.contains("bounds")) {
        for (const Json& bound : list(object, "bounds")) {
            launch.bounds.push_back(
                {named(bound, "metric", metricFromId), number(bound, "percent")});
        }
    }
    launch.laneAccesses = count(object, "lane_accesses");
    launch.seconds = number(object, "seconds");
    launch.values = valuesIn(object, "values");
    for (const Json& line : list(object, "lines")) launch.lines.push_back(lineOf(line));
    return launch;
}

}  // namespace program_json

namespace {

using namespace json_reader;
using namespace program_json;

Json tree(const Finding& finding) {
    Json object{{"kind", toString(finding.kind)}, {"words", finding.words}};
    addPlace(object, finding.place);
    object["kernel"] = finding.kernel;
    if (finding.launch) object["launch"] = *finding.launch;
    if (finding.block) {
        object["block"] = listOf(finding.block->x, finding.block->y, finding.block->z);
    }
    if (finding.thread) {
        object["thread"] = listOf(finding.thread->x, finding.thread->y, finding.thread->z);
    }
    object["times"] = finding.times;
    return object;
}

Json tree(const ProgramExit& exit) {
    Json object;
    object["status"] = exit.status ? Json(*exit.status) : Json();
    object["signal"] = exit.signal;
    object["stopped"] = exit.stopped;
    object["output"] = exit.output;
    object["output_cut"] = exit.outputCut;
    return object;
}

}  // namespace

std::string toJson(const ProgramTrace& trace) {
    Json object{{"program", trace.program}, {"version", version()}};
    Json launches = Json::array();
    for (const ProgramLaunch& launch : trace.launches) launches.push_back(launchTree(launch));
    object["launches"] = std::move(launches);
    Json findings = Json::array();
    for (const Finding& finding : trace.findings) findings.push_back(tree(finding));
    object["findings"] = std::move(findings);
    object["notes"] = trace.notes;
    object["exit"] = tree(trace.exit);
    object["compile_seconds"] = trace.compileSeconds;
    object["seconds"] = trace.seconds;
    return toText(object, 2);
}

}  // namespace warplens
