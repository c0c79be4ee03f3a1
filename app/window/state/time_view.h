#pragma once

#include <cstdint>

#include "app/drawing/schedule_chart.h"

namespace warplens::window {

struct AppState;

enum class TimeRows : std::uint8_t { sms, warps };  ///< all SMs; the warps of one

/// How the schedule of the shown launch is looked at.
struct TimeView final {
    TimeRows rows = TimeRows::sms;
    drawing::TimeSpan span{};
    friend bool operator==(const TimeView&, const TimeView&) = default;
};

/// The view that a launch is first seen with: warps where it is about their waits.
[[nodiscard]] TimeView timeViewOf(const Schedule& schedule, TimeRows rows);

}  // namespace warplens::window
