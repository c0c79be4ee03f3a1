#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/names.h"

namespace warplens {

class Archive;

/// What told the times of the timed runs.
enum class TimeFrom : std::uint8_t {
    events,        ///< CUDA events before and after a run: what its launch costs is in them
    deviceStamps,  ///< the device's own stamps of when the kernel began and ended, from CUPTI
};
constexpr std::array<std::string_view, 2> namesOf(TimeFrom /*from*/) {
    return {"events", "device_stamps"};
}

/// What the L2 holds when a timed run begins.
enum class CacheBefore : std::uint8_t {
    warm,  ///< what the run before left there
    cold,  ///< other data, read between the runs and outside of their time
};
constexpr std::array<std::string_view, 2> namesOf(CacheBefore /*cache*/) {
    return {"warm", "cold"};
}

/// What set the SM clock while the runs were timed.
enum class ClockState : std::uint8_t {
    unknown,  ///< the driver does not tell
    free,     ///< the driver raises and lowers it by load
    limited,  ///< held back by power, heat or a brake
    locked,   ///< set by somebody
};
constexpr std::array<std::string_view, 4> namesOf(ClockState /*state*/) {
    return {"unknown", "free", "limited", "locked"};
}

inline constexpr int fewestTimedRuns = 3;
inline constexpr int mostTimedRuns = 10'000;

/// How runs are to be timed.
struct TimingRequest final {
    CacheBefore cache = CacheBefore::warm;
    /// From `fewestTimedRuns` to `mostTimedRuns`; absent: as many as the kernel's time lets.
    std::optional<int> runs{};
    friend bool operator==(const TimingRequest&, const TimingRequest&) = default;
};

/// How the timed runs went.
struct Timing final {
    int warmUpRuns = 0;
    int runs = 0;
    double medianSeconds = 0;
    double minimumSeconds = 0;
    double maximumSeconds = 0;
    /// Interquartile range over median, percent.
    double spreadPercent = 0;
    std::uint64_t workingSetBytes = 0;
    /// What the caches held, and how the working set fits the L2.
    std::string cacheState;
    /// `SM 1980 MHz while timed, of at most 1980; memory 3201 MHz; not locked`.
    std::string clocks;
    TimeFrom from = TimeFrom::events;
    std::string fromReason{};  ///< why not from the device's stamps; empty where it is
    CacheBefore cache = CacheBefore::warm;
    ClockState clockState = ClockState::unknown;
    /// Each timed run's time, in the order they ran; empty in recordings made without them.
    std::vector<std::uint64_t> runNanoseconds{};
    friend bool operator==(const Timing&, const Timing&) = default;
};

/// Sets the number of runs, median, minimum, maximum and spread from `runNanoseconds`, which must
/// not be empty.
void summarize(Timing& timing);

/// Half of the runs took from `lower` to `upper` seconds.
struct Quartiles final {
    double lower = 0;
    double upper = 0;
};
/// Nullopt where the runs' times are not kept.
[[nodiscard]] std::optional<Quartiles> quartilesOf(const Timing& timing);

/// How many runs took how long. The slowest are told apart, so that one held up a thousandfold does
/// not squeeze all others into one bin.
struct Histogram final {
    double from = 0;      ///< seconds: where the first bin begins
    double binWidth = 0;  ///< seconds
    std::vector<std::uint32_t> counts;
    std::uint32_t slower = 0;  ///< runs beyond the last bin
    [[nodiscard]] double to() const { return from + binWidth * static_cast<double>(counts.size()); }
    [[nodiscard]] std::uint32_t highest() const;
};
/// At most `mostBins` bins, each no narrower than what the times can tell apart. Nullopt where the
/// runs' times are not kept.
[[nodiscard]] std::optional<Histogram> histogramOf(const Timing& timing, std::size_t mostBins);

/// What makes the runs differ among one another more than a comparison bears, in words with the
/// numbers; nullopt where they agree. Half of the runs further apart than a twentieth, a median
/// that moves from the first to the last third of the runs, or more than one run in twenty that
/// takes half as long again.
[[nodiscard]] std::optional<std::string> noiseOf(const Timing& timing);

/// `by the device's own time stamps`, `between CUDA events, the launch included`.
[[nodiscard]] std::string_view inWords(TimeFrom from);

void describe(Archive& v, Timing& timing);
/// Left out: warm, and as many runs as the worker finds right.
void describe(Archive& v, TimingRequest& request);

}  // namespace warplens
