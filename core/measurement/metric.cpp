#include "core/measurement/metric.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr MetricRange countRange{0, 0x1p64};
constexpr MetricRange percentRange{0, 100};
constexpr MetricRange rateRange{0, 1e15};  // bytes a second; no memory is within a tenth of it
constexpr MetricRange shareRange{0, 1e5};  // percent of a rate, which caches may exceed
constexpr MetricRange durationRange{1e-12, 1e6};
constexpr MetricRange ratioRange{0, 1e9};
constexpr MetricRange sectorRatioRange{0, 32};  // one for each lane
constexpr MetricRange laneBytesRange{0, 1024};  // 32 bytes for each lane

constexpr auto metrics = std::to_array<MetricInfo>({
    {Metric::globalLoadRequests, "global_load_requests", MetricGroup::coalescing, Unit::requests,
     Better::less, countRange, "Load requests",
     "Warp-level global loads with at least one active lane."},
    {Metric::globalStoreRequests, "global_store_requests", MetricGroup::coalescing, Unit::requests,
     Better::less, countRange, "Store requests",
     "Warp-level global stores with at least one active lane."},
    {Metric::globalLoadSectors, "global_load_sectors", MetricGroup::coalescing, Unit::sectors,
     Better::less, countRange, "Load sectors",
     "Distinct 32-byte sectors of each load request, summed over the requests."},
    {Metric::globalStoreSectors, "global_store_sectors", MetricGroup::coalescing, Unit::sectors,
     Better::less, countRange, "Store sectors",
     "Distinct 32-byte sectors of each store request, summed over the requests."},
    {Metric::sectorsPerRequest, "sectors_per_request", MetricGroup::coalescing, Unit::one,
     Better::less, sectorRatioRange, "Sectors per request",
     "Sectors divided by requests, for loads and for stores, beside the fewest possible."},
    {Metric::coalescingEfficiency, "coalescing_efficiency", MetricGroup::coalescing, Unit::percent,
     Better::more, percentRange, "Coalescing efficiency",
     "Distinct bytes a warp uses, of the bytes its sectors carry. Never above 100 %."},
    {Metric::requestedBytesPerSector, "requested_bytes_per_sector", MetricGroup::coalescing,
     Unit::bytes, Better::more, laneBytesRange, "Bytes requested per sector",
     "Bytes the lanes ask for, a shared byte once for each lane, divided by the sectors. Above 32 "
     "where lanes share bytes."},
    {Metric::usedBytesPerRequest, "used_bytes_per_request", MetricGroup::coalescing, Unit::bytes,
     Better::more, laneBytesRange, "Bytes used per request",
     "Distinct bytes that a request brings or takes: 128 where each of 32 lanes asks for 4 of its "
     "own, fewer where lanes are idle or share bytes."},
    {Metric::effectiveBandwidth, "effective_bandwidth", MetricGroup::bandwidth,
     Unit::bytesPerSecond, Better::more, rateRange, "Effective bandwidth",
     "Bytes the algorithm must move, divided by the median time."},
    {Metric::dramBandwidth, "dram_bandwidth", MetricGroup::bandwidth, Unit::bytesPerSecond,
     Better::neither, rateRange, "DRAM bandwidth",
     "Bytes counted at the device memory, divided by the median time."},
    {Metric::l2Bandwidth, "l2_bandwidth", MetricGroup::bandwidth, Unit::bytesPerSecond,
     Better::neither, rateRange, "L2 bandwidth",
     "Bytes counted at the L2 cache, divided by the median time."},
    {Metric::bandwidthUtilization, "bandwidth_utilization", MetricGroup::bandwidth, Unit::percent,
     Better::more, shareRange, "Bandwidth utilization",
     "Effective bandwidth as a share of the rate named beside it."},
    {Metric::branches, "branches", MetricGroup::divergence, Unit::count, Better::neither,
     countRange, "Branches",
     "Branch targets chosen by warps, loop ends included when counted by the hardware; marked "
     "branches when predicted or told by the device's probe."},
    {Metric::divergentBranches, "divergent_branches", MetricGroup::divergence, Unit::count,
     Better::less, countRange, "Divergent branches",
     "Branches at which the active lanes of one warp went different ways."},
    {Metric::branchEfficiency, "branch_efficiency", MetricGroup::divergence, Unit::percent,
     Better::more, percentRange, "Branch efficiency",
     "Branches that did not diverge, of all branches."},
    {Metric::laneEfficiency, "lane_efficiency", MetricGroup::divergence, Unit::percent,
     Better::more, percentRange, "Lane efficiency",
     "Lanes active in each warp instruction executed, of 32; beside it the lanes not predicated "
     "off."},
    {Metric::sharedWavefronts, "shared_wavefronts", MetricGroup::sharedMemory, Unit::count,
     Better::less, countRange, "Shared wavefronts",
     "Passes in which shared memory serves its requests, loads, stores and atomics together: one "
     "of "
     "each where no two words share a bank."},
    {Metric::bankConflicts, "bank_conflicts", MetricGroup::sharedMemory, Unit::count, Better::less,
     countRange, "Bank conflicts", "Shared-memory wavefronts beyond the fewest possible."},
    {Metric::sharedWavefrontsPerRequest, "shared_wavefronts_per_request", MetricGroup::sharedMemory,
     Unit::one, Better::less, ratioRange, "Wavefronts per shared request",
     "Shared-memory wavefronts divided by requests, of loads, stores and atomics together."},
    {Metric::atomicRequests, "atomic_requests", MetricGroup::atomics, Unit::requests, Better::less,
     countRange, "Atomic requests", "Warp-level atomics with at least one active lane."},
    {Metric::atomicTurns, "atomic_turns", MetricGroup::atomics, Unit::count, Better::less,
     countRange, "Turns of atomics",
     "How many times lanes of an atomic request come one after another at one address, at least "
     "once, summed over the requests."},
    {Metric::theoreticalOccupancy, "theoretical_occupancy", MetricGroup::occupancy, Unit::percent,
     Better::more, percentRange, "Theoretical occupancy",
     "Warps that fit on an SM at once, of the most it holds, by the CUDA runtime's occupancy "
     "rule."},
    {Metric::achievedOccupancy, "achieved_occupancy", MetricGroup::occupancy, Unit::percent,
     Better::more, percentRange, "Achieved occupancy",
     "Warps resident on busy SMs on average, of the most an SM holds."},
    {Metric::time, "time", MetricGroup::time, Unit::seconds, Better::less, durationRange, "Time",
     "Median of the timed runs, each from the kernel's first instruction to its last; where the "
     "device gives no time stamps, from event to event, the launch included."},
    {Metric::launchOverhead, "launch_overhead", MetricGroup::time, Unit::seconds, Better::less,
     durationRange, "Launch overhead",
     "What each of many launches queued one behind another takes beyond the kernel's own time: the "
     "device ends one kernel and starts the next. A kernel much shorter than that is not worth a "
     "launch of its own."},
    {Metric::mappingMismatches, "mapping_mismatches", MetricGroup::check, Unit::threads,
     Better::less, countRange, "Mapping mismatches",
     "Threads whose lane or warp on the GPU differs from the rule."},
    {Metric::globalLoadLines, "global_load_lines", MetricGroup::coalescing, Unit::lines,
     Better::less, countRange, "Load cache lines",
     "Distinct 128-byte lines of each load request, summed over the requests."},
    {Metric::globalStoreLines, "global_store_lines", MetricGroup::coalescing, Unit::lines,
     Better::less, countRange, "Store cache lines",
     "Distinct 128-byte lines of each store request, summed over the requests."},
    {Metric::l1HitRate, "l1_hit_rate", MetricGroup::bandwidth, Unit::percent, Better::more,
     percentRange, "L1 hit rate",
     "Sectors that the L1 cache of an SM had when they were asked for, of all that were."},
});
static_assert(
    [] {
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            if (static_cast<std::size_t>(metrics.at(i).metric) != i) return false;
        }
        return true;
    }(),
    "a row for each metric, in its order");

