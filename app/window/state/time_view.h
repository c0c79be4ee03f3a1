#pragma once

#include <cstdint>
#include <optional>

#include "app/drawing/schedule_chart.h"

namespace warplens::window {

enum class TimeRows : std::uint8_t { sms, warps };  ///< all SMs; the warps of one

/// What was chosen of how the shown launch's schedule is looked at; the rest follows from the
/// schedule. Another launch starts with nothing chosen.
struct TimeView final {
    std::optional<TimeRows> rows{};
    std::optional<drawing::TimeSpan> span{};
    friend bool operator==(const TimeView&, const TimeView&) = default;
};

/// Where nothing was chosen: the warps where the schedule is about their waits, then the time in
/// which these were recorded.
[[nodiscard]] TimeRows shownRows(const TimeView& view, const Schedule& schedule);
[[nodiscard]] drawing::TimeSpan shownSpan(const TimeView& view, const Schedule& schedule);

/// Changes nothing for a span that is empty or reaches beyond the whole.
void setTimeView(TimeView& view, const TimeView& wanted);

}  // namespace warplens::window
