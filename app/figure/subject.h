#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/recordings/library.h"
#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"

namespace warplens::figure {

/// What a figure shows: one launch, and what is known of it.
struct Subject final {
    Experiment experiment;
    Index3 block{};                  ///< whose threads are drawn
    std::optional<WarpRank> warp{};  ///< the one that matters; the first where none is named
    /// The only one whose memory is drawn: a place among the kernel's arrays, its shared arrays
    /// behind them. All where none.
    std::optional<std::size_t> array{};
    Evidence evidence{};
    std::optional<Schedule> schedule{};  ///< where the measurement has one
    std::optional<Timing> timing{};      ///< where there is a measurement
    bool timesOnly = false;  ///< how the timed runs lie, instead of what the launch does
    /// Where the numbers come from, a line each: `probed, counted, timed: recorded on NVIDIA H200,
    /// 2026-11-21`.
    std::vector<std::string> provenance{};
};

/// A measurement to show.
struct Shown final {
    const Measurement* measurement = nullptr;  ///< null where there is none
    bool recorded = false;
};

/// The subject with its numbers: the measured ones, and the predicted ones, for which the launch is
/// traced here unless the measurement holds them. A launch that cannot be run or traced has no
/// predicted numbers and a line that says why.
[[nodiscard]] Subject subjectOf(Experiment experiment, const Shown& shown);

/// The library's recording of the experiment, if it has one.
[[nodiscard]] Shown recordingOf(const RecordingLibrary& library, const Experiment& experiment);

}  // namespace warplens::figure