/// Behind the metric's title.
constexpr std::array<std::string_view, 9> variantWords{"",
                                                       ", loads",
                                                       ", stores",
                                                       ", loads, fewest possible",
                                                       ", stores, fewest possible",
                                                       " of the copy rate",
                                                       " of the theoretical peak",
                                                       ", active",
                                                       ", not predicated off"};
constexpr std::array<std::string_view, 8> groups{"Coalescing",    "Bandwidth", "Divergence",
                                                 "Shared memory", "Atomics",   "Occupancy",
                                                 "Time",          "Check"};

}  // namespace

std::span<const MetricInfo> allMetrics() {
    return metrics;
}

const MetricInfo& metricInfo(Metric metric) {
    return metrics.at(static_cast<std::size_t>(metric));
}

std::span<const std::string_view> namesOf(Metric /*metric*/) {
    static const auto ids = [] {
        std::array<std::string_view, metrics.size()> all;
        std::ranges::transform(metrics, all.begin(), &MetricInfo::id);
        return all;
    }();
    return ids;
}

std::string_view titleOf(MetricGroup group) {
    return groups.at(static_cast<std::size_t>(group));
}

std::string titleOf(Metric metric, Variant variant) {
    return std::string(metricInfo(metric).title)
        .append(variantWords.at(static_cast<std::size_t>(variant)));
}

}  // namespace warplens
