#include <algorithm>

#include "app/drawing/schedule_chart.h"
#include "app/figure/kinds/kind.h"

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
    const std::string one = "Warps of SM " + std::to_string(schedule.followedSm) +
                            (overlap.empty() ? "" : ". " + overlap);
    if (aboutWaits(schedule) || room.height() < 420) {
        aboutWaits(schedule) ? drawPart(canvas, room, one, warps)
                             : drawPart(canvas, room, all, sms);
        return;
    }
    const float middle = (room.top + room.bottom) / 2;
    drawPart(canvas, {room.left, room.top, room.right, middle - 8}, all, sms);
    drawPart(canvas, {room.left, middle + 8, room.right, room.bottom}, one, warps);
}

}  // namespace warplens::figure
