#include "core/trace/json.h"

#include "core/measurement/json.h"
#include "core/measurement/json_reader.h"
#include "core/text/format.h"

namespace warplens {

std::string sampleErrorText() {
    return "totals were within " + formatNumber(observedSampleError.worstPercent, Unit::percent) +
           " in " + std::to_string(observedSampleError.launches) + " launches traced both ways";
}

std::string toJson(const Prediction& prediction, int indent) {
    using json_reader::Json;
    Json object = Json::parse(toJson(prediction.experiment, -1));
    object["exact"] = prediction.exact;
    object["blocks_traced"] = prediction.blocksTraced;
    object["blocks"] = prediction.blocks;
    object["sample"] = prediction.sample;
    if (!prediction.exact) {
        object["sample_error"] = {{"worst_percent", observedSampleError.worstPercent},
                                  {"launches", observedSampleError.launches}};
    }
    object["seconds"] = prediction.seconds;
    object["version"] = version();
    object["values"] = Json::parse(toJson(prediction.values, -1));
    return object.dump(indent);
}

}  // namespace warplens
