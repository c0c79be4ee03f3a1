#include "core/trace/json.h"

#include <array>

#include "core/measurement/json_trees.h"
#include "core/text/format.h"

namespace warplens {

namespace {

using json_reader::Json;

constexpr std::array<const char*, 7> kindNames{
    "load", "store", "atomic", "shared_load", "shared_store", "shared_atomic", "branch"};

/// The array or branch that a kernel's line is about.
std::string subjectOf(const Kernel& kernel, const trace::LineTally& line) {
    if (trace::isGlobal(line.kind)) return std::string(kernel.arrays[line.subject].name);
    if (line.kind != trace::EventKind::branch) return kernel.shared[line.subject].name;
    return std::string(kernel.branches[line.subject].name);
}

Json linesOf(const Prediction& prediction) {
    const Kernel& kernel = kernelOf(prediction.experiment);
    Json lines = Json::array();
    for (const trace::LineTally& line : prediction.lines) {
        Json object{{"line", line.line},
                    {"kind", kindNames.at(static_cast<std::size_t>(line.kind))},
                    {"subject", subjectOf(kernel, line)}};
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

std::string toJson(const Prediction& prediction) {
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
    return json_reader::toText(object, 2);
}

}  // namespace warplens
