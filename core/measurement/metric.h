#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/text/names.h"

namespace warplens {

/// The quantities Warplens speaks of. `metricInfo` gives each its id, unit and meaning.
enum class Metric : std::uint8_t {
    globalLoadRequests,
    globalStoreRequests,
    globalLoadSectors,
    globalStoreSectors,
    sectorsPerRequest,
    coalescingEfficiency,
    requestedBytesPerSector,
    usedBytesPerRequest,
    effectiveBandwidth,
    dramBandwidth,
    l2Bandwidth,
    bandwidthUtilization,
    branches,
    divergentBranches,
    branchEfficiency,
    laneEfficiency,
    sharedWavefronts,
    bankConflicts,
    sharedWavefrontsPerRequest,
    atomicRequests,
    atomicTurns,
    theoreticalOccupancy,
    achievedOccupancy,
    time,
    launchOverhead,
    mappingMismatches,
    globalLoadLines,
    globalStoreLines,
    l1HitRate,
};

enum class Unit : std::uint8_t {
    one,
    count,
    percent,
    bytesPerSecond,
    flopsPerSecond,
    seconds,
    requests,
    sectors,
    bytes,
    threads,
    lines,
};
/// `1` for a plain ratio.
constexpr std::array<std::string_view, 11> namesOf(Unit /*unit*/) {
    return {"1",        "count",   "%",     "B/s",     "FLOP/s", "s",
            "requests", "sectors", "bytes", "threads", "lines"};
}

/// Who obtained a number.
enum class Source : std::uint8_t {
    predicted,  ///< what the source asks for, run on the host, or computed by a stated rule
    probed,     ///< in documents of former versions alone: read as compiled, by the device probe
    counted,    ///< read from the hardware's counters
    timed,      ///< plain launches, by the device's time stamps or by CUDA events (TimeFrom)
    compiled,   ///< counted while the compiler's optimised PTX runs on the processor
};
constexpr std::array<std::string_view, 5> namesOf(Source /*source*/) {
    return {"predicted", "probed", "counted", "timed", "compiled"};
}

/// Which of several numbers of one metric: `bandwidth_utilization` stands once against the copy
/// rate and once against the theoretical peak. `none` for a metric that has only one.
enum class Variant : std::uint8_t {
    none,
    load,
    store,
    loadIdeal,  ///< fewest sectors that hold the bytes that each load asks for
    storeIdeal,
    copyRate,          ///< against the device's own copy rate
    theoreticalPeak,   ///< against memory clock x bus width
    active,            ///< lanes the warp instruction was issued for
    notPredicatedOff,  ///< lanes in which it took effect
};
constexpr std::array<std::string_view, 9> namesOf(Variant /*variant*/) {
    return {"",
            "load",
            "store",
            "load_ideal",
            "store_ideal",
            "copy_rate",
            "theoretical_peak",
            "active",
            "not_predicated_off"};
}

/// What a metric tells about; tables have a part for each, in this order.
enum class MetricGroup : std::uint8_t {
    coalescing,
    bandwidth,
    divergence,
    sharedMemory,
    atomics,
    occupancy,
    time,
    check,
};

/// Which of two numbers of a metric is the better one.
enum class Better : std::uint8_t { neither, less, more };

/// The numbers a metric can have at all, both ends included.
struct MetricRange final {
    double least;
    double most;
    friend bool operator==(const MetricRange&, const MetricRange&) = default;
};

struct MetricInfo final {
    Metric metric;
    std::string_view id;  ///< `global_load_sectors`, as in JSON
    MetricGroup group;
    Unit unit;
    Better better;
    MetricRange range;         ///< in the unit; rounding may pass it by a millionth
    std::string_view title;    ///< as in the window
    std::string_view meaning;  ///< one sentence
};

[[nodiscard]] std::span<const MetricInfo> allMetrics();
[[nodiscard]] const MetricInfo& metricInfo(Metric metric);
/// Their ids.
[[nodiscard]] std::span<const std::string_view> namesOf(Metric metric);

/// `Shared memory`.
[[nodiscard]] std::string_view titleOf(MetricGroup group);
/// `Sectors per request, loads`.
[[nodiscard]] std::string titleOf(Metric metric, Variant variant);

/// Those that a measurement may have, from what is written to what was timed.
inline constexpr std::array measuredSources{Source::predicted, Source::compiled, Source::counted,
                                            Source::timed};

}  // namespace warplens
