#include "kernels/measure/counters/counted_values.h"

#include <algorithm>
#include <optional>

#include "core/launch/mapping.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Reads counters by name, turning absence into a reason that is passed along.
class Readings final {
  public:
    explicit Readings(const CounterReadings& readings) : readings_(readings) {}

    /// Median of the repeats.
    [[nodiscard]] std::optional<double> operator[](Counter counter) const {
        const auto found = readings_.values.find(counter);
        if (found == readings_.values.end()) return std::nullopt;
        std::vector<double> repeats = found->second;
        std::ranges::sort(repeats);
        return repeats[(repeats.size() - 1) / 2];
    }

  private:
    const CounterReadings& readings_;
};

using Content = std::variant<double, Unavailable>;

std::string missingReason(Counter counter) {
    return std::string(counterTable()[static_cast<std::size_t>(counter)].missing);
}

/// `compute` of the counters' values, or why one of them is missing.
template <class Compute, class... Counters>
Content from(const Readings& read, Compute compute, Counters... counters) {
    std::string reason;
    const auto require = [&](Counter counter) {
        if (!read[counter] && reason.empty()) reason = missingReason(counter);
    };
    (require(counters), ...);
    if (!reason.empty()) return Unavailable{reason};
    return compute(*read[counters]...);
}

auto quotient(const char* whenNone, double factor = 1) {
    return [=](double part, double whole) -> Content {
        if (whole == 0) return Unavailable{whenNone};
        return factor * part / whole;
    };
}

const auto itself = [](double value) -> Content { return value; };

void noteDisagreements(const CounterReadings& readings, std::vector<std::string>& notes) {
    for (const Counter counter :
         {Counter::loadRequests, Counter::storeRequests, Counter::loadSectors,
          Counter::storeSectors, Counter::branchTargets, Counter::divergentBranches}) {
        const auto found = readings.values.find(counter);
        if (found == readings.values.end()) continue;
        const auto [least, most] = std::ranges::minmax(found->second);
        if (least == most) continue;
        notes.push_back(
            "repeats of " +
            std::string(counterTable()[static_cast<std::size_t>(counter)].names.front()) +
            " disagreed: " + groupedDigits(static_cast<std::uint64_t>(least)) + " to " +
            groupedDigits(static_cast<std::uint64_t>(most)) + "; the median is shown");
    }
}

struct Quantity {
    Metric metric;
    Variant variant;
    Content content;
};

