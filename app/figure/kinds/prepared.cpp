
#include "app/drawing/block3d_layout.h"
#include "app/drawing/lesson_pictures.h"
#include "app/drawing/occupancy_slots.h"
#include "app/drawing/schedule_chart.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"
#include "kernels/library/prepared_launch.h"

namespace warplens::figure {
namespace {

void drawPart(Canvas& canvas, const Box& room, const std::string& heading, auto prepare) {
    const drawing::ColorRoles& colors = canvas.colors();
    const Box line{room.left, room.top, room.right, room.top + size::name};
    canvas.writeShortened(line, {heading, Face::strong, size::name, colors.text});
    const Box box{room.left, line.bottom + 8, room.right, room.bottom};
    if (box.height() < 60) return;
    const drawing::DrawArea area{
        .box = box, .colors = colors, .textWidth = canvas.textWidth(), .textSize = size::smallest};
    canvas.add(prepare(area).items, box);
}

}  // namespace

void drawBlock3d(Canvas& canvas, const Subject& subject, const Box& room) {
    const drawing::Block3dLook look{
        .wasted = wastedMask(blockGuard(subject.view.experiment), subject.view.block),
        .held = subject.view.warp,
        .smallestDigits = size::smallest};
    canvas.add(
        drawing::prepareBlock3d(subject.view.experiment.launch.block, {.apart = subject.apart},
                                look, canvas.area(room, size::name))
            .items,
        room);
}

DrawnSm drawnSmOf(const Subject& subject) {
    const Launch& launch = subject.view.experiment.launch;
    BlockDemand demand{.threads = launch.block.count()};
    demand.dynamicSharedBytes = launch.dynamicSharedBytes;
    const SmLimits& limits = *findSmLimits(subject.view.capability.value_or(assumedCapability));
    return {limits, subject.demand.value_or(demand),
            drawing::gridShareOf(launch.grid.count(), limits,
                                 subject.device ? &*subject.device : nullptr)};
}

std::uint32_t residentWarps(const Subject& subject) {
    const DrawnSm sm = drawnSmOf(subject);
    const Occupancy room = occupancyOf(sm.limits, sm.demand);
    return drawing::residentOf(room, sm.grid) * room.warpsPerBlock();
}

std::string residentInWords(const Subject& subject) {
    return std::to_string(residentWarps(subject)) + " of " +
           counted(drawnSmOf(subject).limits.warps, "warp");
}

std::string slotsStatement(const Subject& subject) {
    const DrawnSm sm = drawnSmOf(subject);
    return drawing::occupancyInWords(sm.limits, sm.demand, sm.grid);
}

void drawSlots(Canvas& canvas, const Subject& subject, const Box& room) {
    const DrawnSm sm = drawnSmOf(subject);
    const drawing::ColorRoles& colors = canvas.colors();
    Box below = room;
    const float taken = canvas.writeLines(room,
                                          {drawing::limitInWords(sm.limits, sm.demand, sm.grid),
                                           Face::words, size::name, colors.warning},
                                          2);
    below.top += taken + 8;
    if (below.height() < 60) return;
    canvas.add(
        drawing::prepareOccupancySlots(
            sm.limits, sm.demand, canvas.area(below, size::smallestNumber / 0.95F), {}, sm.grid)
            .items,
        below);
}

void drawWaves(Canvas& canvas, const Subject& subject, const Box& room) {
    const DrawnSm sm = drawnSmOf(subject);
    canvas.add(drawing::prepareBlockWaves(subject.view.experiment.launch.grid.count(),
                                          occupancyOf(sm.limits, sm.demand).residentBlocks,
                                          canvas.area(room, size::smallest)),
               room);
}

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
    canvas.add(drawing::prepareRunTimes(timing, canvas.area(bars, size::smallest)), bars);
}

std::string scheduleStatement(const Subject& subject) {
    if (!subject.schedule) return "";
    const std::vector<std::string> lines = aboutWaits(*subject.schedule)
                                               ? warpsInWords(*subject.schedule)
                                               : inWords(*subject.schedule);
    return lines.empty() ? "" : lines.front();
}

void drawSchedule(Canvas& canvas, const Subject& subject, const Box& room) {
    if (!subject.schedule) {
        drawMemory(canvas, subject, room);
        return;
    }
    const Schedule& schedule = *subject.schedule;
    const auto sms = [&](const drawing::DrawArea& area) {
        return prepareSmChart(schedule, area, {});
    };
    const auto warps = [&](const drawing::DrawArea& area) {
        return prepareWarpChart(schedule, area, drawing::recordedWaits(schedule));
    };
    const std::string all = "All SMs";
    const std::string overlap = overlapInWords(schedule);
    std::string one = "Warps of SM " + std::to_string(schedule.followedSm);
    if (const std::string more = one + ". " + overlap;
        !overlap.empty() && canvas.width({more, Face::strong, size::name}) <= room.width()) {
        one = more;
    }
    if (aboutWaits(schedule) && !subject.bySms) return drawPart(canvas, room, one, warps);
    if (subject.bySms || room.height() < 420) return drawPart(canvas, room, all, sms);
    const float middle = (room.top + room.bottom) / 2;
    drawPart(canvas, {room.left, room.top, room.right, middle - 8}, all, sms);
    drawPart(canvas, {room.left, middle + 8, room.right, room.bottom}, one, warps);
}

}  // namespace warplens::figure
