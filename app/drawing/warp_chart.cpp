#include <cmath>

#include "app/drawing/schedule_chart.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// The last moment up to which every recorded warp that still runs has its waits on record.
std::uint64_t endOfRecord(const Schedule& schedule) {
    std::uint64_t end = UINT64_MAX;
    for (const WarpRun& warp : schedule.warps) {
        if (warp.waits.size() + 1 >= Schedule::mostStamps) end = std::min(end, warp.waits.back());
    }
    return end;
}

std::uint64_t lastEnd(const Schedule& schedule) {
    std::uint64_t end = 1;
    for (const WarpRun& warp : schedule.warps) end = std::max(end, warp.end);
    return end;
}

class WarpChart final {
  public:
    WarpChart(const Schedule& schedule, const DrawArea& area, TimeSpan span)
        : schedule_(schedule), area_(area), packing_(packWarps(schedule)) {
        const auto duration = static_cast<double>(lastEnd(schedule));
        const float size = area.textSize;
        Box plot = area.box;
        plot.left += area.textWidth("at work", Face::words, size) + size * 0.9F;
        plot.top += size * 1.9F;
        plot.bottom -= size * 2.1F;
        axis_ = {plot, duration * span.begin, duration * span.end, TimeUnit::cycles};
        const bool waits = std::ranges::any_of(
            schedule.warps, [](const WarpRun& warp) { return !warp.waits.empty(); });
        rows_ = plot;
        if (waits) {
            work_ = plot;
            work_.top = plot.bottom - std::min(size * 4, plot.height() * 0.22F);
            rows_.bottom = work_.top - size * 0.6F;
        }
    }

    ScheduleChart draw(std::optional<Point> pointer) {
        ScheduleChart chart{.items = {}, .plot = axis_.plot};
        drawLegend(chart.items);
        axis_.draw(chart.items, area_);
        name(chart.items, rows_, "warps");
        for (std::size_t i = 0; i < schedule_.warps.size(); ++i) drawWarp(chart.items, i);
        if (work_.height() > 0) drawWork(chart.items);
        if (pointer) point(chart, *pointer);
        return chart;
    }

  private:
    [[nodiscard]] float rowHeight() const {
        return std::min(rows_.height() / static_cast<float>(std::max(1u, packing_.slotCount)),
                        area_.textSize * 2.4F);
    }
    [[nodiscard]] Box row(std::uint32_t slot, double begin, double end) const {
        const float height = rowHeight();
        const float top = rows_.top + height * static_cast<float>(slot);
        const float gap = height > 8 ? 2.0F : height > 4 ? 1.0F : 0.0F;
        return {std::max(axis_.at(begin), rows_.left), top, std::min(axis_.at(end), rows_.right),
                top + height - gap};
    }
    static Rgb colorOf(const WarpRun& warp) {
        return warplens::colorOf(WarpRank{static_cast<std::uint32_t>(warp.block % 32)});
    }

    void name(Items& items, const Box& of, const char* words) const {
        items.push_back(Text({of.left - area_.textSize * 0.7F, of.top}, words, Face::words,
                             area_.textSize, area_.colors.muted, 1));
    }

    void drawLegend(Items& items) const {
        const float size = area_.textSize;
        const Box& box = area_.box;
        float x = axis_.plot.left;
        const auto entry = [&](const std::string& words, auto paint) {
            const float width = area_.textWidth(words, Face::words, size);
            if (x + size * 2 + width > box.right) return;
            paint(Box{x, box.top, x + size * 1.4F, box.top + size});
            items.push_back(
                Text{{x + size * 1.9F, box.top}, words, Face::words, size, area_.colors.muted});
            x += size * 3.2F + width;
        };
        const Rgb color = warplens::colorOf(WarpRank{0});
        if (work_.height() > 0) {
            entry("works", [&](const Box& b) { items.push_back(Fill{b, color}); });
            entry("waits for memory", [&](const Box& b) { items.push_back(Frame{b, color, 1}); });
        }
        if (work_.height() == 0) {
            entry("runs", [&](const Box& b) { items.push_back(Fill{b, color}); });
        }
        entry("a colour for each block", [&](const Box& b) {
            for (std::uint32_t i = 0; i < 3; ++i) {
                const float third = b.width() / 3;
                const float left = b.left + third * static_cast<float>(i);
                items.push_back(
                    Fill{{left, b.top, left + third, b.bottom}, warplens::colorOf(WarpRank{i})});
            }
        });
        if (work_.height() > 0) {
            entry("not recorded in detail", [&](const Box& b) {
                items.push_back(Fill{b, color, 0.35F});
            });
        }
    }

    void piece(Items& items, std::uint32_t slot, double begin, double end, Rgb color, bool works,
               float opacity) const {
        const Box box = row(slot, begin, end);
        if (box.right <= box.left) return;
        if (works) {
            items.push_back(Fill{box, color, opacity});
        } else if (box.width() >= 3) {
            items.push_back(Frame{box, color, 1});
        }
    }

