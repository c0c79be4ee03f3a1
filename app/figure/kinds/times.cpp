#include <algorithm>

#include "app/drawing/run_times.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"

namespace warplens::figure {

std::string timesStatement(const Subject& subject) {
    if (!subject.timing) return "No timed runs";
    if (const auto noise = noiseOf(*subject.timing)) return *noise;
    return drawing::middleInWords(*subject.timing);
}

void drawTimes(Canvas& canvas, const Subject& subject, const Box& room) {
    if (!subject.timing) return;
    const Timing& timing = *subject.timing;
    const std::string told = "timed " + std::string(inWords(timing.from)) + "; " +
                             (timing.cacheState.empty() ? "" : timing.cacheState + "; ") +
                             timing.clocks;
    const Box below{room.left, room.bottom - 3.6F * size::smallest, room.right, room.bottom};
    canvas.writeLines(below, {told, Face::words, size::smallest, canvas.colors().muted}, 3);
    Box bars = room;
    bars.bottom = below.top - 0.5F * size::smallest;
    bars.bottom = std::min(bars.bottom, bars.top + 0.6F * room.width());
    canvas.add(drawing::prepareRunTimes(
                   timing, {bars, canvas.colors(), canvas.textWidth(), size::smallest}),
               bars);
}

}  // namespace warplens::figure
