#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/warp_memory.h"
#include "core/measurement/timing.h"
#include "core/schedule/schedule.h"

/// Pictures of how the GPU dealt a launch to its SMs, from recorded time stamps: time runs to the
/// right. One has a row for each SM, the other a row for each place of one SM's warps. And how long
/// the timed runs took, one beside the other.
namespace warplens::drawing {

/// The part of the recorded time that is drawn, as shares of the whole: 0 <= begin < end <= 1.
struct TimeSpan final {
    double begin = 0;
    double end = 1;
    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;

    [[nodiscard]] double length() const { return end - begin; }
};
inline constexpr double shortestTimeSpan = 1e-4;

/// Shorter by `factor` about the share `about` of the span, or longer, inside the whole.
[[nodiscard]] TimeSpan zoomed(TimeSpan span, double factor, double about);
/// Later by so many spans, inside the whole.
[[nodiscard]] TimeSpan moved(TimeSpan span, double by);

struct ScheduleChart final {
    Items items{};
    Box plot{};                            ///< where time runs, without labels
    std::string pointed{};                 ///< about what lies under the pointer
    std::optional<std::uint64_t> block{};  ///< rank of the block under it
};

/// A row for each SM that ran blocks. The hue tells how many blocks ran before in the same place of
/// the SM, its strength how many run at once. Cost: below 3 items for each recorded block.
[[nodiscard]] ScheduleChart prepareSmChart(const Schedule& schedule, const DrawArea& area,
                                           TimeSpan span, std::optional<Point> pointer = {});

/// A row for each place of the followed SM's warps, in the colours of their blocks: full where a
/// warp works, hollow where it waits for memory, pale where its waits were not recorded; below, how
/// many of the warps work at each moment. Cost: one item for each recorded wait in view.
[[nodiscard]] ScheduleChart prepareWarpChart(const Schedule& schedule, const DrawArea& area,
                                             TimeSpan span, std::optional<Point> pointer = {});

/// The span in which the warps' waits were recorded; the whole for a kernel without marked waits.
[[nodiscard]] TimeSpan recordedWaits(const Schedule& schedule);

enum class TimeUnit : std::uint8_t { nanoseconds, cycles };

/// Time along the x axis of a plot, with round ticks below it.
struct TimeAxis final {
    Box plot{};
    double first = 0;
    double last = 1;
    TimeUnit unit = TimeUnit::nanoseconds;

    [[nodiscard]] float at(double time) const;
    [[nodiscard]] double time(float x) const;
    /// `12.5 µs`, `1,200 cycles`.
    [[nodiscard]] std::string inWords(double time) const;
    /// Ticks, their lines through the plot, and their times below it.
    void draw(Items& items, const DrawArea& area) const;
};

/// The largest of 1, 2, 5 times a power of ten that is at most `step`.
[[nodiscard]] double roundStepBelow(double step);

/// A histogram of the runs: the bars, the median and the middle half of the runs marked below them,
/// and the times where the bars begin and end. Empty where the runs' times are not kept or the room
/// is too small.
[[nodiscard]] Items prepareRunTimes(const Timing& timing, const DrawArea& area);

/// Times in the words of one unit, with as many digits as tell those apart that differ, down to the
/// nanosecond: `1.718 ms`, `1.721 ms`.
[[nodiscard]] std::vector<std::string> timesApart(const std::vector<double>& seconds);

/// `half of 200 runs within 1.79 and 1.86 µs`; empty where the runs' times are not kept.
[[nodiscard]] std::string middleInWords(const Timing& timing);

}  // namespace warplens::drawing