    void drawWarp(Items& items, std::size_t i) const {
        const WarpRun& warp = schedule_.warps[i];
        const std::uint32_t slot = packing_.slots[i];
        const Rgb color = colorOf(warp);
        if (warp.waits.empty()) {
            piece(items, slot, static_cast<double>(warp.begin), static_cast<double>(warp.end),
                  color, true, work_.height() > 0 ? 0.35F : 1.0F);
        } else {
            auto from = static_cast<double>(warp.begin);
            for (std::size_t w = 0; w + 1 < warp.waits.size(); w += 2) {
                const auto asked = static_cast<double>(warp.waits[w]);
                const auto answered = static_cast<double>(warp.waits[w + 1]);
                piece(items, slot, from, asked, color, true, 1);
                piece(items, slot, asked, answered, color, false, 1);
                from = answered;
            }
            const bool cut = warp.waits.size() + 1 >= Schedule::mostStamps;
            piece(items, slot, from, static_cast<double>(warp.end), color, true,
                  cut ? 0.35F : 1.0F);
        }
        const Box box = row(slot, static_cast<double>(warp.begin), static_cast<double>(warp.end));
        const float size = std::min(area_.textSize, box.height() * 0.75F);
        const std::string words =
            "block " + groupedDigits(warp.block) + ", warp " + std::to_string(warp.warp);
        // Only where there is nothing below it to hide.
        if (!warp.waits.empty() || size < area_.textSize * 0.6F ||
            area_.textWidth(words, Face::words, size) > box.width() - size) {
            return;
        }
        items.push_back(Text({box.left + size * 0.4F, box.top + (box.height() - size) / 2}, words,
                             Face::words, size, inkOn(color)));
    }

    /// How many warps work at each moment, averaged over each pixel.
    void drawWork(Items& items) const {
        name(items, work_, "at work");
        const auto columns = static_cast<std::size_t>(std::max(1.0F, work_.width()));
        std::vector<double> working(columns);
        const double perColumn = (axis_.last - axis_.first) / static_cast<double>(columns);
        const auto add = [&](std::uint64_t begin, std::uint64_t end) {
            const double from =
                std::max(0.0, (static_cast<double>(begin) - axis_.first) / perColumn);
            const double to = std::min(static_cast<double>(columns),
                                       (static_cast<double>(end) - axis_.first) / perColumn);
            for (double c = std::floor(from); c < to; ++c) {
                working[static_cast<std::size_t>(c)] += std::min(to, c + 1) - std::max(from, c);
            }
        };
        const std::uint64_t end = std::min(endOfRecord(schedule_), lastEnd(schedule_));
        for (const WarpRun& warp : schedule_.warps) {
            std::uint64_t from = warp.begin;
            for (std::size_t w = 0; w + 1 < warp.waits.size(); w += 2) {
                add(std::min(from, end), std::min(warp.waits[w], end));
                from = warp.waits[w + 1];
            }
            add(std::min(from, end), std::min(warp.end, end));
        }
        items.push_back(Fill{work_, area_.colors.raised});
        const auto most = static_cast<double>(std::max(1u, packing_.slotCount));
        const auto limit = static_cast<std::size_t>(
            std::clamp((static_cast<double>(end) - axis_.first) / perColumn, 0.0, double(columns)));
        for (std::size_t c = 0; c < limit; ++c) {
            if (working[c] <= 0) continue;
            const float left = work_.left + static_cast<float>(c);
            const auto height = static_cast<float>(std::min(1.0, working[c] / most));
            items.push_back(
                Fill{{left, work_.bottom - work_.height() * height, left + 1, work_.bottom},
                     area_.colors.accent});
        }
        items.push_back(
            Text({work_.left - area_.textSize * 0.7F, work_.top + area_.textSize * 1.2F},
                 "of " + std::to_string(packing_.slotCount), Face::words, area_.textSize,
                 area_.colors.faint, 1));
    }

    void point(ScheduleChart& chart, Point pointer) const {
        if (pointer.x < rows_.left || pointer.x >= rows_.right || pointer.y < rows_.top) return;
        const double time = axis_.time(pointer.x);
        for (std::size_t i = 0; i < schedule_.warps.size(); ++i) {
            const WarpRun& warp = schedule_.warps[i];
            const Box box = row(packing_.slots[i], static_cast<double>(warp.begin),
                                static_cast<double>(warp.end));
            if (!box.contains(pointer)) continue;
            chart.items.push_back(Frame{box, area_.colors.text, 1});
            chart.block = warp.block;
            chart.pointed = "block " + groupedDigits(warp.block) + ", warp " +
                            std::to_string(warp.warp) + " on SM " +
                            std::to_string(schedule_.followedSm) + ": " +
                            groupedDigits(warp.begin) + " to " + groupedDigits(warp.end) +
                            " cycles" + '\n' + stateAt(warp, time);
            return;
        }
    }

    static std::string stateAt(const WarpRun& warp, double time) {
        for (std::size_t w = 0; w + 1 < warp.waits.size(); w += 2) {
            if (time < static_cast<double>(warp.waits[w])) break;
            if (time < static_cast<double>(warp.waits[w + 1])) {
                return "waits " + groupedDigits(warp.waits[w + 1] - warp.waits[w]) +
                       " cycles for memory";
            }
        }
        if (warp.waits.size() + 1 >= Schedule::mostStamps &&
            time > static_cast<double>(warp.waits.back())) {
            return "its later waits are not recorded";
        }
        return "works";
    }

    const Schedule& schedule_;
    const DrawArea& area_;
    Packing packing_;
    TimeAxis axis_;
    Box rows_{};
    Box work_{};  ///< empty for a kernel that marks no waits
};

}  // namespace

ScheduleChart prepareWarpChart(const Schedule& schedule, const DrawArea& area, TimeSpan span,
                               std::optional<Point> pointer) {
    return WarpChart(schedule, area, span).draw(pointer);
}

TimeSpan recordedWaits(const Schedule& schedule) {
    const std::uint64_t end = endOfRecord(schedule);
    const std::uint64_t whole = lastEnd(schedule);
    if (end >= whole) return {};
    return {0, std::max(shortestTimeSpan, static_cast<double>(end) / static_cast<double>(whole))};
}

}  // namespace warplens::drawing
