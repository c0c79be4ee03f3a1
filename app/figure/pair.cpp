#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/drawing/warp_memory.h"
#include "app/figure/canvas.h"
#include "app/figure/compose.h"
#include "app/figure/kinds/kind.h"
#include "core/access/warp_access.h"
#include "core/measurement/value_text.h"

namespace warplens::figure {
namespace {

constexpr float bigNumber = 48;

/// What a side comes to.
struct PairSide final {
    const Subject& subject;
    std::optional<Telling> request{};
    std::string headline{};  ///< `16 sectors`
    double amount = 0;       ///< that it counts
    std::string caption{};   ///< `for 32 values: 25.0 % of the bytes are used`
    const Value* time = nullptr;
};

PairSide sideOf(const Subject& subject, bool ofGlobal = false) {
    PairSide side{.subject = subject};
    const PictureKind picture = subject.view.picture;
    const bool ofScenario = picture == PictureKind::scenario;
    if (ofScenario || picture == PictureKind::request) {
        side.request = tellingRequest(subject, ofGlobal);
    }
    side.time = subject.evidence.find(Metric::time, Source::timed, Variant::none, "kernel");
    if (side.time != nullptr && side.time->number() == nullptr) side.time = nullptr;
    if (side.request) {
        const WarpStep& step = side.request->trace.steps[side.request->step];
        const ActiveOffsets offsets(step);
        const AccessCost cost = costOf(offsets.all(), step.bytes);
        side.amount = cost.sectors;
        side.headline = std::to_string(cost.sectors) + (cost.sectors == 1 ? " sector" : " sectors");
        side.caption = "for " + std::to_string(offsets.all().size()) + " lanes: " +
                       formatNumber(100.0 * cost.uniqueBytes /
                                        (static_cast<double>(cost.sectors) * bytesPerSector),
                                    Unit::percent) +
                       " of the bytes are used";
        return side;
    }
    if (!ofScenario) {
        side.caption = captionOf(subject).statement;
        return side;
    }
    const std::array wanted{
        std::pair{Metric::divergentBranches, " divergent branches"},
        std::pair{Metric::sharedWavefrontsPerRequest, " wavefronts a shared request"}};
    for (const auto& [metric, words] : wanted) {
        const Value* value = subject.evidence.best(metric);
        if (value == nullptr || value->number() == nullptr) continue;
        side.amount = *value->number();
        side.headline = compact(*value) + words;
        break;
    }
    return side;
}

std::string factorText(double ratio) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", ratio < 10 ? 1 : 0, ratio);
    return text.data();
}

/// `1.6 times as slow, with the same work`: how b's time compares with a's.
std::string comparedTimes(const PairSide& a, const PairSide& b) {
    if (a.time == nullptr || b.time == nullptr) {
        if (a.amount <= 0 || b.amount <= 0 || a.amount == b.amount) return {};
        const bool more = b.amount > a.amount;
        return factorText(more ? b.amount / a.amount : a.amount / b.amount) +
               (more ? " times as many" : " times fewer");
    }
    const double ratio = *b.time->number() / *a.time->number();
    if (ratio > 0.95 && ratio < 1.05) return "As long, within a twentieth";
    return factorText(ratio > 1 ? ratio : 1 / ratio) +
           (ratio > 1 ? " times as slow" : " times as fast");
}

std::string whereFrom(const PairSide& a, const PairSide& b) {
    if (a.subject.provenance.empty()) return {};
    std::string words = a.subject.provenance.front();
    const bool isOther = !b.subject.kernel.empty() && !b.subject.provenance.empty() &&
                         b.subject.provenance.front() != words;
    if (isOther) words += "   ·   " + b.subject.provenance.front();
    const std::string sizes = toString(b.subject.view.experiment.arguments);
    return sizes.empty() ? words : words + "   ·   " + sizes;
}

void drawSide(Canvas& canvas, const PairSide& side, Box room, int better) {
    const drawing::ColorRoles& colors = canvas.colors();
    const Experiment& experiment = side.subject.view.experiment;
    const Box head{room.left, room.top, room.right, room.top + size::launch};
    const std::string title = titleOf(side.subject);
    if (!canvas.write(head, {title, Face::strong, size::launch, colors.text})) {
        canvas.writeShortened(head, {title, Face::strong, size::name, colors.text});
    }
    room.top += size::launch + 4;
    std::string call = toLaunchSyntax(experiment.launch);
    canvas.writeShortened({room.left, room.top, room.right, room.top + size::smallestNumber},
                          {call, Face::numbers, size::smallestNumber, colors.muted});
    room.top += size::smallestNumber + 10;

    // What it comes to, from below.
    const float foot = bigNumber + (side.caption.empty() ? 0 : size::smallest + 6);
    const Box numbers{room.left, room.bottom - foot, room.right, room.bottom};
    const Style& style = canvas.style();
    const Rgb verdict = better == 0 || style.print ? colors.text
                        : better > 0               ? mixed(style.third, colors.text, 0.25F)
                                                   : mixed(style.fourth, colors.text, 0.1F);
    const Box line{numbers.left, numbers.top, numbers.right, numbers.top + bigNumber};
    float left = numbers.left;
    for (const float height : {bigNumber, 36.0F, 28.0F, size::name}) {
        const Words words{side.headline, Face::strong, height, verdict};
        const float time = side.time == nullptr ? 0 : 210;
        if (canvas.width(words) > line.width() - time) continue;
        canvas.write(line, words);
        left += canvas.width(words);
        break;
    }
    if (side.time != nullptr) {
        canvas.writeFirst({left + 12, line.top, line.right, line.bottom},
                          {{compact(*side.time), Face::numbers, bigNumber, colors.text},
                           {compact(*side.time), Face::numbers, 34, colors.text}},
                          1);
    }
    if (!side.caption.empty()) {
        canvas.writeFirst(
            {numbers.left, numbers.bottom - size::smallest - 2, numbers.right, numbers.bottom},
            {{side.caption, Face::words, size::name, colors.muted},
             {side.caption, Face::words, size::smallest, colors.muted}});
    }
    room.bottom = numbers.top - 12;
    if (room.height() < 60) return;
    if (side.request) {
        if (room.height() > 300 && experiment.launch.block.y > 1) {
            const Box above{room.left, room.top, room.right, room.top + room.height() * 0.27F};
            drawBlock(canvas, side.subject, above);
            room.top = above.bottom + 14;
        }
        constexpr float text = size::smallestNumber / 0.9F;
        canvas.add(drawing::prepareSectorGrid(side.request->trace, side.request->step,
                                              {room, colors, canvas.textWidth(), text}),
                   room);
        return;
    }
    drawKind(canvas, side.subject, room);
}

}  // namespace