std::vector<Quantity> quantitiesOf(const CounterReadings& readings, double seconds,
                                   bool lanesShareBytes, bool mergedSharedLoads) {
    using enum Counter;
    const Readings read(readings);
    const auto perSecond = [seconds](double bytes) -> Content { return bytes / seconds; };
    const Content coalescing =
        lanesShareBytes
            ? Content(Unavailable{"lanes of a warp share bytes here, and the hardware counts a "
                                  "shared byte once for each lane; read the compiled value"})
            : from(
                  read,
                  [](double loadBytes, double storeBytes, double loads, double stores) -> Content {
                      if (loads + stores == 0) return Unavailable{"no global accesses"};
                      return 100 * (loadBytes + storeBytes) / (bytesPerSector * (loads + stores));
                  },
                  loadBytesRequested, storeBytesRequested, loadSectors, storeSectors);
    const Content requestedPerSector = from(
        read,
        [](double loadBytes, double storeBytes, double loads, double stores) -> Content {
            if (loads + stores == 0) return Unavailable{"no global accesses"};
            return (loadBytes + storeBytes) / (loads + stores);
        },
        loadBytesRequested, storeBytesRequested, loadSectors, storeSectors);
    const Content branchShare = from(
        read,
        [](double divergent, double all) -> Content {
            if (all == 0) return Unavailable{"no branches"};
            return 100 * (all - divergent) / all;
        },
        divergentBranches, branchTargets);
    const Content wavefrontsPerRequest = from(
        read,
        [](double wavefronts, double loads, double stores, double atomics) -> Content {
            const double requests = loads + stores + atomics;
            if (requests == 0) return Unavailable{"no shared-memory requests"};
            return wavefronts / requests;
        },
        sharedWavefronts, sharedLoadRequests, sharedStoreRequests, sharedAtomicRequests);
    // The counters of bank conflicts also count lost arbitration, so conflicts are told from the
    // wavefronts: each request of 4 bytes a lane needs one.
    const Content conflicts =
        mergedSharedLoads
            ? Content(Unavailable{"the compiler merged shared loads into wider ones, whose fewest "
                                  "wavefronts the counters do not tell"})
            : from(
                  read,
                  [](double wavefronts, double loads, double stores, double atomics) -> Content {
                      return wavefronts - loads - stores - atomics;
                  },
                  sharedWavefronts, sharedLoadRequests, sharedStoreRequests, sharedAtomicRequests);
    return {
        {Metric::globalLoadRequests, Variant::none, from(read, itself, loadRequests)},
        {Metric::globalStoreRequests, Variant::none, from(read, itself, storeRequests)},
        {Metric::globalLoadSectors, Variant::none, from(read, itself, loadSectors)},
        {Metric::globalStoreSectors, Variant::none, from(read, itself, storeSectors)},
        {Metric::sectorsPerRequest, Variant::load,
         from(read, quotient("no global loads"), loadSectors, loadRequests)},
        {Metric::sectorsPerRequest, Variant::store,
         from(read, quotient("no global stores"), storeSectors, storeRequests)},
        {Metric::coalescingEfficiency, Variant::none, coalescing},
        {Metric::requestedBytesPerSector, Variant::none, requestedPerSector},
        {Metric::dramBandwidth, Variant::none, from(read, perSecond, dramBytes)},
        {Metric::l2Bandwidth, Variant::none, from(read, perSecond, l2Bytes)},
        {Metric::branches, Variant::none, from(read, itself, branchTargets)},
        {Metric::divergentBranches, Variant::none, from(read, itself, divergentBranches)},
        {Metric::branchEfficiency, Variant::none, branchShare},
        {Metric::laneEfficiency, Variant::active,
         from(read, quotient("no instructions", 100.0 / lanesPerWarp), threadInstructions,
              instructions)},
        {Metric::laneEfficiency, Variant::notPredicatedOff,
         from(read, quotient("no instructions", 100.0 / lanesPerWarp),
              threadInstructionsPredicatedOn, instructions)},
        {Metric::sharedWavefronts, Variant::none, from(read, itself, sharedWavefronts)},
        {Metric::bankConflicts, Variant::none, conflicts},
        {Metric::sharedWavefrontsPerRequest, Variant::none, wavefrontsPerRequest},
        {Metric::achievedOccupancy, Variant::none, from(read, itself, achievedOccupancy)},
    };
}

}  // namespace

bool haveSharedBytes(const std::vector<ProgramLine>& lines) {
    return std::ranges::any_of(lines, [](const ProgramLine& line) {
        return isGlobal(line.kind) && !isAtomic(line.kind) &&
               line.uniqueBytes != line.requestedBytes;
    });
}

std::vector<Value> countedValues(const CounterReadings& readings, double medianSeconds,
                                 bool lanesShareBytes, bool mergedSharedLoads,
                                 std::vector<std::string>& notes) {
    noteDisagreements(readings, notes);
    std::vector<Value> values;
    for (Quantity& quantity :
         quantitiesOf(readings, medianSeconds, lanesShareBytes, mergedSharedLoads)) {
        values.push_back({quantity.metric, "kernel", Source::counted, quantity.variant,
                          std::move(quantity.content)});
    }
    return values;
}

std::vector<Value> countedValuesMissing(const std::string& reason) {
    std::vector<Value> values;
    for (const Quantity& quantity : quantitiesOf({}, 1, false, false)) {
        values.push_back(
            {quantity.metric, "kernel", Source::counted, quantity.variant, Unavailable{reason}});
    }
    return values;
}

}  // namespace warplens
