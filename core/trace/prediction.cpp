#include "core/trace/prediction.h"

#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {

std::string howPredicted(const Prediction& prediction) {
    const std::string blocks = counted(prediction.blocks, "block");
    const std::string traced = groupedDigits(prediction.blocksTraced) + " of " + blocks + " traced";
    if (!prediction.exact) {
        // Whoever samples may miss a heavy one.
        const std::uint64_t heavier =
            trace::mostHeavierBlocks(prediction.blocksTraced, prediction.blocks);
        return "a sample, " + traced + ": " +
               (prediction.errorPercent == 0
                    ? std::string("these do all the same")
                    : "within " + formatNumber(prediction.errorPercent, Unit::percent)) +
               ", and at most " + groupedDigits(heavier) +
               " do more than any of these, 95 times out of 100";
    }
    if (prediction.kinds == 0) {
        return prediction.blocks == 1 ? "exact: the block traced"
                                      : "exact: all " + blocks + " traced";
    }
    return "exact: " + counted(prediction.kinds, "kind") + " of block, " + traced;
}

}  // namespace warplens
