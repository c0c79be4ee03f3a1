#include "core/trace/prediction.h"

#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {

std::string howPredicted(const Prediction& prediction) {
    const std::string blocks = counted(prediction.blocks, "block");
    const std::string traced = groupedDigits(prediction.blocksTraced) + " of " + blocks + " traced";
    if (!prediction.exact) {
        const std::string sample = "a sample, " + traced + ": ";
        if (prediction.errorPercent == 0) return sample + "these do all the same";
        return sample + "within " + formatNumber(prediction.errorPercent, Unit::percent) +
               " 95 times out of 100, where no other block does much more";
    }
    if (prediction.kinds == 0) {
        return prediction.blocks == 1 ? "exact: the block traced"
                                      : "exact: all " + blocks + " traced";
    }
    return "exact: " + counted(prediction.kinds, "kind") + " of block, " + traced;
}

}  // namespace warplens
