#include "core/trace/json.h"

#include "core/measurement/json_trees.h"
#include "core/text/format.h"

namespace warplens {

namespace {

using json_reader::Json;

/// What a kernel's line speaks to.
std::string subjectOf(const Kernel& kernel, const trace::LineTally& line) {
    switch (line.kind) {
        case trace::EventKind::load:
        case trace::EventKind::store:
        case trace::EventKind::atomic:
            return std::string(kernel.arrays[line.subject].name);
        case trace::EventKind::sharedLoad:
        case trace::EventKind::sharedStore:
        case trace::EventKind::sharedAtomic:
            return kernel.shared[line.subject].name;
        default:
            return std::string(kernel.branches[line.subject].name);
    }
}

const char* kindOf(trace::EventKind kind) {
    switch (kind) {
        case trace::EventKind::load:
            return "load";
        case trace::EventKind::store:
            return "store";
        case trace::EventKind::sharedLoad:
            return "shared_load";
        case trace::EventKind::sharedStore:
            return "shared_store";
        case trace::EventKind::atomic:
            return "atomic";
        case trace::EventKind::sharedAtomic:
            return "shared_atomic";
        default:
            return "branch";
    }
}

Json linesOf(const Prediction& prediction) {
    const Kernel& kernel = kernelOf(prediction.experiment);
    Json lines = Json::array();
    for (const trace::LineTally& line : prediction.lines) {
        Json object{
            {"line", line.line}, {"kind", kindOf(line.kind)}, {"subject", subjectOf(kernel, line)}};
        if (line.branch.executed != 0) {
            object["branches"] = line.branch.executed;
            object["divergent_branches"] = line.branch.divergent;
        } else if (line.shared.requests != 0) {
            object["requests"] = line.shared.requests;
            object["wavefronts"] = line.shared.wavefronts;
        } else if (line.atomic.requests != 0) {
            object["requests"] = line.atomic.requests;
            object["sectors"] = line.atomic.sectors;
        } else {
            object["requests"] = line.access.requests;
            object["sectors"] = line.access.sectors;
            object["ideal_sectors"] = line.access.idealSectors;
        }
        if (line.atomic.requests != 0) object["turns"] = line.atomic.turns;
        lines.push_back(std::move(object));
    }
    return lines;
}

}  // namespace

std::string toJson(const Prediction& prediction, int indent) {
    Json object = json_reader::treeOf(prediction.experiment);
    object["exact"] = prediction.exact;
    object["blocks_traced"] = prediction.blocksTraced;
    object["blocks"] = prediction.blocks;
    if (prediction.kinds != 0) object["kinds"] = prediction.kinds;
    if (!prediction.exact) object["error_percent"] = prediction.errorPercent;
    object["seconds"] = prediction.seconds;
    object["version"] = version();
    object["values"] = json_reader::treeOf(prediction.values);
    object["lines"] = linesOf(prediction);
    return json_reader::toText(object, indent);
}

}  // namespace warplens