Picture composePair(const Subject& a, const Subject& b, const Page& page) {
    Sheet sheet(page);
    Canvas& canvas = sheet.canvas;
    const drawing::ColorRoles& colors = canvas.colors();
    Box body = sheet.body;
    // Of a person's launches both sides show a request, so that they can be compared.
    const bool asked = !a.kernel.empty() && !b.kernel.empty() &&
                       (tellingRequest(a).has_value() || tellingRequest(b).has_value());
    const PairSide left = sideOf(a, asked);
    const PairSide right = sideOf(b, asked);

    const Box bar{body.left, body.bottom - 62, body.right, body.bottom};
    canvas.fill(bar, colors.raised);
    const std::string compared = comparedTimes(left, right);
    const std::string from = whereFrom(left, right);
    const Box above{bar.left + 16, bar.top + 5, bar.right - 16, bar.top + 33};
    canvas.writeFirst(above,
                      {{compared, Face::strong, size::statement, colors.text},
                       {compared, Face::strong, size::sentence, colors.text}},
                      0.5F);
    canvas.writeShortened({bar.left + 16, bar.bottom - 26, bar.right - 16, bar.bottom - 6},
                          {from, Face::words, size::smallest, colors.muted}, 0.5F);
    body.bottom = bar.top - 16;
    const float middle = (body.left + body.right) / 2;
    canvas.line({middle, body.top}, {middle, body.bottom}, colors.faint, 1);
    const bool differ = left.amount != right.amount;
    const int better = !differ ? 0 : left.amount < right.amount ? 1 : -1;
    drawSide(canvas, left, {body.left, body.top, middle - 24, body.bottom}, better);
    drawSide(canvas, right, {middle + 24, body.top, body.right, body.bottom}, -better);

    return std::move(sheet).picture(titleOf(a) + " / " + titleOf(b));
}

}  // namespace warplens::figure
