#include "app/drawing/occupancy_slots.h"
#include "app/figure/kinds/kind.h"
#include "kernels/library/block_demand.h"

namespace warplens::figure {
DrawnSm drawnSmOf(const Subject& subject) {
    const Launch& launch = subject.view.experiment.launch;
    BlockDemand demand{.threads = launch.block.count()};
    demand.dynamicSharedBytes = launch.dynamicSharedBytes;
    return {*findSmLimits(subject.view.capability.value_or(assumedCapability)),
            subject.demand.value_or(demand)};
}

std::string slotsStatement(const Subject& subject) {
    const DrawnSm sm = drawnSmOf(subject);
    return drawing::occupancyInWords(sm.limits, sm.demand);
}

void drawSlots(Canvas& canvas, const Subject& subject, const Box& room) {
    const DrawnSm sm = drawnSmOf(subject);
    const drawing::ColorRoles& colors = canvas.colors();
    Box below = room;
    const float taken = canvas.writeLines(
        room,
        {drawing::limitInWords(sm.limits, sm.demand), Face::words, size::name, colors.warning}, 2);
    below.top += taken + 8;
    if (below.height() < 60) return;
    canvas.add(drawing::prepareOccupancySlots(
                   sm.limits, sm.demand, {below, colors, canvas.textWidth(), size::smallest}, {})
                   .items,
               below);
}

}  // namespace warplens::figure
