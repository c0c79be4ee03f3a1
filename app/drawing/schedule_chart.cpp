#include "app/drawing/schedule_chart.h"

#include <cmath>
#include <map>

#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

constexpr Rgb firstTurn = 0x4c84fc;
constexpr Rgb middleTurn = 0xe45cc4;
constexpr Rgb lastTurn = 0xfc6c0c;

Rgb colorOfTurn(std::uint32_t turn, std::uint32_t last) {
    if (last == 0) return firstTurn;
    const float share = 2 * static_cast<float>(turn) / static_cast<float>(last);
    return share < 1 ? mixed(firstTurn, middleTurn, share) : mixed(middleTurn, lastTurn, share - 1);
}

std::string ordinal(std::uint32_t number) {
    const bool teen = number / 10 % 10 == 1;
    const char* const ending = teen               ? "th"
                               : number % 10 == 1 ? "st"
                               : number % 10 == 2 ? "nd"
                               : number % 10 == 3 ? "rd"
                                                  : "th";
    return std::to_string(number) + ending;
}

/// Rows under one another in a plot, with names at the left where there is room.
struct Rows final {
    Box plot;
    float height = 0;

    Rows(const Box& where, std::size_t count)
        : plot(where),
          height(where.height() / static_cast<float>(std::max<std::size_t>(count, 1))) {}
    [[nodiscard]] Box row(std::size_t i, float left, float right) const {
        const float top = plot.top + height * static_cast<float>(i);
        // Narrow rows overlap a little: their smoothed edges would show as stripes.
        const float gap = height > 6 ? 1.0F : height > 3 ? 0.5F : -0.4F;
        return {std::max(left, plot.left), top, std::min(right, plot.right), top + height - gap};
    }
    [[nodiscard]] std::optional<std::size_t> at(Point point, std::size_t count) const {
        if (point.x < plot.left || point.x >= plot.right || point.y < plot.top) return {};
        const auto i = static_cast<std::size_t>((point.y - plot.top) / height);
        return i < count ? std::optional(i) : std::nullopt;
    }
};

/// Labels only every so many rows, so that they do not meet.
std::size_t labelStep(const Rows& rows, float textSize) {
    for (const std::size_t step : {1, 2, 4, 8, 16, 32, 64}) {
        if (rows.height * static_cast<float>(step) >= textSize * 1.3F) return step;
    }
    return 128;
}

class SmChart final {
  public:
    SmChart(const Schedule& schedule, const DrawArea& area, TimeSpan span)
        : schedule_(schedule), area_(area), packing_(packBlocks(schedule)) {
        for (std::size_t i = 0; i < schedule.blocks.size(); ++i) {
            sms_[schedule.blocks[i].sm].push_back(i);
            duration_ = std::max(duration_, schedule.blocks[i].end);
            lastTurn_ = std::max(lastTurn_, packing_.turns[i]);
        }
        const float size = area.textSize;
        Box plot = area.box;
        plot.left += area.textWidth("SM 000", Face::words, size) + size * 0.7F;
        plot.top += size * 1.9F;
        plot.bottom -= size * 2.1F;
        // How many blocks each ran, where all are recorded.
        if (schedule.blocks.size() == schedule.launchedBlocks) {
            counts_ = area.textWidth("0,000", Face::words, size);
            plot.right -= counts_ + size * 0.7F;
        }
        axis_ = TimeAxis{plot, static_cast<double>(duration_) * span.begin,
                         static_cast<double>(duration_) * span.end, TimeUnit::nanoseconds};
    }

    ScheduleChart draw(std::optional<Point> pointer) {
        ScheduleChart chart{.items = {}, .plot = axis_.plot};
        drawLegend(chart.items);
        axis_.draw(chart.items, area_);
        const Rows rows(axis_.plot, sms_.size());
        const std::size_t step = labelStep(rows, area_.textSize);
        std::size_t row = 0;
        for (const auto& [sm, blocks] : sms_) {
            if (row % step == 0) {
                const float y = rows.row(row, 0, 0).top + (rows.height - area_.textSize) / 2;
                const auto write = [&](float x, std::string words) {
                    chart.items.push_back(Text({x, y}, std::move(words), Face::words,
                                               area_.textSize, area_.colors.muted, 1));
                };
                write(axis_.plot.left - area_.textSize * 0.7F, "SM " + std::to_string(sm));
                if (counts_ > 0) write(area_.box.right, groupedDigits(blocks.size()));
            }
            drawSm(chart.items, rows, row, blocks);
            ++row;
        }
        if (pointer) point(chart, rows, *pointer);
        return chart;
    }

  private:
    struct Change {
        std::uint64_t time;
        int blocks;
        std::uint32_t turn;
    };

    void drawLegend(Items& items) const {
        const float size = area_.textSize;
        const Box& box = area_.box;
        float x = axis_.plot.left;
        float right = box.right;
        if (counts_ > 0) {
            const double each =
                static_cast<double>(schedule_.launchedBlocks) / static_cast<double>(sms_.size());
            const std::string average =
                (each == std::floor(each) ? fixedNumber(each, 0) : fixedNumber(each, 1)) +
                " blocks an SM on the average";
            items.push_back(
                Text{{right, box.top}, average, Face::words, size, area_.colors.muted, 1});
            right -= area_.textWidth(average, Face::words, size) + size;
        }
        const auto words = [&](const std::string& text) {
            items.push_back(Text{{x, box.top}, text, Face::words, size, area_.colors.muted});
            x += area_.textWidth(text, Face::words, size) + size * 0.5F;
        };
        words(lastTurn_ == 0 ? "every place of an SM had one block" : "first block of a place");
        if (lastTurn_ > 0) {
            constexpr int steps = 24;
            const float width = size * 0.3F;
            for (int i = 0; i < steps; ++i) {
                items.push_back(Fill{{x, box.top, x + width + 0.4F, box.top + size},
                                     colorOfTurn(static_cast<std::uint32_t>(i), steps - 1)});
                x += width;
            }
            x += size * 0.5F;
            words("its " + ordinal(lastTurn_ + 1));
        }
        const std::string strength = "stronger: more blocks at once";
        if (x + size * 2 + area_.textWidth(strength, Face::words, size) <= right) {
            x += size * 1.5F;
            words(strength);
        }
    }

    void drawSm(Items& items, const Rows& rows, std::size_t row,
                const std::vector<std::size_t>& blocks) const {
        std::vector<Change> changes;
        for (const std::size_t i : blocks) {
            changes.push_back({schedule_.blocks[i].begin, 1, packing_.turns[i]});
            changes.push_back({schedule_.blocks[i].end, -1, packing_.turns[i]});
        }
        std::ranges::sort(changes, {}, &Change::time);
        items.push_back(
            Fill{rows.row(row, axis_.plot.left, axis_.plot.right), area_.colors.raised});
        int running = 0;
        std::uint64_t turns = 0;  // sum over the blocks that run
        float from = axis_.plot.left;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            const float to = axis_.at(static_cast<double>(changes[i].time));
            // Pieces below a pixel are drawn with the next one.
            if (running > 0 && (to - from >= 1 || i + 1 == changes.size()) &&
                to > axis_.plot.left && from < axis_.plot.right) {
                const auto turn =
                    static_cast<std::uint32_t>((turns + static_cast<std::uint64_t>(running) / 2) /
                                               static_cast<std::uint64_t>(running));
                const float strength = 0.35F + 0.65F * static_cast<float>(running) /
                                                   static_cast<float>(packing_.slotCount);
                items.push_back(Fill{rows.row(row, from, to),
                                     mixed(area_.colors.raised, colorOfTurn(turn, lastTurn_),
                                           std::min(1.0F, strength))});
                from = to;
            } else if (running == 0) {
                from = to;
            }
            running += changes[i].blocks;
            if (changes[i].blocks > 0) turns += changes[i].turn;
            if (changes[i].blocks < 0) turns -= changes[i].turn;
        }
    }

    void point(ScheduleChart& chart, const Rows& rows, Point pointer) const {
        const auto row = rows.at(pointer, sms_.size());
        if (!row) return;
        const auto& [sm, blocks] = *std::next(sms_.begin(), static_cast<std::ptrdiff_t>(*row));
        const double time = axis_.time(pointer.x);
        std::vector<std::size_t> here;
        for (const std::size_t i : blocks) {
            const BlockRun& run = schedule_.blocks[i];
            if (static_cast<double>(run.begin) <= time && time < static_cast<double>(run.end)) {
                here.push_back(i);
            }
        }
        chart.items.push_back(
            Frame{rows.row(*row, axis_.plot.left, axis_.plot.right), area_.colors.text, 1});
        chart.pointed = "SM " + std::to_string(sm) + " at " + axis_.inWords(time) + ": " +
                        (here.empty() ? std::string("nothing runs") : "blocks");
        constexpr std::size_t most = 8;
        for (std::size_t i = 0; i < std::min(here.size(), most); ++i) {
            chart.pointed += (i == 0 ? " " : ", ") + groupedDigits(here[i]);
        }
        if (here.size() > most) {
            chart.pointed += " and " + std::to_string(here.size() - most) + " more";
        }
        if (!here.empty()) chart.block = here.front();
    }

    const Schedule& schedule_;
    const DrawArea& area_;
    Packing packing_;
    std::map<std::uint32_t, std::vector<std::size_t>> sms_;  ///< blocks of each
    std::uint64_t duration_ = 1;
    std::uint32_t lastTurn_ = 0;
    TimeAxis axis_;
    float counts_ = 0;  ///< the width of the column of counts at the right; 0: there is none
};

}  // namespace

TimeSpan zoomed(TimeSpan span, double factor, double about) {
    const double length = std::clamp(span.length() / factor, shortestTimeSpan, 1.0);
    const double fixed = span.begin + span.length() * std::clamp(about, 0.0, 1.0);
    const double begin = std::clamp(fixed - length * about, 0.0, 1.0 - length);
    return {begin, begin + length};
}

TimeSpan moved(TimeSpan span, double by) {
    const double begin = std::clamp(span.begin + span.length() * by, 0.0, 1.0 - span.length());
    return {begin, begin + span.length()};
}

ScheduleChart prepareSmChart(const Schedule& schedule, const DrawArea& area, TimeSpan span,
                             std::optional<Point> pointer) {
    return SmChart(schedule, area, span).draw(pointer);
}

double roundStepBelow(double step) {
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {5.0, 2.0}) {
        if (factor * power <= step) return factor * power;
    }
    return power;
}

float TimeAxis::at(double time) const {
    return plot.left + plot.width() * static_cast<float>((time - first) / (last - first));
}

double TimeAxis::time(float x) const {
    return first + (last - first) * static_cast<double>((x - plot.left) / plot.width());
}

std::string TimeAxis::inWords(double time) const {
    if (unit == TimeUnit::cycles) {
        return groupedDigits(static_cast<std::uint64_t>(std::max(0.0, time))) + " cycles";
    }
    return formatNumber(1e-9 * std::max(0.0, time), Unit::seconds);
}

void TimeAxis::draw(Items& items, const DrawArea& area) const {
    const float size = area.textSize;
    const float apart = area.textWidth("0,000,000 cycles", Face::words, size) * 1.3F;
    const double wanted =
        (last - first) * static_cast<double>(apart / std::max(plot.width(), apart));
    // No tick finer than the clock: whole nanoseconds, whole cycles.
    const double step = std::max(1.0, 2 * roundStepBelow(wanted));
    const float below = plot.bottom + size * 0.5F;
    items.push_back(
        Line{{plot.left, plot.bottom}, {plot.right, plot.bottom}, area.colors.muted, 1});
    for (double tick = std::ceil(first / step) * step; tick <= last; tick += step) {
        const float x = at(tick);
        items.push_back(
            Line{{x, plot.top}, {x, plot.bottom + size * 0.3F}, area.colors.faint, 1, 0.5F});
        const std::string words = tick == 0 ? "0" : inWords(tick);
        const float half = area.textWidth(words, Face::words, size) / 2;
        if (x + half > area.box.right) continue;
        items.push_back(Text{{x, below}, words, Face::words, size, area.colors.muted, 0.5F});
    }
}

}  // namespace warplens::drawing
